import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  createApprovals,
  fileKey,
  planHash,
  questionHash,
  type Answer,
  type Approvals,
} from "../../../src/app/approvals.ts";
import { onHiddenQuestion } from "../../../src/app/hiddenQuestions.ts";
import { parsePermissionRules } from "../../../src/app/permissionRules.ts";
import { createPermissions } from "../../../src/app/permissions.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { ROOTS } from "./files.ts";

function waiting(
  id: string,
  paths: readonly string[],
  proposed: (path: string) => string | undefined = (path) => `diff of ${path}\n`,
): CallRecord {
  return {
    version: 1,
    id,
    session: "s",
    tool: "edit_files",
    source: "api",
    startedAt: 0,
    phase: "approval",
    flags: [],
    files: paths.map((path) => {
      const diff = proposed(path);
      return {
        path,
        shown: path.slice(1),
        operation: "update",
        phase: "proposed",
        ...(diff === undefined ? {} : { proposed: diff }),
      };
    }),
  };
}

/** Approvals under a clock that the test moves. */
function clocked(waitMsMax: number | null = 1_000): {
  readonly approvals: Approvals;
  readonly expire: () => void;
  readonly timers: () => number;
} {
  const due = new Map<symbol, () => void>();
  const approvals = createApprovals({
    waitMsMax,
    after(_, then) {
      const key = Symbol();
      due.set(key, then);
      return () => due.delete(key);
    },
  });
  return {
    approvals,
    expire: () => [...due.values()].forEach((then) => then()),
    timers: () => due.size,
  };
}

const never = new AbortController().signal;

/** Opens the question and waits until it is there to be answered. */
async function asked(
  approvals: Approvals,
  call: CallRecord,
  files: readonly number[],
  signal = never,
): Promise<{ answers: Promise<readonly Answer[]>; hash: string }> {
  const opened = new Promise<void>((resolve) => {
    const stop = approvals.onChange(() => {
      stop();
      resolve();
    });
  });
  const answers = approvals.ask(call, files, signal);
  await opened;
  const question = approvals.open().find(({ callId }) => callId === call.id);
  return { answers, hash: question!.hash };
}

const TWO = waiting("c", ["/a", "/b", "/c"]);

describe("a question", () => {
  test("shows the planned diffs, per file, under the hash of just these", async () => {
    const { approvals } = clocked();
    const { hash, answers } = await asked(approvals, TWO, [0, 2]);
    expect(approvals.open()).toEqual([
      {
        callId: "c",
        session: "s",
        tool: "edit_files",
        hash: createHash("sha256")
          .update(
            JSON.stringify([
              ["update", null, "/a", "diff of /a\n"],
              ["update", null, "/c", "diff of /c\n"],
            ]),
          )
          .digest("hex"),
        files: [
          { key: "0:/a", path: "/a", proposed: "diff of /a\n", answer: "unanswered" },
          { key: "2:/c", path: "/c", proposed: "diff of /c\n", answer: "unanswered" },
        ],
      },
    ]);
    expect(approvals.answerAll("c", "deny", hash)).toBe("taken");
    expect(await answers).toEqual(["denied", "denied"]);
  });
  test("is answered file by file, in any order", async () => {
    const { approvals, timers } = clocked();
    const { hash, answers } = await asked(approvals, TWO, [0, 1, 2]);
    expect(approvals.answer("c", "2:/c", "approve", hash)).toBe("taken");
    expect(approvals.answer("c", "0:/a", "deny", hash)).toBe("taken");
    expect(approvals.open()[0]!.files.map(({ answer }) => answer)).toEqual([
      "denied",
      "unanswered",
      "approved",
    ]);
    expect(approvals.answer("c", "1:/b", "approve", hash)).toBe("taken");
    expect(await answers).toEqual(["denied", "approved", "approved"]);
    expect(approvals.open()).toEqual([]);
    expect(timers()).toBe(0);
  });
  test("all: the rest is answered, what was said stays", async () => {
    const { approvals } = clocked();
    const { hash, answers } = await asked(approvals, TWO, [0, 1, 2]);
    approvals.answer("c", fileKey(TWO, 1), "deny", hash);
    expect(approvals.answer("c", "1:/b", "approve", hash)).toBe("closed");
    expect(approvals.answerAll("c", "approve", hash)).toBe("taken");
    expect(await answers).toEqual(["approved", "denied", "approved"]);
  });
  test("an answer to another plan is refused", async () => {
    const { approvals } = clocked();
    const { hash, answers } = await asked(approvals, TWO, [0]);
    const [file] = TWO.files;
    const other = await planHash([{ ...file!, proposed: "another diff\n" }]);
    const moved = await planHash([{ ...file!, operation: "move", movedFrom: "/z" }]);
    expect(await planHash([file!])).toBe(hash);
    for (const wrong of [other, moved, "", hash.toUpperCase(), hash.slice(1)]) {
      expect(approvals.answer("c", "0:/a", "approve", wrong)).toBe("stale");
      expect(approvals.answerAll("c", "approve", wrong)).toBe("stale");
    }
    expect(approvals.answerAll("c", "approve", hash)).toBe("taken");
    expect(await answers).toEqual(["approved"]);
  });
  test("an answer nobody waits for is told so", async () => {
    const { approvals } = clocked();
    expect(approvals.answer("x", "0:/a", "approve", "h")).toBe("closed");
    const { hash, answers } = await asked(approvals, TWO, [0]);
    expect(approvals.answer("c", "1:/b", "approve", hash)).toBe("closed");
    approvals.answerAll("c", "approve", hash);
    await answers;
    expect(approvals.answerAll("c", "approve", hash)).toBe("closed");
  });
  test("two calls wait side by side", async () => {
    const { approvals } = clocked();
    const one = await asked(approvals, TWO, [0]);
    const two = await asked(approvals, { ...TWO, id: "d" }, [1]);
    approvals.answerAll("d", "deny", two.hash);
    approvals.answerAll("c", "approve", one.hash);
    expect([await one.answers, await two.answers]).toEqual([["approved"], ["denied"]]);
  });
});

