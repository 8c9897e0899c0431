import { describe, expect, it } from "vitest";
import { createApprovals, type Approvals, type Decision } from "../../../src/app/approvals.ts";
import { createCallDriver } from "../../support/callDriver.ts";
import { expectTruth } from "../../support/callTruth.ts";

const patch = (...lines: string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** Somebody who answers each file by its path. */
function person(decide: (path: string) => Decision): Approvals {
  const approvals = createApprovals({ waitMsMax: null, after: () => () => undefined });
  approvals.onChange(() => {
    const [question] = approvals.open();
    const file = question?.files.find(({ answer }) => answer === "unanswered");
    if (question === undefined || file === undefined) return;
    approvals.answer(question.callId, file.key, decide(file.path), question.hash);
  });
  return approvals;
}

describe("a patch of which a part is refused", () => {
  it("commits what was approved and no other file", async () => {
    const driver = createCallDriver({
      files: { "a.txt": "a\n", "b.txt": "b\n" },
      permission: { "*": "ask" },
      person: person((path) => (path === "a.txt" ? "approve" : "deny")),
    });
    const ran = await driver.run(
      "apply_patch",
      patch("*** Update File: a.txt", "@@", "-a", "+A", "*** Update File: b.txt", "@@", "-b", "+B"),
    );
    await expectTruth(driver, ran);
    expect(driver.workspace.contents()).toEqual({ "a.txt": "A\n", "b.txt": "b\n" });
    expect(ran.structured.status).toBe("partial");
    expect(ran.text).toContain("denied by the user");
  });

  it("writes nothing in its place that came out only after the refusal", async () => {
    const asked: string[] = [];
    const driver = createCallDriver({
      files: { "a.txt": "a\n", "c.txt": "c\n" },
      permission: { "*": "ask" },
      person: person((path) => {
        asked.push(path);
        return path === "c.txt" ? "deny" : "approve";
      }),
    });
    // Seen were: c goes away, a gets what was in c, b is new. Without c, what is left is a move of a to b.
    const ran = await driver.run(
      "apply_patch",
      patch(
        "*** Update File: a.txt",
        "*** Move to: b.txt",
        "@@",
        "-a",
        "+A",
        "*** Update File: c.txt",
        "*** Move to: a.txt",
        "@@",
        "-c",
        "+C",
      ),
    );
    await expectTruth(driver, ran);
    expect(asked.sort()).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(driver.workspace.contents()).toEqual({ "a.txt": "a\n", "c.txt": "c\n" });
    expect(ran.structured.status).toBe("error");
  });

  it("shows where a moved file comes from while it is asked about", async () => {
    const driver = createCallDriver({
      files: { "a.txt": "a\n" },
      permission: { "*": "ask" },
      person: person(() => "deny"),
    });
    await driver.run("apply_patch", patch("*** Update File: a.txt", "*** Move to: b.txt"));
    const asking = driver.told.find(({ card }) => card.phase === "approval");
    expect(asking?.card.files).toMatchObject([
      { path: "b.txt", operation: "move", movedFrom: "a.txt", phase: "proposed" },
    ]);
  });
});
