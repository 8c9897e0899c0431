import type { DiffHunk, DiffRow, ServerDiff } from "./serverDiff.ts";

const MARKS = { context: " ", removed: "-", added: "+" } as const;
const NO_NEWLINE = "\\ No newline at end of file";

/**
 * The diff as text, "" when nothing changed. Paths stand as given, without `a/` and `b/`; `newPath` is for a
 * file that moved.
 */
export function printUnified(
  diff: ServerDiff,
  path: string,
  options: { readonly newPath?: string } = {},
): string {
  if (diff.hunks.length === 0) return "";
  const lines = [`--- ${path}`, `+++ ${options.newPath ?? path}`];
  for (const hunk of diff.hunks) {
    lines.push(
      `@@ -${span(hunk.oldNumber, hunk.oldCount)} +${span(hunk.newNumber, hunk.newCount)} @@`,
    );
    for (const row of hunk.rows) {
      lines.push(MARKS[row.kind] + row.text);
      if (row.unterminated) lines.push(NO_NEWLINE);
    }
  }
  return lines.join("\n") + "\n";
}

function span(number: number, count: number): string {
  return count === 1 ? String(number) : `${number},${count}`;
}

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a stored diff back. Never fails: what is no hunk is passed over, and a hunk that breaks off is kept as far
 * as it goes.
 * Law: `parseUnified(printUnified(d, path))` equals `d`, except that `minimal`, which the text does not tell, is true.
 */
export function parseUnified(text: string): ServerDiff {
  const lines = text.split("\n");
  const hunks: DiffHunk[] = [];
  let added = 0;
  let removed = 0;
  for (let i = 0; i < lines.length;) {
    const header = HUNK_HEADER.exec(lines[i] ?? "");
    i++;
    if (header === null) continue;
    const [, oldNumber = "0", oldSpan = "1", newNumber = "0", newSpan = "1"] = header;
    let oldLeft = Number(oldSpan);
    let newLeft = Number(newSpan);
    const rows: DiffRow[] = [];
    // Lines are counted, not guessed: a removed line may well look like a header.
    for (; i < lines.length; i++) {
      const line = lines[i] ?? "";
      if (line.startsWith("\\")) {
        const last = rows.pop();
        if (last !== undefined) rows.push({ ...last, unterminated: true });
        continue;
      }
      const kind = kindOf(line);
      if (
        kind === null ||
        (kind !== "added" && oldLeft === 0) ||
        (kind !== "removed" && newLeft === 0)
      )
        break;
      if (kind !== "added") oldLeft--;
      if (kind !== "removed") newLeft--;
      if (kind === "added") added++;
      if (kind === "removed") removed++;
      rows.push({ kind, text: line.slice(1), unterminated: false });
    }
    hunks.push({
      oldNumber: Number(oldNumber),
      oldCount: Number(oldSpan) - oldLeft,
      newNumber: Number(newNumber),
      newCount: Number(newSpan) - newLeft,
      rows,
    });
  }
  return { hunks, added, removed, minimal: true };
}

function kindOf(line: string): DiffRow["kind"] | null {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith(" ") ? "context" : null;
}
