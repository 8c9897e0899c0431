import { describe, expect, test } from "vitest";
import {
  alreadyAppliedNote,
  markRepeats,
  patchGroup,
  previousEdits,
  repeatNote,
  textEdits,
  undoneEdits,
  undoneKey,
  undoneKeys,
  type GuardEdit,
  type Mark,
  type PresentFile,
} from "../../../src/app/guard.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { call, edit } from "./records.ts";

const RUN: Mark = { kind: "run" };
const skip = (appliedBy: string): Mark => ({ kind: "skip", appliedBy });

const A = "/w/a.ts";
const B = "/w/b.ts";
const SIZE = edit(A, "size = 10", "size = 11");

interface Try {
  /** Newest first. */
  readonly records: readonly CallRecord[];
  readonly edits: readonly object[];
  readonly now: Readonly<Record<string, string | { text: string; hash: string } | null>>;
  readonly undone?: readonly string[];
  readonly tool?: string;
}

function marks({ records, edits, now, undone = [], tool = "edit_files" }: Try): readonly Mark[] {
  const previous = previousEdits(records, {
    tool,
    session: "s",
    editsOf: textEdits,
    undone: new Set(undone),
  });
  return markRepeats(textEdits({ edits }), previous, (path): PresentFile | undefined => {
    const file = now[path];
    if (file === undefined) return undefined;
    if (file === null) return { exists: false, text: null };
    return typeof file === "string" ? { exists: true, text: file } : { exists: true, ...file };
  });
}

const first = call("1", { edits: [SIZE] }, [
  { path: A, status: "applied", edits: [0], hashAfter: "h1" },
]);

describe("an exact repeat of what the previous call applied", () => {
  test("is skipped, and the call that applied it is named", () => {
    expect(marks({ records: [first], edits: [SIZE], now: { [A]: "size = 11" } })).toEqual([
      skip("1"),
    ]);
  });
  test("both copies are skipped when it comes twice", () => {
    expect(marks({ records: [first], edits: [SIZE, SIZE], now: { [A]: "size = 11" } })).toEqual([
      skip("1"),
      skip("1"),
    ]);
  });
  test("a path differs from another spelling of it, but not by white space around it", () => {
    const now = { [A]: "size = 11", "/w/./a.ts": "size = 11" };
    expect(
      marks({ records: [first], edits: [edit("/w/./a.ts", "size = 10", "size = 11")], now }),
    ).toEqual([RUN]);
    expect(
      marks({ records: [first], edits: [edit(` ${A}\n`, "size = 10", "size = 11")], now }),
    ).toEqual([skip("1")]);
  });
  test.each([
    ["old text", edit(A, "size = 10 ", "size = 11")],
    ["new text", edit(A, "size = 10", "size = 11 ")],
    ["replace_all", edit(A, "size = 10", "size = 11", true)],
  ])("another %s is another edit", (_, other) => {
    expect(
      marks({ records: [first], edits: [other], now: { [A]: { text: "size = 11 ", hash: "h1" } } }),
    ).toEqual([RUN]);
  });
  test("replace_all left out equals false", () => {
    const again = edit(A, "size = 10", "size = 11", false);
    expect(marks({ records: [first], edits: [again], now: { [A]: "size = 11" } })).toEqual([
      skip("1"),
    ]);
  });
  test("only the repeats among the edits are skipped", () => {
    const now = { [A]: "size = 11", [B]: "b" };
    expect(
      marks({ records: [first], edits: [edit(B, "b", "c"), SIZE, edit(A, "x", "y")], now }),
    ).toEqual([RUN, skip("1"), RUN]);
  });
});

