import { describe, expect, test } from "vitest";
import { parsePermissionRules, toolOffered } from "../../../src/app/permissionRules.ts";
import { judgeFile } from "../../../src/app/permissions.ts";
import { fileAt, ROOTS } from "./files.ts";

type Effect = "allow" | "ask" | "deny";

/** Every permission example and fallback rule of the guide: setting, then what each tool may do. */
const GUIDE: readonly { says: string; setting: object; edit: Effect; apply_patch: Effect }[] = [
  { says: "edit: allow", setting: { edit: "allow" }, edit: "allow", apply_patch: "allow" },
  {
    says: "edit: allow, apply_patch: deny",
    setting: { edit: "allow", apply_patch: "deny" },
    edit: "allow",
    apply_patch: "deny",
  },
  {
    says: "apply_patch: allow, edit: deny",
    setting: { apply_patch: "allow", edit: "deny" },
    edit: "deny",
    apply_patch: "allow",
  },
  {
    says: "*: deny, apply_patch: allow",
    setting: { "*": "deny", apply_patch: "allow" },
    edit: "allow",
    apply_patch: "allow",
  },
  {
    says: "*: allow, apply_patch: deny",
    setting: { "*": "allow", apply_patch: "deny" },
    edit: "deny",
    apply_patch: "deny",
  },
  { says: "only edit, ask", setting: { edit: "ask" }, edit: "ask", apply_patch: "ask" },
  { says: "only edit, deny", setting: { edit: "deny" }, edit: "deny", apply_patch: "deny" },
  {
    says: "only apply_patch, ask",
    setting: { apply_patch: "ask" },
    edit: "ask",
    apply_patch: "ask",
  },
  {
    says: "the wildcard after the family rule does not override it",
    setting: { apply_patch: "allow", "*": "deny" },
    edit: "allow",
    apply_patch: "allow",
  },
  { says: "patch is an alias", setting: { patch: "deny" }, edit: "deny", apply_patch: "deny" },
  {
    says: "both, through the alias",
    setting: { edit: "allow", patch: "deny" },
    edit: "allow",
    apply_patch: "deny",
  },
  { says: "nothing set", setting: {}, edit: "allow", apply_patch: "allow" },
];

describe("the guide's permission examples", () => {
  test.each(GUIDE)("$says", ({ setting, edit, apply_patch }) => {
    const rules = parsePermissionRules(setting);
    const verdict = (tool: string): Effect =>
      judgeFile(rules, ROOTS, { file: fileAt("src/main.go"), use: "edit", tool });
    expect(rules.problems).toEqual([]);
    expect({ edit: verdict("edit"), apply_patch: verdict("apply_patch") }).toEqual({
      edit,
      apply_patch,
    });
    // edit_files belongs to the edit side.
    expect(verdict("edit_files")).toBe(edit);
    expect(toolOffered("edit", rules)).toBe(edit !== "deny");
    expect(toolOffered("edit_files", rules)).toBe(edit !== "deny");
    expect(toolOffered("apply_patch", rules)).toBe(apply_patch !== "deny");
  });
});

