import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFolderRunner } from "../../../src/adapters/node/cliRunner.ts";
import { parsePermissionRules } from "../../../src/app/permissionRules.ts";
import { judgeFile } from "../../../src/app/permissions.ts";
import type { FileRef } from "../../../src/app/ports.ts";
import type { WorkspaceRoot } from "../../../src/app/pathSpellings.ts";

/** One secret file, one rule, and every spelling that might reach the file past the rule. */
const RULES = parsePermissionRules({ "*": "allow", edit: { "secret/plan.md": "deny" } });

/** Must be denied: each of them is, on some system, a name of secret/plan.md. `@` stands for the workspace folder. */
const NAMES: readonly string[] = [
  "secret/plan.md",
  "./secret/plan.md",
  "././secret/./plan.md",
  "secret//plan.md",
  "secret///plan.md/",
  "src/../secret/plan.md",
  "src/../../@name/secret/plan.md",
  "src/.. /secret/plan.md",
  "src/. ./secret/plan.md",
  "@/secret/plan.md",
  "@//secret/plan.md",
  "/@/secret/plan.md",
  "@/src/../secret/plan.md",
  "secret\\plan.md",
  "src\\..\\secret\\plan.md",
  ".\\secret/plan.md",
  "SECRET/plan.md",
  "Secret/Plan.MD",
  "secret/PLAN.md",
  "ſecret/plan.md",
  "secret/plan.md.",
  "secret/plan.md ",
  "secret/plan.md. . .",
  "secret./plan.md",
  "secret /plan.md",
  "secret/plan.md::$DATA",
  "secret/plan.md:hidden",
  "secret/plan.md:hidden:$DATA",
  "secret∕plan.md",
  "secret⁄plan.md",
  "secret／plan.md",
  "secret⧸plan.md",
  "secret＼plan.md",
  "secret∖plan.md",
  "secret/plan．md",
  "secret/plan․md",
  "src/․․/secret/plan.md",
  "src/‥/secret/plan.md",
  "ｓｅｃｒｅｔ/plan.md",
  "sec\u200bret/plan.md",
  "sec\u00adret/plan.md",
  "secret/\u202eplan.md",
  "secret/plan\ufe0f.md",
  "\ufeffsecret/plan.md",
  "secret%2Fplan.md",
  "secret%252fplan.md",
  "%73ecret/plan.md",
  "src/%2e%2e/secret/plan.md",
  "src/%2e%2e%5csecret%5cplan.md",
  "file:secret/plan.md",
  "file://@/secret/plan.md",
  "file://localhost@/secret/plan.md",
  "FILE://@/secret%2Fplan.md",
  "vscode-remote://ssh-remote+box@/secret/plan.md",
  "C:@/secret/plan.md",
  "c:secret/plan.md",
  "C:\\@back\\secret\\plan.md",
  "/C:@/secret/plan.md",
  "\\\\?\\C:@/secret/plan.md",
  "//?/C:@/secret/plan.md",
  "\\\\.\\C:@/secret/plan.md",
  "\\\\?\\GLOBALROOT\\C:@/secret/plan.md",
  "\\\\localhost\\C$@/secret/plan.md",
  "\\\\?\\UNC\\localhost\\C$@/secret/plan.md",
  "links/toFile",
  "links/toFolder/plan.md",
  "links/chain/plan.md",
  "links/toFolder/../toFolder/plan.md",
  "LINKS/../secret/plan.md",
  "secret::$INDEX_ALLOCATION/plan.md",
  "secret:$I30:$INDEX_ALLOCATION/plan.md",
  "/proc/self/root@/secret/plan.md",
  "/dev/fd/../..@/secret/plan.md",
  "secret/plan.md/.",
  "secret/./../secret/plan.md",
  "nowhere/../secret/plan.md",
  "links/toFolder/./PLAN.MD",
  "SECRET%2FPLAN%2EMD",
  "secret%c0%afplan.md",
  "secret%5Cplan.md",
  "secret/plan%E2%80%A4md",
  "secret\u2215plan\uff0emd",
  "ｓecret／plan．md",
  "secret/plan.md\u0000",
  "secret\u0000/plan.md",
  "secret/plan.md\t",
  "c:\\..\\@back\\secret\\plan.md",
  "file:\\\\\\@back\\secret\\plan.md",
  "file:///@/secret/plan.md",
  "vscode-vfs://github@/secret/plan.md",
];

/** May not be allowed: what they reach cannot be told from here, so a person is asked at least. */
const OUTSIDE: readonly string[] = [
  "../other/plan.md",
  "src/../../other/plan.md",
  "~/secret/plan.md",
  "~root/secret/plan.md",
  "~",
  "/etc/passwd",
  "/dev/stdin",
  "/proc/self/fd/0",
  "/proc/self/cwd/secret/plan.md",
  "\\\\server\\share\\secret\\plan.md",
  "//server/share/plan.md",
  "\\\\.\\PhysicalDrive0",
  "\\\\?\\Volume{b75e2c83-0000-0000-0000-602f00000000}\\plan.md",
  "D:\\other\\plan.md",
  "SECRET~1/PLAN.MD",
  "secret/PLAN~1.MD",
  "%2e%2e/other/plan.md",
  "..\\other\\plan.md",
  "．．/other/plan.md",
  "links/out/plan.md",
  "file:///etc/passwd",
  "@2/secret/plan.md",
];

