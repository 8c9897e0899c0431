import fc from "fast-check";
import { expect, test } from "vitest";
import { readStoredArgs } from "../../../src/tools/editFilesStored.ts";

const edit = { index: 0, oldText: "a", newText: "b", replaceAll: false };

test("the flat list is grouped by trimmed path, in the order of first edits", () => {
  const args = {
    edits: [
      { path: "/b ", old_text: "a", new_text: "b" },
      { path: "/a", old_text: "c", new_text: "d", replace_all: true },
      { path: "/b", old_text: "e", new_text: "" },
    ],
  };
  const groups = [
    { path: "/b", edits: [edit, { ...edit, index: 2, oldText: "e", newText: "" }] },
    { path: "/a", edits: [{ index: 1, oldText: "c", newText: "d", replaceAll: true }] },
  ];
  expect(readStoredArgs(args)).toEqual(groups);
  expect(readStoredArgs(JSON.stringify(args))).toEqual(groups);
  expect(readStoredArgs({ edits: JSON.stringify(args.edits) })).toEqual(groups);
});

test("the old shape is read with either spelling of its keys", () => {
  const args = {
    files: [
      {
        path: "/a",
        edits: [
          { search: "a", replace: "b" },
          { old_text: "c", new_text: "d" },
        ],
      },
      { path: "/b", edits: "not a list" },
      { path: 3, edits: [] },
      { path: "/c", edits: [{ old_text: "e", new_text: "f", replace_all: true }] },
    ],
  };
  expect(readStoredArgs(args)).toEqual([
    { path: "/a", edits: [edit, { ...edit, index: 1, oldText: "c", newText: "d" }] },
    { path: "/c", edits: [{ index: 2, oldText: "e", newText: "f", replaceAll: true }] },
  ]);
});

test("what is still streaming is read as far as it is there", () => {
  expect(readStoredArgs({ edits: [{ path: "/a" }, {}, null] })).toEqual([
    { path: "/a", edits: [{ index: 0, oldText: "", newText: "", replaceAll: false }] },
  ]);
  expect(readStoredArgs({ edits: '[{"path":"/a","old' })).toEqual([]);
  expect(readStoredArgs(undefined)).toEqual([]);
});

test("nothing is refused, and no path is empty or repeated", () => {
  fc.assert(
    fc.property(fc.anything(), fc.jsonValue(), (anything, json) => {
      for (const args of [anything, json, { edits: json }, { files: [json] }, { edits: [json] }]) {
        const paths = readStoredArgs(args).map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        expect(paths).not.toContain("");
      }
    }),
  );
});
