import { spawnSync } from "node:child_process";
import {
  lutimesSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileLock } from "../../../src/adapters/node/fileLock.ts";

let top: string;
let folder: string;
let file: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "locks-"));
  folder = join(top, "locks");
  file = join(top, "a.txt");
  writeFileSync(file, "0");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const one = (): Promise<number> => Promise.resolve(1);

/** The lock of `file` as somebody else has it. */
async function held(pid: number): Promise<string> {
  let name = "";
  await withFileLock(
    file,
    () => {
      name = readdirSync(folder)[0] ?? "";
      return Promise.resolve();
    },
    { folder },
  );
  const path = join(folder, name);
  symlinkSync(String(pid), path);
  return path;
}

describe("a file's lock", () => {
  it("lets one at a time do its work, and leaves nothing", async () => {
    const count = async (): Promise<void> => {
      const before = Number(await readFile(file, "utf8"));
      await writeFile(file, String(before + 1));
    };
    await Promise.all(Array.from({ length: 40 }, () => withFileLock(file, count, { folder })));
    expect(readFileSync(file, "utf8")).toBe("40");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is given back where the work fails", async () => {
    const failing = withFileLock(file, () => Promise.reject(new Error("no")), { folder });
    await expect(failing).rejects.toThrow("no");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is not waited for without end, and then the work is not begun", async () => {
    const path = await held(process.pid);
    let begun = false;
    const work = (): Promise<void> => {
      begun = true;
      return Promise.resolve();
    };
    const done = await withFileLock(file, work, { folder, waitMsMax: 20 });
    expect([done, begun]).toEqual([{ ok: false, problem: "busy" }, false]);
    expect(readdirSync(folder)).toEqual([path.slice(folder.length + 1)]);
    expect(await withFileLock(join(top, "b.txt"), one, { folder })).toEqual({ ok: true, value: 1 });
  });

  it("is taken over from a process that is gone, and when it is too old for any write", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    await held(pid);
    expect(await withFileLock(file, one, { folder, waitMsMax: 20 })).toEqual({
      ok: true,
      value: 1,
    });
    const path = await held(process.pid);
    const longAgo = Date.now() / 1000 - 3_600;
    lutimesSync(path, longAgo, longAgo);
    expect(await withFileLock(file, one, { folder, waitMsMax: 20 })).toEqual({
      ok: true,
      value: 1,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("does not keep anybody from work where it cannot be made", async () => {
    const blocked = join(file, "locks");
    expect(await withFileLock(file, one, { folder: blocked })).toEqual({ ok: true, value: 1 });
  });
});