describe("a plan that was approved before the call came", () => {
  test("is not asked about again", async () => {
    const { approvals } = clocked();
    const approved = await questionHash(TWO, [0, 2]);
    expect(await approvals.ask(TWO, [0, 2], never, approved)).toEqual(["approved", "approved"]);
    expect(approvals.open()).toEqual([]);
  });
  test.each([
    ["more files", [0, 1, 2], (path: string) => `diff of ${path}\n`],
    ["fewer files", [0], (path: string) => `diff of ${path}\n`],
    ["another diff", [0, 2], (path: string) => `other diff of ${path}\n`],
    ["a file without a plan", [0, 1, 2], (path: string) => (path === "/b" ? undefined : "d")],
  ])("%s: it is another question", async (_, files, proposed) => {
    const { approvals } = clocked();
    const approved = await questionHash(TWO, [0, 2]);
    const opened = new Promise<void>((resolve) => void approvals.onChange(resolve));
    const answers = approvals.ask(
      waiting("c", ["/a", "/b", "/c"], proposed),
      files,
      never,
      approved,
    );
    await opened;
    const [question] = approvals.open();
    expect(approvals.answerAll("c", "deny", question!.hash)).toBe("taken");
    expect(await answers).not.toContain("approved");
  });
  test("a stopped call is not approved by it", async () => {
    const { approvals } = clocked();
    const approved = await questionHash(TWO, [0]);
    expect(await approvals.ask(TWO, [0], AbortSignal.abort(), approved)).toEqual(["unanswered"]);
  });
});

