import { cleanInvisible } from "../text/invisible.ts";
import type { ParsedPatch } from "./parsePatch.ts";
import type { HunkLine, PatchOperation } from "./patchDoc.ts";

export interface CleanedPatch {
  readonly parsed: ParsedPatch;
  /** How often each invisible character was taken out. */
  readonly removed: ReadonlyMap<number, number>;
}

/**
 * Takes invisible characters out of what the patch adds, line by line. Context and removed lines stay as sent,
 * so that they can match a file that holds such characters; paths stay as well.
 */
export function cleanPatch(parsed: ParsedPatch): CleanedPatch {
  const removed = new Map<number, number>();
  const clean = (line: string): string => {
    const cleaned = cleanInvisible(line, { floatingMarks: true });
    for (const [point, count] of cleaned.removed)
      removed.set(point, (removed.get(point) ?? 0) + count);
    return cleaned.text;
  };
  const operations = parsed.doc.operations.map((operation) => cleanOperation(operation, clean));
  return {
    parsed: removed.size === 0 ? parsed : { ...parsed, doc: { ...parsed.doc, operations } },
    removed,
  };
}

function cleanOperation(
  operation: PatchOperation,
  clean: (line: string) => string,
): PatchOperation {
  switch (operation.kind) {
    case "add":
      return { ...operation, lines: operation.lines.map(clean) };
    case "delete":
      return operation;
    case "update":
      return {
        ...operation,
        hunks: operation.hunks.map((hunk) => ({
          ...hunk,
          lines: hunk.lines.map((line): HunkLine =>
            line.kind === "added" ? { kind: "added", text: clean(line.text) } : line,
          ),
        })),
      };
  }
}
