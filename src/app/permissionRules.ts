import { parseGlob, type PathGlob } from "./pathGlob.ts";
import type { Spelling } from "./pathSpellings.ts";
import type { FileUse } from "./ports.ts";
import { sensitivityOf } from "./sensitivePaths.ts";

export type Effect = "allow" | "ask" | "deny";

/** One line of the setting. Order matters: of the rules that fit, the last one counts. */
export interface PermissionRule {
  /** Formal tool name, or `*`. */
  readonly tool: string;
  readonly glob: PathGlob;
  readonly effect: Effect;
}

export interface PermissionRules {
  readonly rules: readonly PermissionRule[];
  /** What is left of lines that could not be read as written. They can only make a verdict stricter. */
  readonly floors: readonly PermissionRule[];
  /** One sentence for each line that could not be read as written. */
  readonly problems: readonly string[];
}

export const NO_RULES: PermissionRules = { rules: [], floors: [], problems: [] };

/**
 * Whose rules speak for a tool, in order: its own, then those of the tools that edit the same files. `write` and
 * `delete` stand for themselves.
 */
const LOOKUP: Readonly<Record<string, readonly string[]>> = {
  edit: ["edit", "edit_files", "apply_patch"],
  edit_files: ["edit_files", "edit", "apply_patch"],
  apply_patch: ["apply_patch", "edit", "edit_files"],
  write: ["write"],
  delete: ["delete"],
};
const EDIT_FAMILY = ["edit", "edit_files", "apply_patch"];

/** Formal name of a tool as a setting may write it. */
export function formalTool(name: string): string {
  const trimmed = name.trim();
  return trimmed === "patch" ? "apply_patch" : trimmed;
}

export function isKnownTool(name: string): boolean {
  return Object.hasOwn(LOOKUP, name);
}

/** deny > ask > allow; `allow` when nothing is given. */
export function strictest(effects: readonly Effect[]): Effect {
  if (effects.includes("deny")) return "deny";
  return effects.includes("ask") ? "ask" : "allow";
}

/**
 * The setting `agentEditReview.permission`: tool (or `*`) to allow, ask or deny, or to a map of path patterns to
 * those. A line that cannot be read is named in `problems` and never loosens anything: an `allow` is dropped, an
 * `ask` or `deny` with an unreadable tool or pattern asks about everything it may have meant.
 */
export function parsePermissionRules(setting: unknown): PermissionRules {
  if (setting === undefined || setting === null) return NO_RULES;
  const read = ruleReader();
  if (typeof setting === "string") read.line("*", "*", setting);
  else if (typeof setting !== "object" || Array.isArray(setting))
    read.unreadable("the whole setting must be an object of tools", "*");
  else
    for (const [tool, value] of Object.entries<unknown>({ ...setting })) {
      if (typeof value === "string") read.line(tool, "*", value);
      else if (typeof value !== "object" || value === null || Array.isArray(value))
        read.unreadable(`"${tool}" must be allow, ask, deny or an object of path patterns`, tool);
      else for (const [glob, effect] of Object.entries({ ...value })) read.line(tool, glob, effect);
    }
  return read.result;
}

function ruleReader(): {
  readonly result: PermissionRules;
  line(written: string, pattern: string, effect: unknown): void;
  unreadable(problem: string, written: string): void;
} {
  const rules: PermissionRule[] = [];
  const floors: PermissionRule[] = [];
  const problems: string[] = [];
  const addFloor = (tool: string, pattern: string): void => {
    const glob = parseGlob(pattern);
    if (glob.ok) floors.push({ tool, glob: glob.value, effect: "ask" });
  };
  /** Two spellings of one line that disagree: the stricter one stands, whichever came last. */
  const addRule = (rule: PermissionRule, place: string): void => {
    const index = rules.findIndex((r) => r.tool === rule.tool && sameGlob(r.glob, rule.glob));
    const other = rules[index];
    if (other === undefined) rules.push(rule);
    else if (other.effect !== rule.effect) {
      const effect = strictest([other.effect, rule.effect]);
      rules.splice(index, 1);
      rules.push({ ...rule, effect });
      problems.push(
        `${place}: contradicts another line for the same tool and paths; "${effect}" is used.`,
      );
    }
  };
  return {
    result: { rules, floors, problems },
    line(written, pattern, effect) {
      const tool = formalTool(written);
      const place = pattern === "*" ? `"${written}"` : `"${written}" → "${pattern}"`;
      const known = tool === "*" || isKnownTool(tool);
      const readable = effect === "allow" || effect === "ask" || effect === "deny";
      const glob = parseGlob(pattern);
      if (!known) problems.push(`${place}: there is no tool "${tool}".`);
      if (!readable)
        problems.push(`${place}: ${JSON.stringify(effect)} is not allow, ask or deny.`);
      if (!glob.ok) problems.push(`${place}: the pattern does not parse, ${glob.problem}.`);
      if (known && readable && glob.ok) addRule({ tool, glob: glob.value, effect }, place);
      else if (effect !== "allow") addFloor(known ? tool : "*", glob.ok ? pattern : "*");
    },
    unreadable(problem, written) {
      const tool = formalTool(written);
      problems.push(`${problem}.`);
      addFloor(isKnownTool(tool) ? tool : "*", "*");
    },
  };
}