let base = "";
let roots: readonly WorkspaceRoot[] = [];

beforeAll(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), "permission-")));
  const root = path.join(base, "w");
  await mkdir(path.join(root, "secret"), { recursive: true });
  await mkdir(path.join(root, "src"));
  await mkdir(path.join(root, "links"));
  await mkdir(path.join(base, "other"));
  await writeFile(path.join(root, "secret/plan.md"), "the plan\n");
  await writeFile(path.join(base, "other/plan.md"), "another plan\n");
  await writeFile(path.join(root, "src/own.md"), "own\n");
  await symlink("../secret/plan.md", path.join(root, "links/toFile"));
  await symlink("../secret", path.join(root, "links/toFolder"));
  await symlink("toFolder", path.join(root, "links/chain"));
  await symlink("../../other", path.join(root, "links/out"));
  roots = [{ path: root, real: root }];
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

/** The file as a POSIX host finds it: links followed, also of the deepest parent that exists. */
async function found(asked: string): Promise<FileRef> {
  const absolute = path.resolve(roots[0]!.path, asked);
  let existing = absolute;
  let tail = "";
  for (;;) {
    try {
      const real = path.join(await realpath(existing), tail);
      return { asked, absolute, real, shown: asked };
    } catch {
      tail = path.join(path.basename(existing), tail);
      existing = path.dirname(existing);
    }
  }
}

function patchOf(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function written(name: string): string {
  const root = roots[0]!.path;
  return name
    .replaceAll("@name", "w")
    .replaceAll("@back", root.slice(1).replaceAll("/", "\\"))
    .replaceAll("@", root);
}

describe("ways around a path rule", () => {
  test("there are far more than forty of them, each another one", () => {
    expect(new Set(NAMES.map(written)).size).toBe(NAMES.length);
    expect(NAMES.length).toBeGreaterThan(80);
  });
  test("none of them gets a byte into the file, by any tool, on a real disk", async () => {
    const root = roots[0]!.path;
    const rules = parsePermissionRules({ "*": "allow", edit: { "secret/plan.md": "deny" } });
    const before = await readdir(base, { recursive: true });
    for (const name of [...NAMES, ...OUTSIDE].map(written)) {
      const { runner } = createFolderRunner(root, rules);
      for (const [tool, input] of [
        ["edit", { path: name, old_string: "the plan", new_string: "mine" }],
        ["edit_files", { edits: [{ path: name, old_text: "the plan", new_text: "mine" }] }],
        ["write", { path: name, content: "mine\n" }],
        ["delete", { path: name }],
        ["apply_patch", { patch: patchOf(`*** Delete File: ${name}`) }],
        ["apply_patch", { patch: patchOf(`*** Add File: ${name}`, "+mine") }],
        ["apply_patch", { patch: patchOf("*** Update File: src/own.md", `*** Move to: ${name}`) }],
      ] as const) {
        const { structured } = await runner.execute({ tool, input, session: "s", source: "test" });
        expect(structured.status, `${tool} ${JSON.stringify(name)}`).toBe("error");
      }
    }
    expect(await readFile(path.join(root, "secret/plan.md"), "utf8")).toBe("the plan\n");
    expect(await readFile(path.join(base, "other/plan.md"), "utf8")).toBe("another plan\n");
    expect(await readdir(base, { recursive: true })).toEqual(before);
  });
  test.each(NAMES)("%s is denied", async (name) => {
    const file = await found(written(name));
    for (const tool of ["edit", "edit_files", "apply_patch", "write", "delete"])
      expect(judgeFile(RULES, roots, { file, use: "edit", tool }), tool).toBe("deny");
  });
  test.each(OUTSIDE)("%s is not allowed", async (name) => {
    const file = await found(written(name));
    expect(judgeFile(RULES, roots, { file, use: "edit", tool: "edit_files" })).not.toBe("allow");
  });
  test("an allow rule does not reach further than its own spelling", async () => {
    const open = parsePermissionRules({ "*": "deny", edit: { "src/**": "allow" } });
    const file = await found("src/a.ts");
    expect(judgeFile(open, roots, { file, use: "edit", tool: "edit" })).toBe("allow");
    for (const name of [
      "src/../secret/plan.md",
      "SRC/a.ts",
      "src\\..\\secret\\plan.md",
      "links/out/src/a.ts",
      "src/%2e%2e/b.ts",
    ])
      expect(
        judgeFile(open, roots, { file: await found(name), use: "edit", tool: "edit" }),
        name,
      ).toBe("deny");
  });
  test("a link from an allowed folder into a denied one is denied, and the other way round too", () => {
    const file = {
      asked: "links/toFolder/plan.md",
      absolute: `${roots[0]!.path}/links/toFolder/plan.md`,
      real: `${roots[0]!.path}/secret/plan.md`,
      shown: "links/toFolder/plan.md",
    };
    const byTarget = parsePermissionRules({ edit: { "secret/**": "deny" } });
    const byName = parsePermissionRules({ edit: { "links/**": "deny" } });
    expect(judgeFile(byTarget, roots, { file, use: "edit", tool: "edit" })).toBe("deny");
    expect(judgeFile(byName, roots, { file, use: "edit", tool: "edit" })).toBe("deny");
  });
});
