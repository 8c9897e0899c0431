import { fail, ok, type Result } from "../base/result.ts";
import { trimSpace } from "../engine/index.ts";
import { sameButForCase } from "./jsonTokens.ts";
import type { Refusal } from "./tool.ts";

/** One edit as sent, its path trimmed. A key that is absent (or null) is null here, so that it can be told from "". */
export interface SentEdit {
  readonly index: number;
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string | null;
  readonly replaceAll: boolean;
  /** Keys of other tools' edits, for example `search`. */
  readonly foreignKeys: readonly string[];
}

export const EXAMPLE =
  '{"edits":[{"path":"/repo/a.go","old_text":"x := 1","new_text":"x := 2"},{"path":"/repo/b.go","old_text":"foo()","new_text":"bar()"}]}';

/** Whole-call refusals say what to change, and then what was not done. */
export function refused(whatToChange: string): Refusal {
  return { text: `${whatToChange}\nNo files were applied.` };
}

/** Faults of shape named in one refusal. */
const FAULTS_MAX = 5;

/** The list of edits, or why the input is none. Reads canonical arguments; nothing is repaired. */
export function readEdits(args: unknown): Result<readonly SentEdit[], Refusal> {
  if (!isRecord(args)) return fail(malformed(["input must be an object"]));
  if (Object.keys(args).some((key) => sameButForCase(key, "files")))
    return fail(
      refused(
        `Send a flat list of edits where every edit has its own path, for example ${EXAMPLE}; the files key is not supported`,
      ),
    );
  const list = own(args, "edits");
  if (list === null) return fail(refused("Add at least one edit to edits"));
  if (typeof list === "string")
    return fail(
      malformed(["edits is a string that does not hold a JSON array of objects as it is"]),
    );
  if (!Array.isArray(list)) return fail(malformed(["edits must be an array"]));
  if (list.length === 0) return fail(refused("Add at least one edit to edits"));
  const faults: string[] = [];
  const edits: SentEdit[] = [];
  list.forEach((item: unknown, index) => {
    if (!isRecord(item)) {
      faults.push(`edits[${index}] must be an object`);
      return;
    }
    const fault = (key: string, type: string): void => {
      faults.push(`edits[${index}].${key} must be a ${type}`);
    };
    const text = (key: string): string | null => {
      const value = own(item, key);
      if (value === null || typeof value === "string") return value;
      fault(key, "string");
      return null;
    };
    const path = text("path");
    const oldText = text("old_text");
    const newText = text("new_text");
    const all = own(item, "replace_all");
    if (all !== null && typeof all !== "boolean") fault("replace_all", "boolean");
    const foreignKeys = Object.keys(item).filter((key) => FOREIGN_KEYS.has(key));
    const replaceAll = all === true;
    edits.push({ index, path: trimSpace(path ?? ""), oldText, newText, replaceAll, foreignKeys });
  });
  return faults.length > 0 ? fail(malformed(faults)) : ok(edits);
}

const FOREIGN_KEYS: ReadonlySet<string> = new Set([
  "search",
  "replace",
  "find",
  "old_string",
  "new_string",
  "old_str",
  "new_str",
  "oldText",
  "newText",
]);

function malformed(faults: readonly string[]): Refusal {
  const more = faults.length - FAULTS_MAX;
  const named = [...faults.slice(0, FAULTS_MAX), ...(more > 0 ? [`and ${more} more`] : [])];
  return refused(
    `Send edits as a JSON array of objects with string path, old_text and new_text, and optional boolean replace_all, for example ${EXAMPLE}; decoding failed (${named.join("; ")})`,
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object's own value of a key; null when it is absent, so that nothing inherited is ever read. */
export function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? (record[key] ?? null) : null;
}
