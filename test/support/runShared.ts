/**
 * Runs external cases and real commits, when a folder with them is given:
 * `SHARED_CASES=<folder> node test/support/runShared.ts`. Prints every difference and ends with a count.
 */
import { readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { applyEditFiles, type Ran } from "./applyEditFiles.ts";

interface SharedCase {
  readonly id: string;
  readonly tool: string;
  readonly why: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly call: unknown;
  readonly after: Readonly<Record<string, unknown>>;
  readonly status: "applied" | "partial" | "rejected";
  readonly per_file?: Readonly<Record<string, string>>;
  readonly error_contains?: readonly string[];
  readonly message?: string;
  readonly rejected_edits?: Readonly<Record<string, readonly number[]>>;
  readonly decoded?: boolean;
  readonly also_ok?: readonly { readonly status: string; readonly after: unknown }[];
  readonly sequence?: unknown;
  readonly hook?: unknown;
}

const folder = process.env["SHARED_CASES"];
if (folder === undefined) throw new Error("set SHARED_CASES to a folder with cases/ and corpus/");
let ran = 0;
let differing = 0;
const passedOver: string[] = [];
for (const name of ["cases/edit-files.json", "cases/reported-bugs.json"]) {
  const cases = JSON.parse(readFileSync(join(folder, name), "utf8")) as readonly SharedCase[];
  for (const one of cases.filter(({ tool }) => tool === "edit_files")) runCase(one);
}
runCommits(join(folder, "corpus/commits.jsonl.gz"));
console.log(`${ran} run, ${differing} differ; passed over: ${passedOver.join(", ")}`);
process.exitCode = differing === 0 ? 0 : 1;

function runCase(one: SharedCase): void {
  if (one.sequence !== undefined || one.hook !== undefined) {
    passedOver.push(`${one.id} (needs guard or hooks)`);
    return;
  }
  if (Object.values(one.before).some((text) => typeof text !== "string")) {
    passedOver.push(`${one.id} (needs bytes)`);
    return;
  }
  const before = new Map(Object.entries(one.before) as [string, string][]);
  const { raw } = one.call as { readonly raw?: unknown };
  for (const arrived of [
    typeof raw === "string" ? { raw } : { input: one.call },
    { raw: typeof raw === "string" ? raw : JSON.stringify(one.call) },
  ]) {
    ran++;
    report(one.id, differencesOf(one, applyEditFiles(before, arrived)), one.why);
  }
}

function differencesOf(one: SharedCase, result: Ran): readonly string[] {
  const found: string[] = [];
  const statuses = { applied: "applied", partial: "partial", error: "rejected" } as const;
  const status = statuses[result.status];
  const after = Object.fromEntries(result.files);
  const isOther = (one.also_ok ?? []).some(
    (other) => other.status === status && JSON.stringify(other.after) === JSON.stringify(after),
  );
  if (isOther) return [];
  if (status !== one.status) found.push(`status ${status}, wanted ${one.status}`);
  for (const [path, text] of Object.entries(one.after))
    if (after[path] !== text)
      found.push(`${path}: ${JSON.stringify(after[path])}, wanted ${JSON.stringify(text)}`);
  for (const part of one.error_contains ?? []) {
    const text = result.text.toLowerCase();
    const plain = text.replaceAll('\\"', '"');
    if (!part.split("|").some((word) => plain.includes(word.toLowerCase())))
      found.push(`text lacks ${part}: ${result.text}`);
  }
  if (one.message !== undefined && result.message !== one.message)
    found.push(`message ${result.message}, wanted ${one.message}`);
  for (const [path, wanted] of Object.entries(one.per_file ?? {})) {
    const outcome = result.outcomes.find((entry) => entry.path === path);
    if (outcome?.status !== wanted) found.push(`${path} is ${outcome?.status}, wanted ${wanted}`);
  }
  for (const [path, wanted] of Object.entries(one.rejected_edits ?? {})) {
    const edits = result.outcomes.find((entry) => entry.path === path)?.edits;
    if (JSON.stringify(edits) !== JSON.stringify(wanted))
      found.push(`${path} edits ${JSON.stringify(edits)}`);
  }
  if (one.decoded !== undefined && one.decoded !== result.stringDecoded)
    found.push(`decoded ${result.stringDecoded}`);
  return found;
}

function runCommits(path: string): void {
  if (!existsSync(path)) return;
  for (const line of gunzipSync(readFileSync(path)).toString("utf8").split("\n")) {
    if (line === "") continue;
    const commit = JSON.parse(line) as {
      readonly id: string;
      readonly before: Readonly<Record<string, string>>;
      readonly after: Readonly<Record<string, string | null>>;
      readonly edit_files: unknown;
    };
    if (commit.edit_files === null) continue;
    ran++;
    const result = applyEditFiles(
      new Map(Object.entries(commit.before)),
      { raw: JSON.stringify(commit.edit_files) },
      { isAbsolute: () => true },
    );
    const found: string[] = [];
    for (const [file, text] of Object.entries(commit.after))
      if (result.files.get(file) !== text)
        found.push(`${file} differs: ${result.text.slice(0, 300)}`);
    for (const outcome of result.outcomes)
      if (outcome.tolerance !== undefined)
        found.push(`${outcome.path} took ${outcome.tolerance.join(", ")}`);
    report(commit.id, found, "");
  }
}

function report(id: string, found: readonly string[], why: string): void {
  if (found.length === 0) return;
  differing++;
  console.log(`${id} ${why}\n  ${found.join("\n  ")}`);
}
