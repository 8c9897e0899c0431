import { describe, expect, test } from "vitest";
import { deleteTool } from "../../../src/tools/deleteFile.ts";
import { editTool } from "../../../src/tools/edit.ts";
import { writeTool } from "../../../src/tools/write.ts";

describe("schemas", () => {
  test("edit takes one replacement or a list, on one path", () => {
    const schema = editTool.jsonSchema() as {
      required: string[];
      properties: Record<string, { type: string; items?: { required: string[] } }>;
    };
    expect(schema.required).toEqual(["path"]);
    expect(
      Object.fromEntries(Object.entries(schema.properties).map(([k, v]) => [k, v.type])),
    ).toEqual({
      path: "string",
      old_string: "string",
      new_string: "string",
      replace_all: "boolean",
      edits: "array",
    });
    expect(schema.properties["edits"]?.items?.required).toEqual(["old_string", "new_string"]);
  });

  test.each([
    [writeTool, ["path", "content"]],
    [deleteTool, ["path"]],
  ] as const)("the others require all they have", (tool, keys) => {
    const schema = tool.jsonSchema() as { required: string[]; properties: object };
    expect(schema.required).toEqual(keys);
    expect(Object.keys(schema.properties)).toEqual(keys);
  });

  test.each([editTool, writeTool, deleteTool])(
    "$name says what it does, to models and to people",
    (tool) => {
      expect(tool.description.length).toBeGreaterThan(60);
      expect(tool.userDescription).toMatch(/^[A-Z][^.]+\.$/);
      // Models are to aim for exact matches, so no text offers more than that.
      expect(JSON.stringify([tool.description, tool.jsonSchema()])).not.toMatch(
        /toleran|punctuation|fuzzy/i,
      );
      // What models are told of unknown keys must be true: they are passed over.
      expect(JSON.stringify(tool.jsonSchema())).not.toContain("additionalProperties");
    },
  );
});

describe("decoding", () => {
  test("arguments of 50 MB are refused before they are parsed", () => {
    const raw = `{"path":"a","content":"${"x".repeat(50_000_000)}"}`;
    for (const tool of [editTool, writeTool, deleteTool]) {
      const decoded = tool.decode({ raw });
      expect(decoded.kind).toBe("refused");
      expect(decoded.kind === "refused" && decoded.text).toContain("the limit is 50000000");
    }
  });

  test("hooks and stores see the path that will be used, under its one name", () => {
    const decoded = editTool.decode({
      raw: '{"filePath":"a.ts","old_string":"a","new_string":"b","edits":null}',
    });
    expect(decoded).toEqual({
      kind: "args",
      args: { path: "a.ts", old_string: "a", new_string: "b" },
      stringDecoded: false,
    });
  });

  test("a list that came as a string is told", () => {
    const decoded = editTool.decode({
      input: { path: "a", edits: '[{"old_string":"a","new_string":"b"}]' },
    });
    expect(decoded).toEqual({
      kind: "args",
      args: { path: "a", edits: [{ old_string: "a", new_string: "b" }] },
      stringDecoded: true,
    });
  });

  test("text that is no JSON is kept as it was sent", () => {
    expect(editTool.decode({ raw: "{" })).toMatchObject({ kind: "refused", raw: "{" });
    expect(editTool.decode({ raw: '{"path":"a","path":"b"}' })).toMatchObject({
      kind: "refused",
      args: { path: "b" },
    });
  });

  test("a replacement that no file could take is refused before any is read", () => {
    const request = editTool.validate({ path: "a", old_string: "a", new_string: "\u0000" });
    expect(request.ok && request.value.refused?.message).toContain("control character U+0000");
    const fine = editTool.validate({ path: "a", old_string: "a", new_string: "b" });
    expect(fine.ok && fine.value.refused).toBeNull();
  });
});
