import {
  controlBroughtIn,
  loneSurrogate,
  OLD_TEXT_EMPTY,
  sayHalf,
  unicodeName,
  type Explanation,
  type IndexedEdit,
} from "../engine/index.ts";
import type { SentEdit } from "./editFilesShape.ts";

/** The edits of one path, in their order. Paths are equal as strings: nothing is folded, cleaned or resolved. */
export interface EditGroup {
  readonly path: string;
  /** Flat indexes of all its edits, ascending. */
  readonly indexes: readonly number[];
  /** What can be planned; an edit that lacks a text has "" there, and then `refused` is set. */
  readonly edits: readonly IndexedEdit[];
  /** Why none of it may run, decided before any file is read. */
  readonly refused: Explanation | null;
}

/** Files in the order of their first edits; indexes are those of the flat list. */
export function groupEdits(edits: readonly SentEdit[]): readonly EditGroup[] {
  const byPath = new Map<string, SentEdit[]>();
  for (const edit of edits) {
    const same = byPath.get(edit.path);
    if (same === undefined) byPath.set(edit.path, [edit]);
    else same.push(edit);
  }
  return Array.from(byPath, ([path, own]) => {
    const faults = own.flatMap((edit) => faultsOf(edit));
    return {
      path,
      indexes: own.map(({ index }) => index),
      edits: own.map(({ index, oldText, newText, replaceAll }) => ({
        index,
        oldText: oldText ?? "",
        newText: newText ?? "",
        replaceAll,
      })),
      refused: faults.length === 0 ? null : { message: faults.join("; ") },
    };
  });
}

/** What is wrong with one edit whatever the file holds. */
function faultsOf({ index, oldText, newText, foreignKeys }: SentEdit): readonly string[] {
  const faults: string[] = [];
  if (oldText === null || oldText === "") {
    const hint =
      foreignKeys.length === 0
        ? ""
        : ` (use the keys old_text and new_text, not ${foreignKeys.join(" and ")})`;
    faults.push(`edits[${index}]: ${OLD_TEXT_EMPTY}${hint}`);
  }
  if (newText === null && (oldText !== null || foreignKeys.length === 0))
    faults.push(`edits[${index}]: new_text is missing; send "" to delete the text`);
  const control = newText === null ? null : controlBroughtIn(oldText ?? "", newText);
  if (control !== null)
    faults.push(
      `edits[${index}]: new_text contains control character ${unicodeName(control)}; binary or control-character content cannot be written with the text file tools — write it with a shell command or script instead`,
    );
  for (const [key, text] of [
    ["old_text", oldText],
    ["new_text", newText],
  ] as const) {
    const half = loneSurrogate(text ?? "");
    if (half !== null)
      faults.push(
        `edits[${index}]: ${key} contains ${sayHalf(half)} text file can hold; send the whole character`,
      );
  }
  if (oldText !== null && oldText !== "" && oldText === newText)
    faults.push(
      `edits[${index}]: old_text and new_text are identical, so this edit would change nothing; leave it out or correct it`,
    );
  return faults;
}