describe("which call is the previous one", () => {
  const now = { [A]: "size = 11" };
  const other = call("2", { edits: [edit(B, "b", "c")] }, [
    { path: B, status: "applied", edits: [0] },
  ]);
  test("only the last one of the tool counts", () => {
    expect(marks({ records: [other, first], edits: [SIZE], now })).toEqual([RUN]);
  });
  test("a call that failed completely is stepped over", () => {
    const failed = call("2", { edits: [edit(B, "b", "c")] }, [
      { path: B, status: "rejected", edits: [0] },
    ]);
    const denied = call("3", { edits: [SIZE] }, []);
    const unknown = call("4", { edits: [SIZE] }, [{ path: A, status: "unknown", edits: [0] }]);
    expect(marks({ records: [unknown, denied, failed, first], edits: [SIZE], now })).toEqual([
      skip("1"),
    ]);
  });
  test("calls of other tools and sessions do not matter", () => {
    const elsewhere = { ...other, session: "t" };
    const patch = { ...other, tool: "apply_patch" };
    expect(marks({ records: [elsewhere, patch, first], edits: [SIZE], now })).toEqual([skip("1")]);
    expect(marks({ records: [{ ...first, session: "t" }], edits: [SIZE], now })).toEqual([RUN]);
    expect(marks({ records: [{ ...first, tool: "edit" }], edits: [SIZE], now })).toEqual([RUN]);
  });
  test("edits of its rejected and unknown files are not remembered", () => {
    const partial = call("1", { edits: [SIZE, edit(B, "b", "c")] }, [
      { path: B, status: "rejected", edits: [1] },
      { path: A, status: "applied", edits: [0] },
    ]);
    expect(
      marks({ records: [partial], edits: [SIZE, edit(B, "b", "c")], now: { ...now, [B]: "c" } }),
    ).toEqual([skip("1"), RUN]);
    const unknown = call("1", { edits: [SIZE, edit(B, "b", "c")] }, [
      { path: A, status: "unknown", edits: [0] },
      { path: B, status: "applied", edits: [1] },
    ]);
    expect(marks({ records: [unknown], edits: [SIZE], now })).toEqual([RUN]);
  });
  test("a call that was imported and never run here is not one of them", () => {
    const imported: CallRecord = { ...first, flags: ["imported"] };
    expect(marks({ records: [imported], edits: [SIZE], now })).toEqual([RUN]);
  });
  test("without any earlier call everything runs", () => {
    expect(marks({ records: [], edits: [SIZE], now })).toEqual([RUN]);
  });
  test("arguments that cannot be read hold no edits", () => {
    for (const args of [undefined, null, "x", [], { edits: [null] }, { edits: "[]" }])
      expect(marks({ records: [{ ...first, args }], edits: [SIZE], now })).toEqual([RUN]);
  });
});

describe("addition 1: what the previous call skipped is carried on", () => {
  const now = { [A]: "size = 11" };
  const second = call("2", { edits: [SIZE] }, [
    { path: A, status: "already_applied", edits: [0], appliedBy: "1" },
  ]);
  test("a third identical call is skipped too, and names the call that wrote", () => {
    expect(marks({ records: [second, first], edits: [SIZE], now })).toEqual([skip("1")]);
  });
  test("also when the writing call is no longer among the records", () => {
    expect(marks({ records: [second], edits: [SIZE], now })).toEqual([skip("1")]);
  });
  test("the hash the writing call left still counts", () => {
    const gone = edit(A, "x", "");
    const wrote = call("1", { edits: [gone] }, [
      { path: A, status: "applied", edits: [0], hashAfter: "h1" },
    ]);
    const skipped = call("2", { edits: [gone] }, [
      { path: A, status: "already_applied", appliedBy: "1" },
    ]);
    expect(
      marks({
        records: [skipped, wrote],
        edits: [gone],
        now: { [A]: { text: "x elsewhere", hash: "h1" } },
      }),
    ).toEqual([skip("1")]);
  });
  test("beside new edits of the same file", () => {
    const more = edit(A, "name", "title");
    const mixed = call("2", { edits: [SIZE, more] }, [
      { path: A, status: "applied", edits: [0, 1], appliedBy: "1", skipped: [0] },
    ]);
    const present = { [A]: "size = 11 title" };
    expect(marks({ records: [mixed, first], edits: [SIZE, more], now: present })).toEqual([
      skip("1"),
      skip("2"),
    ]);
  });
  test("of a rejected file: what its entry does not list was skipped", () => {
    const bad = edit(A, "nowhere", "x");
    const mixed = call("2", { edits: [SIZE, bad, edit(B, "b", "c")] }, [
      { path: A, status: "rejected", edits: [1], appliedBy: "1" },
      { path: B, status: "applied", edits: [2] },
    ]);
    expect(
      marks({ records: [mixed, first], edits: [SIZE, bad], now: { [A]: "size = 11 x" } }),
    ).toEqual([skip("1"), RUN]);
  });
});