function sameGlob(a: PathGlob, b: PathGlob): boolean {
  return a.source === b.source || (a.blanket && b.blanket);
}

/**
 * The verdict for one reading of a path. Without a rule, files inside the workspace are allowed; sensitive ones and
 * all outside ask, unless the deciding rule names just them.
 */
export function evaluate(
  { rules, floors }: PermissionRules,
  tool: string,
  use: FileUse,
  spelling: Spelling,
): Effect {
  const fits = (rule: PermissionRule): boolean => ruleFits(rule, spelling);
  const deciding = decidingRule(rules, tool, fits);
  const effects: Effect[] = [deciding?.effect ?? "allow"];
  for (const named of sensitivityOf(spelling))
    if (deciding === undefined || !named(deciding.glob)) effects.push("ask");
  for (const extra of extraRules(rules, tool, use, fits)) effects.push(extra.effect);
  for (const floor of floors)
    if ((floor.tool === "*" || ruleOrder(tool).includes(floor.tool)) && fits(floor))
      effects.push("ask");
  return strictest(effects);
}

/** Whether models are told of the tool at all: not when everything it could do is denied. */
export function toolOffered(tool: string, { rules }: PermissionRules): boolean {
  for (const name of [...ruleOrder(formalTool(tool)), "*"])
    for (const rule of rules.filter((other) => other.tool === name).reverse()) {
      // What it does not deny stays possible; what it denies of some paths leaves the others to the rules below.
      if (rule.effect !== "deny") return true;
      if (rule.glob.blanket) return false;
    }
  return true;
}

/** Names whose rules speak for a tool, the first that has one that fits decides; `*` comes after them. */
export function ruleOrder(tool: string): readonly string[] {
  return LOOKUP[tool] ?? [tool];
}

function decidingRule(
  rules: readonly PermissionRule[],
  tool: string,
  fits: (rule: PermissionRule) => boolean,
): PermissionRule | undefined {
  for (const name of [...ruleOrder(tool), "*"]) {
    const rule = rules.findLast((other) => other.tool === name && fits(other));
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/**
 * Rules of other tools that also hold here, tightening only. A patch that creates or deletes a file meets the rules
 * of `write` and `delete`; and as long as those have none of their own, rules that keep named paths from being
 * edited also keep them from being overwritten or deleted.
 */
function extraRules(
  rules: readonly PermissionRule[],
  tool: string,
  use: FileUse,
  fits: (rule: PermissionRule) => boolean,
): readonly PermissionRule[] {
  const last = (name: string): readonly PermissionRule[] => {
    const rule = rules.findLast((other) => other.tool === name && fits(other));
    return rule === undefined ? [] : [rule];
  };
  if (EDIT_FAMILY.includes(tool)) {
    if (use === "create") return last("write");
    return use === "delete" ? last("delete") : [];
  }
  if (last(tool).length > 0) return [];
  const family = decidingRule(
    rules.filter((rule) => rule.tool !== "*"),
    "edit",
    fits,
  );
  return family === undefined || family.glob.blanket ? [] : [family];
}

/**
 * What tightens holds under any case and look-alike; what loosens holds for the exact name only. A pattern that
 * starts with a slash means the root of the file system and, where it tightens, also the workspace folder's.
 */
function ruleFits({ glob, effect }: PermissionRule, { relative, absolute }: Spelling): boolean {
  if (glob.blanket) return true;
  const reading = effect === "allow" ? "exact" : "folded";
  if (!glob.absolute) return glob.matches(relative ?? absolute, reading);
  if (glob.matches(absolute, reading)) return true;
  return effect !== "allow" && relative !== null && glob.matches(`/${relative}`, reading);
}
