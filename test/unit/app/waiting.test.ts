import { describe, expect, test } from "vitest";
import { decodeAs } from "../../../src/adapters/node/textBody.ts";
import { createApprovals, type Approvals, type Question } from "../../../src/app/approvals.ts";
import { callCard } from "../../../src/app/card.ts";
import { withReviewState } from "../../../src/app/reviewState.ts";
import { runUndo } from "../../../src/app/runUndo.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { createCallDriver, edit, type CallDriver, type RanCall } from "../../support/callDriver.ts";
import { expectTruth } from "../../support/callTruth.ts";

interface Asking {
  readonly driver: CallDriver;
  readonly person: Approvals;
  /** The open question, as soon as there is one. */
  asked(): Promise<Question>;
}

function asking(files: Record<string, string>): Asking {
  const person = createApprovals({ waitMsMax: null, after: () => () => undefined });
  const permission = { "*": "allow", edit: { "asked.ts": "ask" } };
  const driver = createCallDriver({ files, permission, person });
  return {
    driver,
    person,
    asked: () =>
      new Promise((resolve) => {
        const look = (): void => {
          const [question] = person.open();
          if (question !== undefined) resolve(question);
        };
        person.onChange(look);
        look();
      }),
  };
}

const change = (path: string, from: string, to: string): object => ({
  edits: [edit(`/ws/${path}`, from, to)],
});

function undo(driver: CallDriver, { record }: RanCall): Promise<CallRecord> {
  const decode = async (bytes: Uint8Array, encoding: string): Promise<string | null> =>
    (await decodeAs(encoding, bytes))?.text ?? null;
  const { signal } = new AbortController();
  return driver.runner.exclusive(() => runUndo({ ...driver.ports, decode }, record!, {}, signal));
}

describe("while a call waits for a person", () => {
  test("the next one is told as queued, and its card says behind what", async () => {
    const { driver, person, asked } = asking({ "asked.ts": "one\n", "b.ts": "x\n" });
    const first = driver.run("edit_files", change("asked.ts", "one", "two"));
    const { callId, hash } = await asked();
    const second = driver.run("edit_files", change("b.ts", "x", "y"));
    const { record } = driver.told.at(-1)!;
    expect([record.id === callId, record.phase]).toEqual([false, "queued"]);
    const state = { undos: [], reviewed: new Set<string>(), questionOpen: true };
    expect(withReviewState(callCard(record), record, state)).toMatchObject({
      phase: "queued",
      heldUpByQuestion: true,
    });
    expect(driver.workspace.contents()).toEqual({ "asked.ts": "one\n", "b.ts": "x\n" });
    person.answerAll(callId, "approve", hash);
    for (const ran of [await first, await second]) {
      await expectTruth(driver, ran);
      expect(ran.structured.status).toBe("applied");
    }
    const ended = driver.told.at(-1)!.record;
    expect(withReviewState(callCard(ended), ended, state).heldUpByQuestion).toBeUndefined();
  });

  test.each(["edit_files", "apply_patch", "write"])(
    "a queued %s that is called off ends at once and touches nothing",
    async (tool) => {
      const { driver, person, asked } = asking({ "asked.ts": "one\n", "b.ts": "x\n" });
      const first = driver.run("edit_files", change("asked.ts", "one", "two"));
      const { callId, hash } = await asked();
      const input = {
        edit_files: change("b.ts", "x", "y"),
        apply_patch: {
          patch: "*** Begin Patch\n*** Update File: b.ts\n@@\n-x\n+y\n*** End Patch",
        },
        write: { path: "b.ts", content: "y\n" },
      }[tool];
      const stop = new AbortController();
      const second = driver.run(tool, input, {}, stop.signal);
      stop.abort();
      const ran = await second;
      await expectTruth(driver, ran);
      expect(ran.structured.status).toBe("error");
      expect(ran.text).toContain("not sent because the tool call was interrupted");
      expect(ran.record!.phase).toBe("done");
      expect(person.open().map((question) => question.callId)).toEqual([callId]);
      person.answerAll(callId, "approve", hash);
      expect((await first).structured.status).toBe("applied");
      expect(driver.workspace.contents()).toEqual({ "asked.ts": "two\n", "b.ts": "x\n" });
    },
  );

  test("by the panel's button too, and the one that waits can be called off while others are queued", async () => {
    const { driver, person, asked } = asking({ "asked.ts": "one\n", "b.ts": "x\n" });
    const first = driver.run("edit_files", change("asked.ts", "one", "two"));
    const { callId } = await asked();
    const second = driver.run("edit_files", change("b.ts", "x", "y"));
    const third = driver.run("edit_files", change("b.ts", "x", "z"));
    const [, queued] = [...new Set(driver.told.map(({ record }) => record.id))];
    driver.runner.cancel(queued!);
    expect((await second).structured.status).toBe("error");
    expect(person.open()).toHaveLength(1);
    driver.runner.cancel(callId);
    expect((await first).structured.status).toBe("error");
    expect((await third).structured.status).toBe("applied");
    expect(driver.workspace.contents()).toEqual({ "asked.ts": "one\n", "b.ts": "z\n" });
  });

  test("an earlier call can be taken back", async () => {
    const { driver, person, asked } = asking({ "asked.ts": "one\n", "b.ts": "x\n" });
    const done = await driver.run("edit_files", change("b.ts", "x", "y"));
    const waits = driver.run("edit_files", change("asked.ts", "one", "two"));
    const { callId, hash } = await asked();
    const undone = await undo(driver, done);
    expect(undone.result?.status).toBe("applied");
    expect(driver.workspace.contents()).toEqual({ "asked.ts": "one\n", "b.ts": "x\n" });
    person.answerAll(callId, "approve", hash);
    expect((await waits).structured.status).toBe("applied");
    expect(driver.workspace.text("asked.ts")).toBe("two\n");
  });

  test.each(["edit_files", "apply_patch"])(
    "taking back what its plan (%s) stands on makes the yes void",
    async (tool) => {
      const { driver, person, asked } = asking({ "asked.ts": "one\nleft\n" });
      const made = driver.run("edit_files", change("asked.ts", "left", "right"));
      const first = await asked();
      person.answerAll(first.callId, "approve", first.hash);
      const done = await made;
      const input =
        tool === "edit_files"
          ? change("asked.ts", "one", "two")
          : { patch: "*** Begin Patch\n*** Update File: asked.ts\n@@\n-one\n+two\n*** End Patch" };
      const waits = driver.run(tool, input);
      const { callId, hash } = await asked();
      expect((await undo(driver, done)).result?.status).toBe("applied");
      person.answerAll(callId, "approve", hash);
      const ran = await waits;
      await expectTruth(driver, ran);
      expect(ran.structured.status).toBe("error");
      expect(driver.workspace.text("asked.ts")).toBe("one\nleft\n");
    },
  );
});