describe("no answer is never a yes", () => {
  test("the time limit", async () => {
    const { approvals, expire } = clocked();
    const { hash, answers } = await asked(approvals, TWO, [0, 1, 2]);
    approvals.answer("c", "0:/a", "approve", hash);
    expire();
    expect(await answers).toEqual(["approved", "unanswered", "unanswered"]);
    expect(approvals.answerAll("c", "approve", hash)).toBe("closed");
  });
  test("no limit: nothing is timed", async () => {
    const { approvals, timers } = clocked(null);
    const { hash, answers } = await asked(approvals, TWO, [0]);
    expect(timers()).toBe(0);
    approvals.answerAll("c", "approve", hash);
    expect(await answers).toEqual(["approved"]);
  });
  test("the call is stopped: what was approved does not count either", async () => {
    const { approvals, timers } = clocked();
    const stop = new AbortController();
    const { hash, answers } = await asked(approvals, TWO, [0, 1], stop.signal);
    approvals.answer("c", "0:/a", "approve", hash);
    stop.abort();
    expect(await answers).toEqual(["unanswered", "unanswered"]);
    expect([approvals.open(), timers()]).toEqual([[], 0]);
  });
  test("stopped before it was asked", async () => {
    const { approvals } = clocked();
    expect(await approvals.ask(TWO, [0], AbortSignal.abort())).toEqual(["unanswered"]);
    expect(approvals.open()).toEqual([]);
  });
  test("dispose ends all questions, and none is opened afterwards", async () => {
    const { approvals } = clocked();
    const one = await asked(approvals, TWO, [0]);
    approvals.dispose();
    expect(await one.answers).toEqual(["unanswered"]);
    expect(await approvals.ask({ ...TWO, id: "d" }, [0], never)).toEqual(["unanswered"]);
  });
  test("a file without a plan cannot be approved", async () => {
    const { approvals } = clocked();
    const half = waiting("c", ["/a", "/b"], (path) => (path === "/a" ? undefined : "d"));
    const { hash, answers } = await asked(approvals, half, [0, 1]);
    expect(approvals.answer("c", "0:/a", "approve", hash)).toBe("closed");
    approvals.answerAll("c", "approve", hash);
    expect(await answers).toEqual(["unanswered", "approved"]);
    expect(await approvals.ask(half, [0, 7], never)).toEqual(["unanswered", "unanswered"]);
  });
  test("a second question of a call that waits already", async () => {
    const { approvals } = clocked();
    const one = await asked(approvals, TWO, [0]);
    expect(await approvals.ask(TWO, [1], never)).toEqual(["unanswered"]);
    approvals.answerAll("c", "approve", one.hash);
    expect(await one.answers).toEqual(["approved"]);
  });
  test("where nobody can be asked", async () => {
    const permissions = createPermissions({
      rules: () => parsePermissionRules("ask"),
      roots: () => ROOTS,
    });
    expect(await permissions.ask(TWO, [0, 1], never)).toEqual(["unanswered", "unanswered"]);
  });
});

test("a question that opens while nobody can see it is told, once, and an answer is none of it", async () => {
  const { approvals } = clocked();
  let visible = false;
  const told: string[] = [];
  const stop = onHiddenQuestion(
    approvals,
    () => visible,
    ({ callId }) => void told.push(callId),
  );
  const one = await asked(approvals, TWO, [0, 1]);
  approvals.answer("c", "0:/a", "approve", one.hash);
  expect(told).toEqual(["c"]);
  visible = true;
  const two = await asked(approvals, { ...TWO, id: "d" }, [0]);
  visible = false;
  approvals.answerAll("c", "deny", one.hash);
  approvals.answerAll("d", "deny", two.hash);
  expect(told).toEqual(["c"]);
  stop();
  const three = await asked(approvals, { ...TWO, id: "e" }, [0]);
  approvals.answerAll("e", "deny", three.hash);
  expect(told).toEqual(["c"]);
  expect(await one.answers).toEqual(["approved", "denied"]);
});

test("allowed for the session: no second question for the file from any tool, only in that session", async () => {
  const { approvals } = clocked();
  approvals.allowForSession(TWO, 0);
  const again: CallRecord = { ...TWO, tool: "edit" };
  expect(await approvals.ask(again, [0], never)).toEqual(["approved"]);
  const { hash, answers } = await asked(approvals, again, [0, 1]);
  approvals.answerAll("c", "deny", hash);
  expect(await answers).toEqual(["approved", "denied"]);
  const [file] = TWO.files;
  const deleting: CallRecord = { ...TWO, id: "e", files: [{ ...file!, operation: "delete" }] };
  const deletion = await asked(approvals, deleting, [0]);
  approvals.answerAll("e", "deny", deletion.hash);
  expect(await deletion.answers).toEqual(["denied"]);
  const other = await asked(approvals, { ...TWO, id: "d", session: "t" }, [0]);
  approvals.answerAll("d", "deny", other.hash);
  expect(await other.answers).toEqual(["denied"]);
});