describe("addition 2: an edit taken back leaves the set", () => {
  const [key] = textEdits({ edits: [SIZE] }).map((one) => one.key);
  const second = call("2", { edits: [SIZE] }, [
    { path: A, status: "already_applied", edits: [0], appliedBy: "1" },
  ]);
  const now = { [A]: { text: "size = 11", hash: "h1" } };
  test("taken back from the call that wrote it", () => {
    expect(marks({ records: [first], edits: [SIZE], now, undone: [undoneKey("1", key!)] })).toEqual(
      [RUN],
    );
    expect(
      marks({ records: [second, first], edits: [SIZE], now, undone: [undoneKey("1", key!)] }),
    ).toEqual([RUN]);
  });
  test("told from the records of undo calls", () => {
    const wrote = call("1", { edits: [SIZE, edit(B, "b", "c")] }, [
      { path: A, status: "applied", edits: [0] },
      { path: B, status: "applied", edits: [1] },
    ]);
    const undo = (
      id: string,
      args: object,
      ...files: readonly ("applied" | "rejected")[]
    ): CallRecord =>
      call(
        id,
        args,
        files.map((status, i) => ({ path: `/real/${i}`, status })),
        { tool: "undo" },
      );
    const [a, b] = textEdits(wrote.args).map((one) => undoneKey("1", one.key));
    const undone = (...records: readonly CallRecord[]): readonly string[] =>
      [...undoneEdits([...records, wrote], "undo", textEdits)].sort();
    expect(undone()).toEqual([]);
    expect(undone(undo("2", { call: "1", file: 0 }, "applied"))).toEqual([a]);
    expect(undone(undo("2", { call: "1", file: 1, hunk: 0 }, "applied"))).toEqual([b]);
    expect(undone(undo("2", { call: "1", file: 0 }, "rejected"))).toEqual([]);
    // A whole call goes back from its last file to its first; here only the last one went.
    expect(undone(undo("2", { call: "1" }, "applied", "rejected"))).toEqual([b]);
    expect(undone(undo("2", { call: "1" }, "applied", "applied"))).toEqual([a, b].sort());
    // Taken back, brought back, and taken back once more.
    const back = undo("2", { call: "1", file: 0 }, "applied");
    const forth = undo("3", { call: "2" }, "applied");
    expect(undone(forth, back)).toEqual([]);
    expect(undone(undo("4", { call: "3", file: 0 }, "applied"), forth, back)).toEqual([a]);
    // Records that lead nowhere.
    for (const args of [{ call: "9" }, { call: "2" }, {}, { call: "1", file: 7 }])
      expect(undone(undo("2", args, "applied"))).toEqual([]);
  });
  test("taking a file back takes all its edits of that call, and no others", () => {
    const wrote = call("1", { edits: [SIZE, edit(B, "b", "c"), edit(A, "x", "y")] }, [
      { path: A, status: "applied", edits: [0, 2] },
      { path: B, status: "applied", edits: [1] },
    ]);
    const undone = undoneKeys(wrote, wrote.files[0]!, textEdits);
    const edits = [SIZE, edit(B, "b", "c"), edit(A, "x", "y")];
    const present = { [A]: "size = 11 y", [B]: "c" };
    expect(marks({ records: [wrote], edits, now: present, undone })).toEqual([RUN, skip("1"), RUN]);
  });
  test("taken back and applied again, it counts again", () => {
    const again = call("3", { edits: [SIZE] }, [{ path: A, status: "applied", edits: [0] }]);
    expect(
      marks({ records: [again, first], edits: [SIZE], now, undone: [undoneKey("1", key!)] }),
    ).toEqual([skip("3")]);
  });
});

