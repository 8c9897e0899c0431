/**
 * Runs apply_patch cases from a folder outside the project and prints how each came out, by hand:
 * `SHARED_CASES=<folder> node test/support/runSharedPatch.ts`. The folder holds `*.json` lists of cases, and
 * optionally `commits.jsonl.gz`, real commits as patches with the right result.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { PatchFileState } from "../../src/engine/index.ts";
import { runPatch, type PatchFiles } from "./patchWorkspace.ts";

type FileSpec =
  | string
  | null
  | { readonly base64?: string; readonly content?: string; readonly hardlink?: string };
type Tree = Readonly<Record<string, FileSpec>>;

interface Case {
  readonly id: string;
  readonly tool?: string;
  readonly before: Tree;
  readonly call: { readonly raw?: string };
  readonly ideal?: Tree | "error";
  readonly alts?: readonly (Tree | "error")[];
  readonly after?: Tree;
  readonly status?: string;
  readonly error_contains?: readonly string[];
  readonly also_ok?: readonly { readonly status: string; readonly after: Tree | "UNCHANGED" }[];
}

const folder = process.env["SHARED_CASES"];
if (folder === undefined) throw new Error("set SHARED_CASES to a folder of cases");

const binary: PatchFileState = { kind: "undecodable", explanation: { message: "not text" } };

function textOf(spec: FileSpec): string | PatchFileState | null {
  if (spec === null) return null;
  if (typeof spec === "string") return spec.startsWith("\uFEFF") ? spec.slice(1) : spec;
  if (spec.content !== undefined) return spec.content;
  if (spec.base64 === undefined) return null;
  const bytes = Buffer.from(spec.base64, "base64");
  for (const encoding of ["utf-8", "utf-16le", "gb18030"])
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
      if ((encoding === "utf-16le") === isUtf16 && !bytes.includes(0x89)) return text;
    } catch {
      // the next encoding may fit
    }
  return binary;
}

function filesOf(tree: Tree): PatchFiles {
  const files = new Map<string, string | PatchFileState>();
  for (const [path, spec] of Object.entries(tree)) {
    const text = textOf(spec);
    if (text !== null) files.set(path, text);
  }
  return files;
}

function show(files: PatchFiles): string {
  return JSON.stringify(
    [...files].map(([path, file]) => [path, typeof file === "string" ? file : "(bytes)"]).sort(),
  );
}

function runPeer(test: Case): string | null {
  const before = filesOf(test.before);
  const call = JSON.parse(JSON.stringify(test.call).replaceAll("{{DIR}}", "/w")) as object;
  const run = runPatch(before, { input: call });
  const got = run.status === "applied" ? show(run.after) : "error";
  const named = (want: Tree | "error"): string => (want === "error" ? want : show(filesOf(want)));
  if (run.status !== "applied" && show(run.after) !== show(before))
    return `P ${run.status}: ${show(run.after)}\n     ${run.text.replaceAll("\n", "\n     ")}`;
  if (test.ideal !== undefined && got === named(test.ideal)) return null;
  if (test.alts?.some((alternative) => named(alternative) === got) === true)
    return `~ ${run.status}`;
  return `${run.status === "applied" ? "W" : "E"} got ${got}, ideal ${named(test.ideal ?? "error")}\n     ${run.text.replaceAll("\n", "\n     ")}`;
}

function runCase(test: Case): string | null {
  const before = filesOf(test.before);
  const input = test.call.raw === undefined ? { input: test.call } : { raw: test.call.raw };
  const run = runPatch(before, input);
  const expected = filesOf(test.after ?? test.before);
  const missing = (test.error_contains ?? []).filter(
    (part) => !part.split("|").some((word) => run.text.toLowerCase().includes(word.toLowerCase())),
  );
  if (run.status === test.status && show(run.after) === show(expected) && missing.length === 0)
    return null;
  const alternative = test.also_ok?.some(
    (other) =>
      other.status === run.status &&
      show(run.after) === show(other.after === "UNCHANGED" ? before : filesOf(other.after)),
  );
  if (alternative === true) return null;
  return `${run.status}, wanted ${test.status ?? "?"}: got ${show(run.after)}, want ${show(expected)}${missing.length > 0 ? `, text lacks ${JSON.stringify(missing)}` : ""}\n     ${run.text.replaceAll("\n", "\n     ")}`;
}

for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  const parsed = JSON.parse(readFileSync(join(folder, name), "utf8")) as
    readonly Case[] | { readonly cases: readonly Case[] };
  const cases = ("cases" in parsed ? parsed.cases : parsed).filter(
    (test) => test.tool === "apply_patch",
  );
  let good = 0;
  for (const test of cases) {
    const fault = test.ideal === undefined ? runCase(test) : runPeer(test);
    if (fault === null) good++;
    else console.log(`${name} ${test.id}: ${fault}`);
  }
  console.log(`${name}: ${good} of ${cases.length}`);
}

const commits = join(folder, "commits.jsonl.gz");
if (existsSync(commits)) {
  const lines = gunzipSync(readFileSync(commits)).toString("utf8").trim().split("\n");
  let good = 0;
  for (const line of lines) {
    const commit = JSON.parse(line) as Case & { readonly patch: string };
    const run = runPatch(filesOf(commit.before), { input: { patch: commit.patch } });
    const want = filesOf(commit.after ?? {});
    const got = [...want].every(([path, text]) => run.after.get(path) === text);
    const gone = Object.entries(commit.after ?? {}).every(
      ([path, spec]) => spec !== null || !run.after.has(path),
    );
    if (run.status === "applied" && got && gone) good++;
    else console.log(`commit ${commit.id}: ${run.status}\n${run.text.slice(0, 1500)}`);
    if (run.text.includes("Note:")) console.log(`commit ${commit.id}: ${run.text.slice(0, 600)}`);
  }
  console.log(`commits: ${good} of ${lines.length}`);
}
