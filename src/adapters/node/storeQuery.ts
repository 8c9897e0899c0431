import type { CallQuery } from "../../app/ports.ts";
import type { CallRecord } from "../../app/record.ts";
import type { Value } from "./storeDatabase.ts";

/** What a call is searched by, the same for every store. Folded: a search ignores case. */
export interface SearchKeys {
  /** Shown paths of its files, and where a moved file came from, one a line. */
  readonly paths: string;
  readonly words: string;
}

export function searchKeys(call: CallRecord): SearchKeys {
  const paths = new Set<string>();
  for (const { shown, outcome } of call.files) {
    paths.add(fold(shown));
    if (outcome?.movedFrom !== undefined) paths.add(fold(outcome.movedFrom));
  }
  return { paths: [...paths].join("\n"), words: fold(`${call.tool}\n${call.model ?? ""}`) };
}

export function fold(text: string): string {
  return text.toLowerCase();
}

/** Conditions over the table `calls`, each with its values, in order. */
export interface Conditions {
  /** Everything but what is searched for. */
  readonly plain: readonly Condition[];
  /** Searched text, as scans of the rows. */
  readonly scans: readonly Condition[];
  /** The same as far as the index of three characters can tell it: an expression for its MATCH, or null. */
  readonly match: string | null;
  /** Scans for what the index cannot tell. */
  readonly unmatched: readonly Condition[];
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function conditionsOf(query: CallQuery): Conditions {
  const plain: Condition[] = [];
  const add = (sql: string, value: Value | undefined): void => {
    if (value !== undefined) plain.push({ sql, values: [value] });
  };
  // A session has few calls. The plus sign keeps SQLite from walking all calls of a tool to find them.
  const other = query.session === undefined ? "" : "+";
  add("session = ?", query.session);
  add(`${other}tool = ?`, query.tool);
  add(`${other}model = ?`, query.model);
  add(`${other}status = ?`, query.status);
  if (query.notApplied === true)
    plain.push({ sql: "(status IS NULL OR status <> 'applied')", values: [] });
  add("started >= ?", query.startedFrom);
  add("started <= ?", query.startedTo);
  // A call that is not stored has no place in the order: nothing is before it.
  add("(started, id) < (SELECT started, id FROM calls WHERE id = ?)", query.before);

  const scans: Condition[] = [];
  const unmatched: Condition[] = [];
  const matched: string[] = [];
  const search = (
    text: string | undefined,
    column: string,
    scan: (value: string) => Condition,
  ): void => {
    if (text === undefined) return;
    const folded = fold(text);
    scans.push(scan(folded));
    if (isIndexed(folded)) matched.push(`(${column}"${folded.replaceAll('"', '""')}")`);
    else unmatched.push(scan(folded));
  };
  search(query.path, "paths : ", (value) => ({ sql: "instr(paths, ?) > 0", values: [value] }));
  for (const text of [query.text, ...(query.words ?? [])])
    search(text, "", (value) => ({
      sql: "(instr(paths, ?) > 0 OR instr(words, ?) > 0)",
      values: [value, value],
    }));
  return { plain, scans, match: matched.length === 0 ? null : matched.join(" AND "), unmatched };
}

/** The index knows three characters in a row; control characters are left to the scan. */
function isIndexed(text: string): boolean {
  return [...text].length >= 3 && !/[\p{Cc}\p{Cs}]/u.test(text);
}

export function whereOf(conditions: readonly Condition[]): Condition {
  const sql = conditions.map((one) => one.sql).join(" AND ");
  return {
    sql: conditions.length === 0 ? "" : ` WHERE ${sql}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** The same conditions over records in memory, except `before`, which needs the other call. */
export function matches(call: CallRecord, query: CallQuery): boolean {
  const { session, tool, model, status, startedFrom, startedTo } = query;
  if (session !== undefined && call.session !== session) return false;
  if (tool !== undefined && call.tool !== tool) return false;
  if (model !== undefined && call.model !== model) return false;
  if (status !== undefined && call.result?.status !== status) return false;
  if (query.notApplied === true && call.result?.status === "applied") return false;
  if (startedFrom !== undefined && call.startedAt < startedFrom) return false;
  if (startedTo !== undefined && call.startedAt > startedTo) return false;
  const texts = [query.text, ...(query.words ?? [])].filter((text) => text !== undefined);
  if (query.path === undefined && texts.length === 0) return true;
  const { paths, words } = searchKeys(call);
  if (query.path !== undefined && !paths.includes(fold(query.path))) return false;
  return texts.map(fold).every((text) => paths.includes(text) || words.includes(text));
}

/** Newest first; of calls that started together the greater id, as SQLite orders text. */
export function newestFirst(a: CallRecord, b: CallRecord): number {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