describe("addition 3: only while its effect is still there", () => {
  test("the file as the call left it needs no further evidence", () => {
    expect(
      marks({ records: [first], edits: [SIZE], now: { [A]: { text: "anything", hash: "h1" } } }),
    ).toEqual([skip("1")]);
  });
  test("in a changed file the new text must occur", () => {
    expect(
      marks({
        records: [first],
        edits: [SIZE],
        now: { [A]: { text: "// new\nsize = 11\n", hash: "h2" } },
      }),
    ).toEqual([skip("1")]);
    expect(
      marks({ records: [first], edits: [SIZE], now: { [A]: { text: "size = 10\n", hash: "h2" } } }),
    ).toEqual([RUN]);
  });
  test("line endings of the file make no difference", () => {
    const two = edit(A, "x", "p\nq");
    const wrote = call("1", { edits: [two] }, [{ path: A, status: "applied", edits: [0] }]);
    for (const text of ["p\r\nq\r\n", "p\rq\r", "p\nq"])
      expect(marks({ records: [wrote], edits: [two], now: { [A]: text } })).toEqual([skip("1")]);
  });
  test("a deletion stands while the old text is gone", () => {
    const gone = edit(A, "debug();\n", "");
    const wrote = call("1", { edits: [gone] }, [{ path: A, status: "applied", edits: [0] }]);
    expect(marks({ records: [wrote], edits: [gone], now: { [A]: "run();\n" } })).toEqual([
      skip("1"),
    ]);
    expect(marks({ records: [wrote], edits: [gone], now: { [A]: "run();\ndebug();\n" } })).toEqual([
      RUN,
    ]);
  });
  test("new text that is a part of the old one proves nothing while the old one stands", () => {
    const shorter = edit(A, "run(true)", "run(");
    const wrote = call("1", { edits: [shorter] }, [{ path: A, status: "applied", edits: [0] }]);
    expect(marks({ records: [wrote], edits: [shorter], now: { [A]: "run(true)" } })).toEqual([RUN]);
    expect(marks({ records: [wrote], edits: [shorter], now: { [A]: "run(" } })).toEqual([
      skip("1"),
    ]);
  });
  test("a file that is gone, not text or not known shows no effect", () => {
    for (const now of [{ [A]: null }, {}])
      expect(marks({ records: [first], edits: [SIZE], now })).toEqual([RUN]);
    const gone = edit(A, "x", "");
    const wrote = call("1", { edits: [gone] }, [{ path: A, status: "applied", edits: [0] }]);
    expect(marks({ records: [wrote], edits: [gone], now: { [A]: null } })).toEqual([RUN]);
  });
  test("text that was placed with adapted indentation is recognised by its lines, and only then", () => {
    const insert = edit(A, "a\nb", "a\nnew\nb");
    const now = { [A]: "{\n\ta\n\tnew\n\tb\n}\n" };
    const wrote = (tolerance: readonly string[]): CallRecord =>
      call("1", { edits: [insert] }, [{ path: A, status: "applied", edits: [0], tolerance }]);
    expect(marks({ records: [wrote(["surrounding-space"])], edits: [insert], now })).toEqual([
      skip("1"),
    ]);
    expect(marks({ records: [wrote([])], edits: [insert], now })).toEqual([RUN]);
    expect(
      marks({
        records: [wrote(["surrounding-space"])],
        edits: [insert],
        now: { [A]: "\ta\n\tb\n" },
      }),
    ).toEqual([RUN]);
  });
});