describe("which rule decides", () => {
  const cases: readonly {
    says: string;
    setting: unknown;
    tool: string;
    use?: "edit" | "create" | "delete";
    path: string;
    is: Effect;
  }[] = [
    {
      says: "the last pattern that fits",
      setting: { edit: { "*": "deny", "src/**": "allow" } },
      tool: "edit",
      path: "src/a.ts",
      is: "allow",
    },
    {
      says: "the last pattern that fits, other order",
      setting: { edit: { "src/**": "allow", "*": "deny" } },
      tool: "edit",
      path: "src/a.ts",
      is: "deny",
    },
    {
      says: "an own path rule that does not fit falls through to the counterpart",
      setting: { edit: { "docs/**": "deny" }, apply_patch: "ask" },
      tool: "edit",
      path: "src/a.ts",
      is: "ask",
    },
    {
      says: "then to the wildcard",
      setting: { "*": "ask", edit: { "docs/**": "deny" } },
      tool: "apply_patch",
      path: "src/a.ts",
      is: "ask",
    },
    {
      says: "edit_files has its own rule first",
      setting: { edit_files: "deny", edit: "allow" },
      tool: "edit_files",
      path: "a.ts",
      is: "deny",
    },
    {
      says: "edit_files alone speaks for edit",
      setting: { edit_files: "deny" },
      tool: "edit",
      path: "a.ts",
      is: "deny",
    },
    {
      says: "edit_files alone speaks for apply_patch",
      setting: { edit_files: "deny" },
      tool: "apply_patch",
      path: "a.ts",
      is: "deny",
    },
    {
      says: "wildcard holds for write",
      setting: { "*": "deny" },
      tool: "write",
      path: "a.ts",
      is: "deny",
    },
    {
      says: "write goes by its own rule",
      setting: { edit: "deny", write: "allow" },
      tool: "write",
      path: "a.ts",
      is: "allow",
    },
    {
      says: "a blanket edit rule is not one for write",
      setting: { edit: "deny" },
      tool: "write",
      path: "a.ts",
      is: "allow",
    },
    {
      says: "a path kept from edit is kept from write",
      setting: { edit: { "protected.md": "deny" } },
      tool: "write",
      path: "protected.md",
      is: "deny",
    },
    {
      says: "and from delete",
      setting: { edit: { "protected.md": "deny" } },
      tool: "delete",
      use: "delete",
      path: "protected.md",
      is: "deny",
    },
    {
      says: "unless write says otherwise",
      setting: { edit: { "protected.md": "deny" }, write: { "protected.md": "allow" } },
      tool: "write",
      path: "protected.md",
      is: "allow",
    },
    {
      says: "a write rule tightens Add",
      setting: { edit: "allow", write: "deny" },
      tool: "apply_patch",
      use: "create",
      path: "new.md",
      is: "deny",
    },
    {
      says: "but not Update",
      setting: { edit: "allow", write: "deny" },
      tool: "apply_patch",
      path: "a.md",
      is: "allow",
    },
    {
      says: "it never loosens",
      setting: { edit: "deny", write: "allow" },
      tool: "apply_patch",
      use: "create",
      path: "new.md",
      is: "deny",
    },
    {
      says: "a delete rule tightens Delete and the source of a Move",
      setting: { edit: "allow", delete: "ask" },
      tool: "apply_patch",
      use: "delete",
      path: "a.md",
      is: "ask",
    },
    {
      says: "a wildcard is no explicit write rule",
      setting: { "*": "deny", edit: "allow" },
      tool: "apply_patch",
      use: "create",
      path: "a.md",
      is: "allow",
    },
    {
      says: "a star crosses slashes",
      setting: { edit: { "secret/*": "deny" } },
      tool: "edit",
      path: "secret/deep/x",
      is: "deny",
    },
    {
      says: "a rule written with ./",
      setting: { edit: { "./secret/*": "deny" } },
      tool: "edit",
      path: "secret/x",
      is: "deny",
    },
    {
      says: "a rule written with backslashes",
      setting: { edit: { "secret\\*": "deny" } },
      tool: "edit",
      path: "secret/x",
      is: "deny",
    },
    {
      says: "a folder with its slash",
      setting: { edit: { "secret/": "deny" } },
      tool: "edit",
      path: "secret/x",
      is: "deny",
    },
    {
      says: "two stars stand for no folder too",
      setting: { edit: { "src/**/gen.ts": "deny" } },
      tool: "edit",
      path: "src/gen.ts",
      is: "deny",
    },
    {
      says: "braces",
      setting: { edit: { "*.{lock,snap}": "deny" } },
      tool: "edit",
      path: "a/b.snap",
      is: "deny",
    },
    {
      says: "a set",
      setting: { edit: { "v[0-9].ts": "deny" } },
      tool: "edit",
      path: "v7.ts",
      is: "deny",
    },
    {
      says: "a folder whose name has brackets",
      setting: { edit: { "app/[id]/**": "deny" } },
      tool: "edit",
      path: "app/[id]/page.tsx",
      is: "deny",
    },
    {
      says: "a bare name at any depth",
      setting: { edit: { "protected.md": "deny" } },
      tool: "edit",
      path: "docs/protected.md",
      is: "deny",
    },
    {
      says: "a name is not its prefix",
      setting: { edit: { "protected.md": "deny" } },
      tool: "edit",
      path: "protected.mdx",
      is: "allow",
    },
    {
      says: "allow fits the exact case only",
      setting: { "*": "ask", edit: { "src/**": "allow" } },
      tool: "edit",
      path: "SRC/a.ts",
      is: "ask",
    },
    {
      says: "the whole setting as one word",
      setting: "ask",
      tool: "edit_files",
      path: "a.ts",
      is: "ask",
    },
  ];
  test.each(cases)("$says", ({ setting, tool, use = "edit", path, is }) => {
    const rules = parsePermissionRules(setting);
    expect(rules.problems).toEqual([]);
    expect(judgeFile(rules, ROOTS, { file: fileAt(path), use, tool })).toBe(is);
  });

  test("letters that share a capital are one letter to a rule", () => {
    const rules = parsePermissionRules({ edit: { "init.md": "deny" } });
    for (const path of ["ınıt.md", "INIT.md", "ＩＮＩＴ.md"])
      expect(judgeFile(rules, ROOTS, { file: fileAt(path), use: "edit", tool: "edit" }), path).toBe(
        "deny",
      );
  });
  test("a denied file is denied to every tool and every operation on it", () => {
    const rules = parsePermissionRules({ edit: { "protected.md": "deny" } });
    const file = fileAt("protected.md");
    for (const tool of ["edit", "edit_files", "apply_patch", "write", "delete"])
      for (const use of ["edit", "create", "delete"] as const)
        expect(judgeFile(rules, ROOTS, { file, use, tool }), `${tool} ${use}`).toBe("deny");
  });

  test("a deny for some paths only leaves the tool offered", () => {
    expect(
      toolOffered("edit", parsePermissionRules({ edit: { "*": "deny", "docs/**": "allow" } })),
    ).toBe(true);
    expect(toolOffered("edit", parsePermissionRules({ edit: { "docs/**": "deny" } }))).toBe(true);
    expect(
      toolOffered("edit", parsePermissionRules({ edit: { "docs/**": "deny" }, "*": "deny" })),
    ).toBe(false);
    expect(
      toolOffered("edit", parsePermissionRules({ edit: { "docs/**": "ask" }, "*": "deny" })),
    ).toBe(true);
    expect(toolOffered("write", parsePermissionRules({ edit: "deny" }))).toBe(true);
    expect(toolOffered("write", parsePermissionRules({ "*": "deny" }))).toBe(false);
    expect(toolOffered("patch", parsePermissionRules({ apply_patch: "deny" }))).toBe(false);
  });
});

