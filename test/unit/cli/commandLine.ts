import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { hostBundles } from "../../../src/build/hostBundles.ts";

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const SOURCE = path.resolve(import.meta.dirname, "../../../src/cli.ts");

/**
 * The command line in bundles as they are shipped: it starts several times faster than from its sources, and what
 * breaks between bundles breaks here. The folder is the caller's.
 */
export async function bundledCli(): Promise<string> {
  const outdir = await mkdtemp(path.join(tmpdir(), "cli-bundle-"));
  const absWorkingDir = path.resolve(import.meta.dirname, "../../..");
  await hostBundles(
    [{ entry: "src/cli.ts" }],
    outdir,
    { absWorkingDir, bundle: true, logLevel: "error" },
    async (options) => void (await build(options)),
  );
  return path.join(outdir, "cli.cjs");
}

/** Runs a command line as people run it: a process of its own. */
export function runCli(
  file: string,
  words: readonly string[],
  {
    stdin = "",
    cwd = tmpdir(),
  }: { readonly stdin?: string | Uint8Array; readonly cwd?: string } = {},
): Promise<Said> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...words], { cwd, stdio: "pipe" });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
    child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    // A process that refuses its words ends without reading.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
  });
}

export interface Folder {
  readonly root: string;
  /** All files below, as text, by path with `/`. */
  contents(): Promise<Readonly<Record<string, string>>>;
  put(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

export async function folderWith(files: Readonly<Record<string, string>>): Promise<Folder> {
  const root = await mkdtemp(path.join(tmpdir(), "cli-"));
  const folder: Folder = {
    root,
    async contents() {
      const found = await readdir(root, { recursive: true, withFileTypes: true });
      const names = found
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
      const texts = await Promise.all(
        names
          .sort()
          .map(async (name) => [name, await readFile(path.join(root, name), "utf8")] as const),
      );
      return Object.fromEntries(texts);
    },
    async put(name, text) {
      const file = path.join(root, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
  for (const [name, text] of Object.entries(files)) await folder.put(name, text);
  return folder;
}
