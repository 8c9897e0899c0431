/**
 * Runs the `edit`, `write` and `delete` cases of a folder of case files (SHARED_CASES) over a map in memory and
 * lists each difference. By hand: `SHARED_CASES=DIR node test/support/runSharedEdit.ts [FILE.json …]`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runReplaceCall, type Files } from "./replaceWorld.ts";

type Content = string | { readonly base64?: string; readonly content?: string } | null;
type Tree = Readonly<Record<string, Content>>;

interface SharedCase {
  readonly id: string;
  readonly tool: string;
  readonly why?: string;
  readonly before: Tree;
  readonly call: { readonly raw?: string } & Readonly<Record<string, unknown>>;
  readonly after?: Tree;
  readonly status?: string;
  readonly error_contains?: readonly string[];
  readonly also_ok?: readonly { readonly status: string; readonly after: Tree | "UNCHANGED" }[];
  readonly ideal?: Tree | "error";
  readonly alts?: readonly (Tree | "error")[];
}

const FILES = ["patch-and-edit", "patch-and-edit-extra", "edit-peers", "reported-bugs"];

const folder = process.env["SHARED_CASES"];
if (folder === undefined) throw new Error("set SHARED_CASES to a folder of case files");
const names = process.argv.length > 2 ? process.argv.slice(2) : FILES.map((name) => `${name}.json`);
let ran = 0;
let failed = 0;
for (const name of names) {
  const parsed = JSON.parse(await readFile(join(folder, name), "utf8")) as
    SharedCase[] | { cases: SharedCase[] };
  const cases = Array.isArray(parsed) ? parsed : parsed.cases;
  for (const one of cases) {
    if (!["edit", "write", "delete"].includes(one.tool)) continue;
    ran++;
    const difference = await check(one);
    if (difference === null) continue;
    failed++;
    console.log(`${name} ${one.id}: ${difference}`);
  }
}
console.log(`${ran} cases, ${failed} different`);

async function check(one: SharedCase): Promise<string | null> {
  const files: Files = new Map();
  for (const [path, content] of Object.entries(one.before)) {
    const bytes = bytesOf(content);
    if (bytes !== null) files.set(path, bytes);
  }
  const tool = one.tool as "edit" | "write" | "delete";
  const { raw } = one.call;
  const arrived = raw === undefined ? { input: one.call } : { raw };
  const reply = await runReplaceCall(files, { tool, ...arrived });
  const matches = (status: string, after: Tree | "UNCHANGED" | undefined): boolean =>
    (status === "applied") === reply.applied &&
    sameTree(files, after === undefined || after === "UNCHANGED" ? one.before : after);
  if (one.ideal !== undefined) {
    const good = [one.ideal, ...(one.alts ?? [])].some((result) =>
      result === "error" ? matches("rejected", one.before) : matches("applied", result),
    );
    const isIdeal =
      one.ideal === "error" ? matches("rejected", one.before) : matches("applied", one.ideal);
    if (!good) return `wrong: ${show(files)} ${reply.text}`;
    return isIdeal ? null : `acceptable, not ideal: ${reply.text.split("\n")[0]}`;
  }
  const status = one.status ?? "applied";
  const others = one.also_ok ?? [];
  if (!matches(status, one.after) && !others.some((other) => matches(other.status, other.after)))
    return `wrong: ${show(files)} ${reply.text}`;
  if (reply.applied) return null;
  const missing = (one.error_contains ?? []).filter(
    (words) =>
      !words.split("|").some((word) => reply.text.toLowerCase().includes(word.toLowerCase())),
  );
  return missing.length === 0 ? null : `text lacks ${JSON.stringify(missing)}: ${reply.text}`;
}

function sameTree(files: Files, tree: Tree): boolean {
  const wanted = Object.entries(tree).filter(([, content]) => content !== null);
  return (
    wanted.length === files.size &&
    wanted.every(([path, content]) => {
      const bytes = bytesOf(content);
      const present = files.get(path);
      return bytes !== null && present !== undefined && Buffer.compare(bytes, present) === 0;
    })
  );
}

function bytesOf(content: Content): Uint8Array | null {
  if (content === null) return null;
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content.base64 !== undefined) return new Uint8Array(Buffer.from(content.base64, "base64"));
  return new TextEncoder().encode(content.content ?? "");
}

function show(files: Files): string {
  return JSON.stringify(
    Object.fromEntries(
      [...files].map(([path, bytes]) => [
        path,
        Buffer.from(bytes).toString("latin1").slice(0, 200),
      ]),
    ),
  );
}
