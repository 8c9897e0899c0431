import type { CallCard, DiffCard, FileCard, HunkCard, RowCard } from "../../src/protocol/cards.ts";

/** The clock of the gallery: 7 October 2026, 12:04:45 UTC. */
export const NOW = Date.UTC(2026, 9, 7, 12, 4, 45);
export const SESSION = "session-1";

/** A card of a call that ended well, unless `parts` say otherwise. Counts are taken from the files. */
export function call(
  id: string,
  files: readonly FileCard[],
  parts: Partial<CallCard> = {},
): CallCard {
  const sum = (of: (diff: DiffCard) => number): number =>
    files.reduce(
      (n, { diff, phase }) => n + (diff === undefined || phase !== "done" ? 0 : of(diff)),
      0,
    );
  const done = files.filter(({ phase }) => phase === "done").length;
  const startedAt = parts.startedAt ?? NOW - 14_000;
  const ended = parts.phase === undefined || parts.phase === "done";
  return {
    id,
    tool: "edit_files",
    session: SESSION,
    source: "mcp",
    model: "claude-sonnet-5",
    startedAt,
    ...(ended ? { endedAt: startedAt + 38, status: statusOf(files) } : {}),
    phase: "done",
    progress: { done, total: files.length },
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    files: [...files],
    badges: [],
    ...parts,
  };
}

function statusOf(files: readonly FileCard[]): "applied" | "partial" | "error" {
  const failed = files.filter(({ status }) => status === "rejected" || status === "unknown").length;
  if (failed === 0) return "applied";
  return failed === files.length ? "error" : "partial";
}

/** A file that was changed, unless `parts` say otherwise. */
export function file(path: string, parts: Partial<FileCard> = {}): FileCard {
  const slash = path.lastIndexOf("/");
  return {
    key: path,
    path,
    folder: path.slice(0, slash + 1),
    name: path.slice(slash + 1),
    operation: "update",
    phase: "done",
    status: "applied",
    ...parts,
  };
}

/** A diff from hunks of text: `[first old line, first new line, "lines with ' ', '-' or '+' in front"]`. */
export function diff(...hunks: readonly (readonly [number, number, string])[]): DiffCard {
  const cards = hunks.map(([oldNumber, newNumber, text]) => hunk(oldNumber, newNumber, text));
  const count = (kind: RowCard["kind"]): number =>
    cards.reduce((n, { rows }) => n + rows.filter((row) => row.kind === kind).length, 0);
  return { added: count("added"), removed: count("removed"), hunks: cards, rowsLeftOut: 0 };
}

const KINDS = { " ": "context", "-": "removed", "+": "added" } as const;

/** Words between `«` and `»` are marked as what differs. */
function hunk(oldFirst: number, newFirst: number, text: string): HunkCard {
  let [oldNumber, newNumber] = [oldFirst, newFirst];
  const rows = text.split("\n").map((line): RowCard => {
    const sign = line.slice(0, 1);
    const kind = sign === "+" || sign === "-" ? KINDS[sign] : KINDS[" "];
    const { plain, marks } = unmark(line.slice(1));
    return {
      kind,
      oldNumber: kind === "added" ? null : oldNumber++,
      newNumber: kind === "removed" ? null : newNumber++,
      text: plain,
      ...(marks.length === 0 ? {} : { marks }),
    };
  });
  return {
    oldNumber: oldFirst,
    oldCount: oldNumber - oldFirst,
    newNumber: newFirst,
    newCount: newNumber - newFirst,
    rows,
  };
}

function unmark(text: string): { plain: string; marks: [number, number][] } {
  const marks: [number, number][] = [];
  let plain = "";
  for (const [index, part] of text.split(/[«»]/u).entries()) {
    if (index % 2 === 1) marks.push([plain.length, plain.length + part.length]);
    plain += part;
  }
  return { plain, marks };
}

/** A diff of `rows` rows in hunks of 40, for what must stay smooth. */
export function longDiff(rows: number): DiffCard {
  const hunks: HunkCard[] = [];
  let number = 1;
  for (let at = 0; at < rows; at += 40) {
    const made = Array.from({ length: Math.min(40, rows - at) }, (_, i): RowCard => {
      const kind = i % 4 === 1 ? "removed" : i % 4 === 2 ? "added" : "context";
      const line = number + Math.floor(i / 2);
      return {
        kind,
        oldNumber: kind === "added" ? null : line,
        newNumber: kind === "removed" ? null : line,
        text: `  const value${at + i} = compute(${i}, "${"abc".repeat(i % 9)}");`,
        ...(kind === "context" ? {} : { marks: [[8, 13]] }),
      };
    });
    hunks.push({ oldNumber: number, oldCount: 30, newNumber: number, newCount: 30, rows: made });
    number += 60;
  }
  return { added: Math.floor(rows / 4), removed: Math.floor(rows / 4), hunks, rowsLeftOut: 0 };
}
