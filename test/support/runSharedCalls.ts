/**
 * Runs external cases as whole calls (guard, hooks and bytes among them) and prints each difference:
 * `SHARED_CASES=<folder with cases/> node test/support/runSharedCalls.ts [FILE.json …]`. Ends with a count.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCallDriver, type CallDriver, type RanCall } from "./callDriver.ts";

type Content =
  | string
  | null
  | { readonly base64?: string; readonly content?: string; readonly symlink?: string };
type Tree = Readonly<Record<string, Content>>;

interface SharedCase {
  readonly id: string;
  readonly tool: string;
  readonly why: string;
  readonly before: Tree;
  readonly call: { readonly raw?: string } & Readonly<Record<string, unknown>>;
  readonly after: Tree;
  readonly status: string;
  readonly per_file?: Readonly<Record<string, string>>;
  readonly error_contains?: readonly string[];
  readonly result_contains?: readonly string[];
  readonly message?: string;
  readonly is_error?: boolean;
  readonly rejected_edits?: Readonly<Record<string, readonly number[]>>;
  readonly decoded?: boolean;
  readonly also_ok?: readonly { readonly status: string; readonly after: Tree | "UNCHANGED" }[];
  readonly sequence?: readonly {
    readonly call?: unknown;
    readonly write?: Tree;
    readonly status?: string;
  }[];
  readonly hook?: {
    readonly decision?: string;
    readonly reason?: string;
    readonly input_override?: unknown;
  };
  readonly hook_sees?: unknown;
  readonly stored_args?: unknown;
  readonly hook_rewritten?: boolean;
}

const TOOLS: ReadonlySet<string> = new Set([
  "edit_files",
  "edit",
  "write",
  "delete",
  "apply_patch",
]);
const STATUS = { applied: "applied", partial: "partial", error: "rejected" } as const;

const folder = process.env["SHARED_CASES"];
if (folder === undefined) throw new Error("set SHARED_CASES to a folder with cases/");
const names =
  process.argv.length > 2 ? process.argv.slice(2) : ["edit-files.json", "reported-bugs.json"];
let ran = 0;
let differing = 0;
for (const name of names) {
  const parsed = JSON.parse(readFileSync(join(folder, "cases", name), "utf8")) as
    readonly SharedCase[] | { readonly cases: readonly SharedCase[] };
  const cases = "cases" in parsed ? parsed.cases : parsed;
  for (const one of cases.filter(({ tool }) => TOOLS.has(tool))) {
    ran++;
    const found = await differences(one);
    if (found.length === 0) continue;
    differing++;
    console.log(`${name} ${one.id}: ${one.why}\n  ${found.join("\n  ")}`);
  }
}
console.log(`${ran} run, ${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;

async function differences(one: SharedCase): Promise<readonly string[]> {
  const driver = worldOf(one);
  const found: string[] = [];
  for (const step of one.sequence ?? []) {
    for (const [path, text] of Object.entries(step.write ?? {}))
      driver.workspace.put(path, bytesOf(text) ?? "");
    if (step.call === undefined) continue;
    const earlier = await driver.run(one.tool, step.call);
    const status = STATUS[earlier.structured.status];
    if (step.status !== undefined && step.status !== status)
      found.push(`an earlier call is ${status}, wanted ${step.status}`);
  }
  const asText = one.call.raw ?? JSON.stringify(one.call);
  const last = await driver.run(
    one.tool,
    one.tool === "apply_patch" ? (one.call.raw ?? one.call) : asText,
  );
  return [...found, ...resultDifferences(one, driver, last)];
}

function worldOf(one: SharedCase): CallDriver {
  const { hook } = one;
  const links = Object.entries(one.before).flatMap(([path, content]) =>
    typeof content === "object" && content?.symlink !== undefined
      ? [[path, content.symlink] as const]
      : [],
  );
  const files = Object.entries(one.before).flatMap(([path, content]) => {
    const bytes = bytesOf(content);
    return bytes === null ? [] : [[path, bytes] as const];
  });
  const driver = createCallDriver({
    root: "/w",
    files: Object.fromEntries(files),
    hook: ({ type }) => {
      if (type !== "pre_tool_use" || hook === undefined) return {};
      const { decision, reason, input_override } = hook;
      return {
        permission: { decision, ...(reason === undefined ? {} : { reason }) },
        ...(input_override === undefined ? {} : { input_override }),
      };
    },
  });
  for (const [path, target] of links) driver.workspace.link(path, target);
  return driver;
}

function resultDifferences(one: SharedCase, driver: CallDriver, last: RanCall): readonly string[] {
  const { structured, text, record } = last;
  const status = STATUS[structured.status];
  const others = one.also_ok ?? [];
  if (others.some((other) => other.status === status && sameTree(driver, one, other.after)))
    return [];
  const found: string[] = [];
  const wanted = (name: string, value: unknown, want: unknown): void => {
    if (want === undefined || JSON.stringify(value) === JSON.stringify(want)) return;
    found.push(`${name} ${JSON.stringify(value)}, wanted ${JSON.stringify(want)}`);
  };
  wanted("status", status, one.status);
  if (!sameTree(driver, one, one.after))
    found.push(`files ${JSON.stringify(driver.workspace.contents())}`);
  const plain = text.replaceAll('\\"', '"').toLowerCase();
  for (const part of [...(one.error_contains ?? []), ...(one.result_contains ?? [])])
    if (!part.split("|").some((word) => plain.includes(word.toLowerCase())))
      found.push(`text lacks ${JSON.stringify(part)}: ${text}`);
  wanted("message", structured.message, one.message);
  wanted("isError", last.isError, one.is_error);
  const outcome = (path: string) => structured.files.find((file) => file.path === path);
  for (const [path, want] of Object.entries(one.per_file ?? {}))
    wanted(path, outcome(path)?.status, want);
  for (const [path, want] of Object.entries(one.rejected_edits ?? {}))
    wanted(`${path} edits`, outcome(path)?.edits, want);
  wanted("decoded", record?.flags.includes("string-decoded"), one.decoded);
  wanted("rewritten", record?.flags.includes("hook-rewritten"), one.hook_rewritten);
  wanted("stored", record?.args, one.stored_args);
  if (one.hook_sees !== undefined)
    wanted("hook saw", driver.hooked.at(-1)?.data.tool_input, one.hook_sees);
  if (driver.bugs.length > 0) found.push(`bugs: ${driver.bugs.map(String).join(", ")}`);
  return found;
}

function sameTree(driver: CallDriver, one: SharedCase, tree: Tree | "UNCHANGED"): boolean {
  const wanted = Object.entries(tree === "UNCHANGED" ? one.before : tree);
  const files = wanted.flatMap(([path, content]) => {
    const bytes = bytesOf(content);
    return bytes === null ? [] : [[path, bytes] as const];
  });
  const { workspace } = driver;
  return (
    files.length === Object.keys(workspace.contents()).length &&
    files.every(([path, bytes]) => {
      const present = workspace.bytes(path);
      return present !== undefined && Buffer.compare(present, bytes) === 0;
    })
  );
}

function bytesOf(content: Content): Uint8Array | null {
  if (content === null) return null;
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content.symlink !== undefined) return null;
  if (content.base64 !== undefined) return new Uint8Array(Buffer.from(content.base64, "base64"));
  return new TextEncoder().encode(content.content ?? "");
}
