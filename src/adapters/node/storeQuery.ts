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

/** Conditions over the table `calls` and their values, in order. */
export interface Where {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function whereOf(query: CallQuery): Where {
  const conditions: string[] = [];
  const values: Value[] = [];
  const add = (condition: string, ...more: Value[]): void => {
    conditions.push(condition);
    values.push(...more);
  };
  if (query.session !== undefined) add("session = ?", query.session);
  if (query.tool !== undefined) add("tool = ?", query.tool);
  if (query.model !== undefined) add("model = ?", query.model);
  if (query.status !== undefined) add("status = ?", query.status);
  if (query.startedFrom !== undefined) add("started >= ?", query.startedFrom);
  if (query.startedTo !== undefined) add("started <= ?", query.startedTo);
  // A call that is not stored has no place in the order: nothing is before it.
  if (query.before !== undefined)
    add("(started, id) < (SELECT started, id FROM calls WHERE id = ?)", query.before);
  if (query.path !== undefined) add("instr(paths, ?) > 0", fold(query.path));
  if (query.text !== undefined) {
    const text = fold(query.text);
    add("(instr(paths, ?) > 0 OR instr(words, ?) > 0)", text, text);
  }
  return { sql: conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`, values };
}

/** The same conditions over records in memory, except `before`, which needs the other call. */
export function matches(call: CallRecord, query: CallQuery): boolean {
  const { session, tool, model, status, startedFrom, startedTo } = query;
  if (session !== undefined && call.session !== session) return false;
  if (tool !== undefined && call.tool !== tool) return false;
  if (model !== undefined && call.model !== model) return false;
  if (status !== undefined && call.result?.status !== status) return false;
  if (startedFrom !== undefined && call.startedAt < startedFrom) return false;
  if (startedTo !== undefined && call.startedAt > startedTo) return false;
  if (query.path === undefined && query.text === undefined) return true;
  const { paths, words } = searchKeys(call);
  if (query.path !== undefined && !paths.includes(fold(query.path))) return false;
  if (query.text === undefined) return true;
  const text = fold(query.text);
  return paths.includes(text) || words.includes(text);
}

/** Newest first; of calls that started together the greater id, as SQLite orders text. */
export function newestFirst(a: CallRecord, b: CallRecord): number {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
