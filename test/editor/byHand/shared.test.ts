// External cases and real commits through the extension in the editor, not part of `npm test`:
//   SHARED_CASES=<folder> node test/harness/runEditorTests.ts --suites test/editor/byHand
import { strict as assert } from "node:assert";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { newSession } from "../../harness/extension.ts";
import { editorFiles, type EditorFiles } from "../../support/editorFiles.ts";

const COMMITS = 40;
const CASES_MAX = 60;
const TOPICS = ["enc", "eol", "eof", "uni", "dol", "esc", "ws"];

type Content = string | { readonly base64: string } | null;
type Tree = Readonly<Record<string, Content>>;

interface Commit {
  readonly id: string;
  readonly before: Tree;
  readonly after: Tree;
  readonly patch: string;
  readonly edit_files: { readonly edits: readonly { readonly path: string }[] } | null;
}

interface Case {
  readonly id: string;
  readonly tool: string;
  readonly before: Tree;
  readonly after: Tree;
  readonly call: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly also_ok?: readonly { readonly status: string; readonly after: Tree | "UNCHANGED" }[];
}

describe("external cases in the editor", () => {
  const folder = process.env["SHARED_CASES"] ?? "";
  let files: EditorFiles;
  before(() => assert.notEqual(folder, "", "SHARED_CASES names a folder with cases/ and corpus/"));
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());

  const commits = (): readonly Commit[] =>
    gunzipSync(readFileSync(join(folder, "corpus/commits.jsonl.gz")))
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Commit);
  /** Spread over the whole list, so that every project of it has its say. */
  const some = <T>(list: readonly T[], count: number): readonly T[] =>
    list.filter(
      (_, i) =>
        Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length),
    );
  const put = (under: string, tree: Tree): void => {
    for (const [name, content] of Object.entries(tree))
      if (content !== null) files.write(`${under}/${plain(name)}`, bytesOf(content));
  };
  const differences = (under: string, wanted: Tree): readonly string[] => {
    const found = new Map(
      allFiles(files.path(under)).map((path) => [relative(files.path(under), path), path]),
    );
    const out: string[] = [];
    for (const [name, content] of Object.entries(wanted)) {
      const path = found.get(plain(name));
      found.delete(plain(name));
      if (content === null ? path !== undefined : path === undefined)
        out.push(`${name} ${content === null ? "is there" : "is missing"}`);
      else if (
        content !== null &&
        path !== undefined &&
        !readFileSync(path).equals(bytesOf(content))
      )
        out.push(`${name} is ${JSON.stringify(readFileSync(path).toString())}`);
    }
    return [...out, ...[...found.keys()].map((name) => `${name} is there`)];
  };

  it("edit_files of commits", async () => {
    const failures: string[] = [];
    const chosen = some(
      commits().filter((commit) => commit.edit_files !== null),
      COMMITS,
    );
    for (const [i, { id, before, after, edit_files }] of chosen.entries()) {
      put(`e${i}`, before);
      const edits = edit_files?.edits.map((edit) => ({
        ...edit,
        path: files.path(`e${i}/${edit.path}`),
      }));
      const { execute } = await newSession();
      const { text } = await execute("edit_files", { edits });
      // What the flat list cannot do (add, delete, move) is not in these calls.
      const reachable = Object.fromEntries(
        Object.entries(before).map(([name, old]) => [name, after[name] ?? old]),
      );
      for (const line of differences(`e${i}`, reachable)) failures.push(`${id}: ${line}\n${text}`);
    }
    console.log(`edit_files: ${chosen.length} commits, ${failures.length} differ`);
    assert.deepEqual(failures, []);
  }).timeout(600_000);

  it("apply_patch of commits, first those that add, delete or move", async () => {
    const failures: string[] = [];
    const special = ({ patch }: Commit): boolean =>
      /^\*\*\* (Add File|Delete File|Move to):/m.test(patch);
    const all = commits();
    const first = all.filter(special);
    const chosen = [
      ...first,
      ...some(
        all.filter((one) => !special(one)),
        COMMITS - first.length,
      ),
    ];
    for (const [i, { id, before, after, patch }] of chosen.entries()) {
      put(`p${i}`, before);
      const { execute } = await newSession();
      const { text } = await execute("apply_patch", {
        patch: below(patch, `${basename(files.root)}/p${i}/`),
      });
      for (const line of differences(`p${i}`, { ...before, ...after }))
        failures.push(`${id}: ${line}\n${text}`);
    }
    console.log(
      `apply_patch: ${chosen.length} commits (${first.length} add, delete or move), ${failures.length} differ`,
    );
    assert.deepEqual(failures, []);
  }).timeout(600_000);

  it("reported faults about bytes", async () => {
    const failures: string[] = [];
    const all = JSON.parse(
      readFileSync(join(folder, "cases/reported-bugs.json"), "utf8"),
    ) as Case[];
    const about = (one: Case): boolean => TOPICS.some((topic) => one.id.startsWith(`${topic}-`));
    const chosen = [...all.filter(about), ...all.filter((one) => !about(one))].slice(0, CASES_MAX);
    for (const [i, one] of chosen.entries()) {
      put(`c${i}`, one.before);
      const { execute } = await newSession();
      const { structured, text } = await execute(one.tool, inFolder(one, files, `c${i}`));
      const status = structured.status === "error" ? "rejected" : structured.status;
      const also = (one.also_ok ?? []).map((other) => ({
        status: other.status,
        after: other.after === "UNCHANGED" ? one.before : other.after,
      }));
      const found = [one, ...also].map((way) => [
        ...(way.status === status ? [] : [`is ${status}, not ${way.status}`]),
        ...differences(`c${i}`, { ...nothing(one.before), ...way.after }),
      ]);
      if (!found.some((list) => list.length === 0))
        failures.push(`${one.id}: ${found[0]?.join("; ")}\n${text}`);
    }
    console.log(`reported faults: ${chosen.length} cases, ${failures.length} differ`);
    assert.deepEqual(failures, []);
  }).timeout(600_000);
});

function plain(name: string): string {
  return name.replace(/^\/w\//, "");
}

function bytesOf(content: NonNullable<Content>): Buffer {
  return typeof content === "string" ? Buffer.from(content) : Buffer.from(content.base64, "base64");
}

function nothing(tree: Tree): Tree {
  return Object.fromEntries(Object.keys(tree).map((name) => [name, null]));
}

/** The patch with its paths below a folder. */
function below(patch: string, folder: string): string {
  return patch.replace(
    /^(\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(?:\/w\/)?(\S)/gm,
    (_, head: string, path: string) => `${head}${folder}${path}`,
  );
}

function inFolder({ tool, call }: Case, files: EditorFiles, under: string): unknown {
  if (typeof call["patch"] === "string")
    return { ...call, patch: below(call["patch"], `${basename(files.root)}/${under}/`) };
  if (tool === "edit_files")
    return JSON.parse(JSON.stringify(call).replaceAll("/w/", `${files.path(under)}/`)) as unknown;
  return typeof call["path"] === "string"
    ? { ...call, path: files.path(`${under}/${plain(call["path"])}`) }
    : call;
}

function allFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