describe("edit and apply_patch", () => {
  test("edit: single and batch have one key for the same replacement", () => {
    const single = { path: "a.ts", old_string: "x", new_string: "y" };
    const batch = {
      path: "a.ts",
      edits: [{ old_string: "x", new_string: "y", replace_all: false }],
    };
    expect(textEdits(single)).toEqual(textEdits(batch));
    const records = [
      call("1", single, [{ path: "a.ts", status: "applied", edits: [0] }], { tool: "edit" }),
    ];
    const previous = previousEdits(records, {
      tool: "edit",
      session: "s",
      editsOf: textEdits,
      undone: new Set(),
    });
    expect(markRepeats(textEdits(batch), previous, () => ({ exists: true, text: "y" }))).toEqual([
      skip("1"),
    ]);
  });
  const group = (path: string, text: string, ...effects: GuardEdit["effects"]): GuardEdit =>
    patchGroup(path, text, effects);
  const groupsOf = (args: unknown): readonly GuardEdit[] =>
    (args as { groups: GuardEdit[] }).groups;
  const tried = (
    groups: readonly GuardEdit[],
    again: readonly GuardEdit[],
    files: Record<string, string | null>,
    move?: string,
  ): readonly Mark[] => {
    const record = call(
      "1",
      { groups },
      groups.map(({ path }) => ({ path: move ?? path, status: "applied" as const })),
      { tool: "apply_patch" },
    );
    const records =
      move === undefined
        ? [record]
        : [
            {
              ...record,
              files: record.files.map((file) => ({
                ...file,
                outcome: { ...file.outcome!, movedFrom: groups[0]!.path },
              })),
            },
          ];
    const previous = previousEdits(records, {
      tool: "apply_patch",
      session: "s",
      editsOf: groupsOf,
      undone: new Set(),
    });
    return markRepeats(again, previous, (path) => {
      const text = files[path];
      return text === undefined ? undefined : { exists: text !== null, text };
    });
  };
  test("a whole file group that repeats is skipped, one that differs in any line runs", () => {
    const one = group("a", "*** Update File: a\n@@\n p\n+new", {
      kind: "contains",
      path: "a",
      text: "p\nnew",
    });
    const other = group("a", "*** Update File: a\n@@\n p\n+new\n q", {
      kind: "contains",
      path: "a",
      text: "p\nnew\nq",
    });
    expect(tried([one], [one], { a: "p\nnew\nq\n" })).toEqual([skip("1")]);
    expect(tried([one], [other], { a: "p\nnew\nq\n" })).toEqual([RUN]);
    expect(tried([one], [one], { a: "p\nq\n" })).toEqual([RUN]);
  });
  test("all effects of a group must stand", () => {
    const two = group(
      "a",
      "two hunks",
      { kind: "contains", path: "a", text: "x" },
      { kind: "lacks", path: "a", text: "y" },
    );
    expect(tried([two], [two], { a: "x" })).toEqual([skip("1")]);
    expect(tried([two], [two], { a: "x y" })).toEqual([RUN]);
  });
  test("a deleted file stays deleted, a moved one is at its new place", () => {
    const gone = group("a", "*** Delete File: a", { kind: "no-file", path: "a" });
    expect(tried([gone], [gone], { a: null })).toEqual([skip("1")]);
    expect(tried([gone], [gone], { a: "back" })).toEqual([RUN]);
    const moved = group(
      "a",
      "*** Update File: a\n*** Move to: b",
      { kind: "no-file", path: "a" },
      { kind: "contains", path: "b", text: "x" },
    );
    expect(tried([moved], [moved], { a: null, b: "x" }, "b")).toEqual([skip("1")]);
    expect(tried([moved], [moved], { a: "x", b: "x" }, "b")).toEqual([RUN]);
  });
});

test("texts", () => {
  expect(alreadyAppliedNote([5])).toBe(
    "edits[5] matched your previous call and was not applied again.",
  );
  expect(alreadyAppliedNote([4, 5])).toBe(
    "edits[4], edits[5] matched your previous call and were not applied again.",
  );
  expect(repeatNote("Update File: a.ts", 1)).toBe(
    "Update File: a.ts matched your previous call and was not applied again.",
  );
});
