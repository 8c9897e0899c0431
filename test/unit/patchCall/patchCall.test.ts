import { describe, expect, it } from "vitest";
import { createCallDriver } from "../../support/callDriver.ts";
import { expectTruth } from "../../support/callTruth.ts";

const patch = (...lines: string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("apply_patch through the life of a call", () => {
  it("adds, changes, moves and deletes, and says so in one list", async () => {
    const driver = createCallDriver({
      files: { "m.txt": "a\nb\n", "d.txt": "x\n", "from.txt": "1\n2\n" },
    });
    const ran = await driver.run(
      "apply_patch",
      patch(
        "*** Update File: m.txt",
        "@@",
        "-b",
        "+B",
        "*** Add File: new/a.txt",
        "+new",
        "*** Delete File: d.txt",
        "*** Update File: from.txt",
        "*** Move to: to.txt",
        "@@",
        "-2",
        "+two",
      ),
    );
    await expectTruth(driver, ran);
    expect(ran.text).toContain("A new/a.txt\nD d.txt\nM m.txt\nR from.txt -> to.txt");
    expect(driver.workspace.contents()).toEqual({
      "m.txt": "a\nB\n",
      "new/a.txt": "new\n",
      "to.txt": "1\ntwo\n",
    });
    const moved = ran.structured.files.find(({ operation }) => operation === "move");
    expect(moved).toMatchObject({ path: "to.txt", movedFrom: "from.txt", status: "applied" });
  });

  it("commits independent groups and resends only the failed one", async () => {
    const driver = createCallDriver({ files: { "a.txt": "a\n", "b.txt": "b\n" } });
    const ran = await driver.run(
      "apply_patch",
      patch(
        "*** Update File: a.txt",
        "@@",
        "-a",
        "+A",
        "*** Update File: b.txt",
        "@@",
        "-zz",
        "+Z",
      ),
    );
    await expectTruth(driver, ran);
    expect(driver.workspace.contents()).toEqual({ "a.txt": "A\n", "b.txt": "b\n" });
    expect(ran.structured.status).toBe("partial");
    expect(ran.text).toContain("apply_patch partially applied: 1 change committed");
    const failed = ran.card?.files.find(({ status }) => status === "rejected");
    expect(failed?.resend).toBe(patch("*** Update File: b.txt", "@@", "-zz", "+Z"));
    expect(failed?.diff).toBeUndefined();
  });

  const SWAP = patch(
    "*** Update File: a.txt",
    "*** Move to: t.txt",
    "*** Update File: b.txt",
    "*** Move to: a.txt",
    "*** Update File: t.txt",
    "*** Move to: b.txt",
  );

  it("swaps two files", async () => {
    const driver = createCallDriver({ files: { "a.txt": "A\n", "b.txt": "B\n" } });
    const ran = await driver.run("apply_patch", SWAP);
    expect(ran.structured.status).toBe("applied");
    expect(driver.workspace.contents()).toEqual({ "a.txt": "B\n", "b.txt": "A\n" });
    // Files of one mode are changed where they are, so that editors keep their cursors.
    expect(driver.workspace.operations.filter((one) => one.startsWith("remove"))).toEqual([]);
  });

  it("swaps the modes of two files with them, unless an editor has unsaved text of one", async () => {
    const modes = async (typed: string | null): Promise<unknown> => {
      const driver = createCallDriver();
      driver.workspace.put("a.txt", "A\n", 0o755);
      driver.workspace.put("b.txt", "B\n", 0o600);
      const document = driver.workspace.open("a.txt");
      if (typed !== null) document.type(typed);
      const ran = await driver.run("apply_patch", SWAP);
      expect(ran.structured.status, ran.text).toBe("applied");
      expect(driver.workspace.text("b.txt")).toBe(typed ?? "A\n");
      return ["a.txt", "b.txt"].map((name) => driver.workspace.mode(name));
    };
    expect(await modes(null)).toEqual([0o600, 0o755]);
    expect(await modes("typed\n")).toEqual([0o755, 0o600]);
  });

  it("moves and deletes files that are no text, byte for byte", async () => {
    const bytes = Uint8Array.of(0, 255, 1, 2, 0);
    const driver = createCallDriver({ files: { "pic.bin": bytes, "other.bin": bytes } });
    const ran = await driver.run(
      "apply_patch",
      patch("*** Update File: pic.bin", "*** Move to: img/pic.bin", "*** Delete File: other.bin"),
    );
    expect(ran.structured.status).toBe("applied");
    expect(driver.workspace.bytes("img/pic.bin")).toEqual(bytes);
    expect(driver.workspace.bytes("other.bin")).toBeUndefined();
    expect(driver.workspace.bytes("pic.bin")).toBeUndefined();
  });

  it("writes nothing of the call when a file changed between plan and commit", async () => {
    const files = { "a.txt": "a\n", "b.txt": "b\n" };
    const text = patch(
      "*** Update File: a.txt",
      "@@",
      "-a",
      "+A",
      "*** Update File: b.txt",
      "@@",
      "-b",
      "+B",
    );
    let looks = 0;
    const driver = createCallDriver({
      files,
      fault(_number, operation, path) {
        if (operation !== "look" || !path.endsWith("b.txt") || ++looks !== 2) return undefined;
        return { kind: "change" };
      },
    });
    const ran = await driver.run("apply_patch", text);
    expect(ran.text).toContain("changed after planning");
    expect(ran.text).toContain("No files were modified");
    expect(driver.workspace.text("a.txt")).toBe("a\n");
    expect(driver.workspace.text("b.txt")).toMatch(/^b\n/);
  });

  it("skips a whole group that the previous call applied, and only while its effect stands", async () => {
    const driver = createCallDriver({ files: { "a.txt": "a\n", "b.txt": "b\n" } });
    const first = patch("*** Update File: a.txt", "@@", " a", "+one more");
    const second = patch(
      "*** Update File: a.txt",
      "@@",
      " a",
      "+one more",
      "*** Update File: b.txt",
      "@@",
      "-b",
      "+B",
    );
    await driver.run("apply_patch", first);
    const again = await driver.run("apply_patch", second);
    await expectTruth(driver, again);
    expect(driver.workspace.contents()).toEqual({ "a.txt": "a\none more\n", "b.txt": "B\n" });
    expect(again.structured.files.map(({ path, status }) => [path, status])).toEqual([
      ["b.txt", "applied"],
      ["a.txt", "already_applied"],
    ]);
    driver.workspace.put("a.txt", "a\n");
    await driver.run("apply_patch", second);
    expect(driver.workspace.text("a.txt")).toBe("a\none more\n");
  });

  it("plans without writing, and says what the run would say", async () => {
    const files = { "a.txt": "a\n", "d.txt": "d\n" };
    const text = patch(
      "*** Update File: a.txt",
      "@@",
      "-a",
      "+A",
      "*** Delete File: d.txt",
      "*** Add File: n.txt",
      "+n",
    );
    const dry = await createCallDriver({ files }).run("apply_patch", text, { dryRun: true });
    const driver = createCallDriver({ files });
    const planned = await driver.run("apply_patch", text, { dryRun: true });
    expect(driver.workspace.contents()).toEqual(files);
    const wet = await driver.run("apply_patch", text);
    expect(planned.structured.files).toEqual(wet.structured.files);
    expect(dry.structured).toEqual(planned.structured);
  });

  it("asks about each planned file and drops what depends on a denied one", async () => {
    const driver = createCallDriver({
      files: { "a.txt": "a\n" },
      ports: {
        permissions: {
          judge: () => "ask",
          ask: (call, files) =>
            Promise.resolve(
              files.map((index) =>
                call.files[index]?.path === "b.txt" ? ("denied" as const) : ("approved" as const),
              ),
            ),
        },
      },
    });
    const ran = await driver.run(
      "apply_patch",
      patch(
        "*** Update File: a.txt",
        "*** Move to: b.txt",
        "@@",
        "-a",
        "+A",
        "*** Add File: c.txt",
        "+c",
      ),
    );
    expect(driver.workspace.contents()).toEqual({ "a.txt": "a\n", "c.txt": "c\n" });
    expect(ran.structured.status).toBe("partial");
    const shown = driver.told.find(({ card }) => card.phase === "approval")?.card;
    expect(shown?.files.map(({ phase }) => phase)).toEqual(["proposed", "proposed"]);
  });

  it("writes through no link, and names the file behind it", async () => {
    for (const operation of [
      ["*** Update File: alias.txt", "@@", "-r", "+R"],
      ["*** Add File: alias.txt", "+R"],
      ["*** Delete File: alias.txt"],
      ["*** Update File: other.txt", "*** Move to: alias.txt"],
    ]) {
      const driver = createCallDriver({ files: { "real.txt": "r\n", "other.txt": "o\n" } });
      driver.workspace.link("alias.txt", "real.txt");
      const before = driver.workspace.contents();
      const ran = await driver.run(
        "apply_patch",
        patch(...operation, "*** Update File: other.txt", "@@", "-o", "+O"),
      );
      expect(ran.structured.status).toBe("error");
      expect(ran.text).toContain("not a regular file: alias.txt is a link to real.txt");
      expect(driver.workspace.contents()).toEqual(before);
    }
  });

  it.each([
    ["../out.txt", "outside"],
    ["/etc/passwd", "outside"],
    ["a\u0000b", "control"],
    ["", "empty"],
  ])("refuses the path %j by name and writes nothing", async (path, word) => {
    const driver = createCallDriver({ files: { "dir/x.txt": "x\n", "a.txt": "a\n" } });
    const before = driver.workspace.contents();
    const ran = await driver.run("apply_patch", patch(`*** Delete File: ${path}`));
    expect(ran.structured.status).toBe("error");
    expect(ran.text).toMatch(new RegExp(word, "i"));
    expect(driver.workspace.contents()).toEqual(before);
  });
});
