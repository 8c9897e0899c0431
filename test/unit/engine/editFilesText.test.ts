import { describe, expect, test } from "vitest";
import { editFilesText, type FileOutcome } from "../../../src/engine/index.ts";

function file(
  path: string,
  status: FileOutcome["status"],
  rest: Partial<FileOutcome> = {},
): FileOutcome {
  return { path, status, operation: "update", ...rest };
}

const ambiguous = {
  message:
    "old_text matches 3 occurrences (expected exactly 1). Include more surrounding context to make the match unique, or set replace_all to true",
};

describe("the result of edit_files", () => {
  test("partial, to the letter and in the order of its keys", () => {
    const { text, isError, status } = editFilesText([
      file("/repo/a.go", "applied", { edits: [0], diff: "…" }),
      file("/repo/c.go", "rejected", { edits: [3, 4], error: ambiguous }),
      file("/repo/d.go", "already_applied", { edits: [5] }),
    ]);
    expect({ isError, status }).toEqual({ isError: false, status: "partial" });
    expect(text).toBe(
      '{"status":"partial",' +
        '"message":"Applied 1 file. 1 file was already applied by your previous call. /repo/c.go was not applied (none of edits[3], edits[4] were applied): fix and resend only the edits for /repo/c.go.",' +
        '"files":[' +
        '{"path":"/repo/c.go","status":"rejected","edits":[3,4],"error":"old_text matches 3 occurrences (expected exactly 1). Include more surrounding context to make the match unique, or set replace_all to true"},' +
        '{"path":"/repo/a.go","status":"applied","diff":"…"},' +
        '{"path":"/repo/d.go","status":"already_applied","message":"edits[5] matched your previous call and was not applied again."}]}',
    );
  });

  test("what is too long to be read is left out and said to be; what fits beside it stays", () => {
    const { text } = editFilesText([
      file("/a", "applied", { diff: "a" }),
      file("/b", "applied", { diff: "b".repeat(1_000_000), note: "Noted." }),
      file("/c", "applied", { diff: "c".repeat(999_999) }),
      file("/d", "applied", { diff: "" }),
    ]);
    expect(JSON.parse(text)).toMatchObject({
      files: [
        { path: "/a", status: "applied", diff: "a" },
        {
          path: "/b",
          status: "applied",
          message:
            "Noted. The diff has 1000000 characters and is left out; everything was written.",
        },
        { path: "/c", diff: "c".repeat(999_999) },
        { path: "/d", diff: "" },
      ],
    });
    expect(text).not.toContain("bbb");
  });

  test.each<[string, readonly FileOutcome[], "applied" | "partial" | "error", string]>([
    ["one applied", [file("/a", "applied", { diff: "" })], "applied", "Applied edits to 1 file."],
    [
      "applied and repeated",
      [file("/a", "applied"), file("/b", "applied"), file("/c", "already_applied", { edits: [2] })],
      "applied",
      "Applied edits to 2 files. 1 file was already applied by your previous call.",
    ],
    [
      "only repeated",
      [
        file("/a", "already_applied", { edits: [0] }),
        file("/b", "already_applied", { edits: [1] }),
      ],
      "applied",
      "2 files were already applied by your previous call.",
    ],
    [
      "repeated and rejected",
      [
        file("/a", "already_applied", { edits: [0] }),
        file("/b", "rejected", { edits: [1], error: ambiguous }),
      ],
      "partial",
      "1 file was already applied by your previous call. /b was not applied (edits[1] was not applied): fix and resend only the edits for /b.",
    ],
    [
      "one unknown beside one applied",
      [file("/a", "unknown", { edits: [2], error: { message: "gone" } }), file("/b", "applied")],
      "partial",
      "Applied 1 file. It is unknown whether /a was applied (edits[2]): re-read /a before resending its edits.",
    ],
  ])("%s", (_name, outcomes, status, message) => {
    const result = editFilesText(outcomes);
    expect(result).toMatchObject({ status, message, isError: false });
    expect(JSON.parse(result.text)).toMatchObject({ status, message });
  });

  test("a file with skipped and applied edits has its diff and the note", () => {
    const note = "edits[0] matched your previous call and was not applied again.";
    const { text } = editFilesText([file("/a", "applied", { edits: [1], diff: "…", note })]);
    expect(text).toContain(`{"path":"/a","status":"applied","diff":"…","message":"${note}"}`);
  });

  test("several repeated edits are named together", () => {
    const { text } = editFilesText([file("/a", "already_applied", { edits: [4, 5] })]);
    expect(text).toContain(
      "edits[4], edits[5] matched your previous call and were not applied again.",
    );
  });

  test("nothing applied is plain text in the order of the call", () => {
    const result = editFilesText([
      file("/c", "rejected", {
        edits: [3, 4],
        error: { message: "no such thing", advice: "Look." },
      }),
      file("/a", "rejected", { edits: [1], error: ambiguous }),
    ]);
    expect(result).toMatchObject({
      isError: true,
      status: "error",
      message: "No files were applied.",
    });
    expect(result.text).toBe(
      `No files were applied.\n- /c (edits[3], edits[4]): no such thing. Look.\n- /a (edits[1]): ${ambiguous.message}`,
    );
  });

  test("an unknown file is never said to be unwritten", () => {
    const { text } = editFilesText([
      file("/a", "unknown", { edits: [0], error: { message: "write failed" } }),
      file("/b", "rejected", { edits: [1], error: ambiguous }),
    ]);
    expect(text).toBe(
      "No files were applied, except that files marked unknown may have been.\n" +
        "- /a (edits[0]): unknown whether applied (write failed); re-read it before resending its edits\n" +
        `- /b (edits[1]): ${ambiguous.message}`,
    );
  });

  test("diagnostics come last, and only when there are any", () => {
    const outcomes = [file("/a", "applied", { diff: "" })];
    expect(editFilesText(outcomes).text).not.toContain("diagnostics");
    expect(Object.keys(JSON.parse(editFilesText(outcomes, ["x"]).text) as object)).toEqual([
      "status",
      "message",
      "files",
      "diagnostics",
    ]);
  });
});
