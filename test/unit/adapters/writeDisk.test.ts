import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  moveDisk,
  MOVED_ON,
  removeDisk,
  replaceBytes,
} from "../../../src/adapters/node/writeDisk.ts";

let top: string;
let file: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "write-"));
  file = join(top, "a.txt");
  writeFileSync(file, "theirs");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const wasOurs = () => ({ bytes: bytes("before"), stats: statSync(file) });

describe("a file that cannot leave its folder", () => {
  it("does not come to have two names, and no folder is left that was made for it", async () => {
    const refuse = (): never => {
      throw Object.assign(new Error("not allowed"), { code: "EACCES" });
    };
    const to = join(top, "new/folder/b.txt");
    expect(await moveDisk(file, bytes("theirs"), to, refuse)).toEqual({
      ok: false,
      problem: "EACCES",
    });
    expect(readdirSync(top)).toEqual(["a.txt"]);
    expect(statSync(file).nlink).toBe(1);
  });
});

// `theirs` came to stand there after the file was read, in the time that a draft takes.
describe("a file that somebody else wrote meanwhile is left as it is", () => {
  it.each([
    ["replaced", () => replaceBytes(file, wasOurs(), bytes("ours"))],
    [
      "replaced in place",
      () => {
        linkSync(file, join(top, "twin.txt"));
        return replaceBytes(file, wasOurs(), bytes("ours"));
      },
    ],
    ["moved", () => moveDisk(file, bytes("before"), join(top, "b.txt"))],
    ["deleted", () => Promise.resolve(removeDisk(file, bytes("before")))],
  ])("when it is to be %s", async (_, write) => {
    expect(await write()).toEqual({ ok: false, problem: MOVED_ON });
    expect(readFileSync(file, "utf8")).toBe("theirs");
    expect(readdirSync(top).filter((name) => name !== "twin.txt")).toEqual(["a.txt"]);
  });

  it("also where it is gone", async () => {
    const disk = wasOurs();
    rmSync(file);
    expect(await replaceBytes(file, disk, bytes("ours"))).toEqual({ ok: false, problem: MOVED_ON });
    expect(removeDisk(file, disk.bytes)).toEqual({ ok: false, problem: MOVED_ON });
    expect(readdirSync(top)).toEqual([]);
  });
});