describe("sensitive paths ask by default", () => {
  const rules = parsePermissionRules(undefined);
  const verdict = (path: string): Effect =>
    judgeFile(rules, ROOTS, { file: fileAt(path), use: "edit", tool: "edit_files" });
  test.each([
    ".git/config",
    ".git",
    "sub/.git/hooks/pre-commit",
    "git~1/config",
    ".vscode/settings.json",
    "pkg/.vscode/tasks.json",
    "team.code-workspace",
    ".env",
    ".env.local",
    "pkg/.envrc",
    "certs/server.pem",
    "certs/server.key",
    "id_rsa",
    "keys/id_ed25519.pub",
    ".ssh/config",
    ".npmrc",
    "/etc/hosts",
    "../elsewhere/a.ts",
    "~/.bashrc",
  ])("%s asks", (path) => {
    expect(verdict(path)).toBe("ask");
  });
  test.each([
    "src/a.ts",
    "environment.ts",
    "gitignore",
    ".gitignore",
    "docs/env.md",
    "a b/ü.ts",
    "src/说明。md",
    "~$draft.docx",
  ])("%s is allowed", (path) => {
    expect(verdict(path)).toBe("allow");
  });
  test("a blanket allow does not open them", () => {
    const blanket = parsePermissionRules({ "*": "allow", edit: "allow" });
    for (const path of [".git/config", ".env", "/etc/hosts", "x.pem"])
      expect(
        judgeFile(blanket, ROOTS, { file: fileAt(path), use: "edit", tool: "edit" }),
        path,
      ).toBe("ask");
  });
  test("nor does a rule for the folder around them", () => {
    const around = parsePermissionRules({ edit: { "src/**": "allow" } });
    expect(judgeFile(around, ROOTS, { file: fileAt("src/.env"), use: "edit", tool: "edit" })).toBe(
      "ask",
    );
  });
  test("a rule that names them does", () => {
    const named = parsePermissionRules({
      edit: { ".env.example": "allow", "/srv/shared/**": "allow" },
    });
    expect(
      judgeFile(named, ROOTS, { file: fileAt(".env.example"), use: "edit", tool: "edit" }),
    ).toBe("allow");
    expect(judgeFile(named, ROOTS, { file: fileAt(".env"), use: "edit", tool: "edit" })).toBe(
      "ask",
    );
    expect(
      judgeFile(named, ROOTS, { file: fileAt("/srv/shared/a"), use: "edit", tool: "edit" }),
    ).toBe("allow");
  });
});
