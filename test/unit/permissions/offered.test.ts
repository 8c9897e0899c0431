import { describe, expect, test } from "vitest";
import { selectSurface } from "../../../src/agent/selectSurface.ts";
import { judgeFile } from "../../../src/app/permissions.ts";
import { parsePermissionRules, toolOffered } from "../../../src/app/permissionRules.ts";
import { offeredWhen } from "../../../src/build/manifest.ts";
import { fileAt, ROOTS } from "./files.ts";

const TOOLS = ["edit_files", "apply_patch", "edit", "write", "delete"];
const EFFECTS = [undefined, "allow", "ask", "deny"] as const;

type Setting = Record<string, unknown>;

/** Every setting of plain rules for the names that may speak for an editing tool, and for one that stands alone. */
function settings(names: readonly string[]): readonly Setting[] {
  return names.reduce<readonly Setting[]>(
    (all, name) =>
      all.flatMap((one) =>
        EFFECTS.map((effect) => (effect === undefined ? one : { ...one, [name]: effect })),
      ),
    [{}],
  );
}

/** The editor's reading of a when clause: context keys and settings by name, `!= 'x'`, `!`, `&&`, `||`, brackets. */
function holds(when: string, keys: Setting): boolean {
  const script = when.replace(/'[^']*'|!=|[\w.*]*\w\.[\w.*]+/g, (part) =>
    part === "!=" ? "!==" : part.startsWith("'") ? part : `keys[${JSON.stringify(part)}]`,
  );
  return Boolean(new Function("keys", `return ${script};`)(keys));
}

function keysOf(setting: Setting, more: Setting = {}): Setting {
  const switches = TOOLS.map((tool) => [`config.agentEditReview.tools.${tool}`, true] as const);
  const rules = Object.entries(setting).map(
    ([name, value]) => [`config.agentEditReview.permission.${name}`, value] as const,
  );
  return { ...Object.fromEntries([...switches, ...rules]), ...more };
}

describe("a denied tool is not offered", () => {
  test.each(TOOLS)("%s: by the editor alone, as by our own reading of plain rules", (tool) => {
    const all = settings(["edit", "edit_files", "apply_patch", "*", tool]);
    const wrong = all.filter(
      (setting) =>
        holds(offeredWhen(tool), keysOf(setting)) !==
        toolOffered(tool, parsePermissionRules(setting)),
    );
    expect(wrong).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(256);
  });

  test.each(TOOLS)("%s: by the context key and by its switch too", (tool) => {
    const when = offeredWhen(tool);
    expect(holds(when, keysOf({}))).toBe(true);
    expect(holds(when, keysOf({}, { [`agentEditReview.denied.${tool}`]: true }))).toBe(false);
    expect(holds(when, keysOf({}, { [`config.agentEditReview.tools.${tool}`]: false }))).toBe(
      false,
    );
    expect(holds(when, keysOf({ [tool]: { "docs/**": "deny" } }))).toBe(true);
  });

  test.each(TOOLS)("%s: exactly when a plain path is denied to it", (tool) => {
    for (const setting of settings(["edit", "edit_files", "apply_patch", "*", tool])) {
      const rules = parsePermissionRules(setting);
      const verdict = judgeFile(rules, ROOTS, { file: fileAt("src/a.ts"), use: "edit", tool });
      expect(toolOffered(tool, rules), JSON.stringify(setting)).toBe(verdict !== "deny");
    }
  });

  test("and the surface of a model holds no such tool", () => {
    for (const setting of settings(["edit", "edit_files", "apply_patch", "write", "*"])) {
      const rules = parsePermissionRules(setting);
      const offered = (tool: string): boolean => toolOffered(tool, rules);
      for (const model of ["gpt-5.2", "claude-opus-5"])
        for (const tool of selectSurface(model, { editTool: "edit_files", wire: "other" }, offered)
          .tools)
          expect(offered(tool), `${model} ${tool} ${JSON.stringify(setting)}`).toBe(true);
    }
  });
});
