import { strict as assert } from "node:assert";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { applyPatchCommit, editFilesCommit, type CommitCall } from "../harness/commitCalls.ts";
import { newSession } from "../harness/extension.ts";
import { editorFiles, type EditorFiles } from "../support/editorFiles.ts";

const SEEDS = Array.from({ length: 40 }, (_, i) => 1 + i);

describe("calls like commits, by the bytes on disk", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());

  const check = async (
    tool: string,
    make: (seed: number, at: (name: string) => string) => CommitCall,
    pathOf: (name: string) => string,
    seed: number,
  ): Promise<void> => {
    const at = (name: string): string => `${seed}/${name}`;
    const { input, before, after } = make(seed, (name) => pathOf(at(name)));
    for (const [name, text] of Object.entries(before)) files.write(at(name), text);
    const { execute } = await newSession();
    const { isError, text, structured } = await execute(tool, input);
    const where = `seed ${seed}: ${text}`;
    assert.equal(isError, false, where);
    assert.equal(structured.status, "applied", where);
    for (const [name, wanted] of Object.entries({ ...before, ...after })) {
      const found = existsSync(files.path(at(name))) ? files.read(at(name)) : null;
      assert.deepEqual(found, wanted === null ? null : Buffer.from(wanted), `${name}, ${where}`);
    }
    for (const { path, tolerance } of structured.files)
      assert.equal(tolerance, undefined, `${path} matched only loosely, ${where}`);
  };

  it(`${SEEDS.length} of edit_files`, async () => {
    for (const seed of SEEDS) await check("edit_files", editFilesCommit, files.path, seed);
  }).timeout(180_000);

  it(`${SEEDS.length} of apply_patch, with files added, moved and deleted`, async () => {
    const pathOf = (name: string): string => `${basename(files.root)}/${name}`;
    for (const seed of SEEDS) await check("apply_patch", applyPatchCommit, pathOf, seed);
  }).timeout(180_000);
});
