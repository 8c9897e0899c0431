/** A patch as it was written: what each operation asks for. Nothing in it was compared with a file yet. */
export interface PatchDoc {
  readonly operations: readonly PatchOperation[];
  /** What had to be added or taken away around the operations before they could be read. */
  readonly repairs: readonly EnvelopeRepair[];
}

export type EnvelopeRepair = "begin-added" | "end-added" | "fence" | "heredoc";

export type PatchOperation = AddOperation | DeleteOperation | UpdateOperation;

interface OperationPlace {
  /** As written, trimmed. Never empty. */
  readonly path: string;
  /** Patch line of the operation's header, from 1, counting an added Begin line. */
  readonly number: number;
  /** The operation's own lines, for "Requested, not applied". */
  readonly raw: string;
}

export interface AddOperation extends OperationPlace {
  readonly kind: "add";
  /** Content lines without their `+`, at least one. */
  readonly lines: readonly string[];
}

export interface DeleteOperation extends OperationPlace {
  readonly kind: "delete";
}

export interface UpdateOperation extends OperationPlace {
  readonly kind: "update";
  readonly moveTo: string | null;
  /** Empty only for a pure move. */
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  /** Patch line of the hunk's first line, from 1. */
  readonly number: number;
  /** Anchors in order, without empty ones; often one, often none. */
  readonly headers: readonly string[];
  /** The old line number of an `@@ -a,b +c,d @@` range: a hint, nothing more. */
  readonly hintNumber: number | null;
  /** Never empty. */
  readonly lines: readonly HunkLine[];
  /** The hunk ends at the end of the file. */
  readonly endOfFile: boolean;
  /**
   * Patch line of the first context line that lost its leading space, or null. In such a hunk all context lines
   * are taken as they stand; it may be placed only where that leaves no doubt.
   */
  readonly unprefixedNumber: number | null;
}

export interface HunkLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
}

/** The header line of an operation, as results and cards name it. */
export function operationTitle(operation: PatchOperation): string {
  switch (operation.kind) {
    case "add":
      return `Add File: ${operation.path}`;
    case "delete":
      return `Delete File: ${operation.path}`;
    case "update":
      return operation.moveTo === null
        ? `Update File: ${operation.path}`
        : `Update File: ${operation.path}, Move to: ${operation.moveTo}`;
  }
}

/** The paths that an operation names, as written: its own, and that of a move's target. */
export function pathsOf(operation: PatchOperation): readonly string[] {
  return operation.kind === "update" && operation.moveTo !== null
    ? [operation.path, operation.moveTo]
    : [operation.path];
}

/** The lines a hunk expects in the file: context and removed ones, in order. */
export function oldLines(hunk: Hunk): readonly string[] {
  let count = 0;
  for (const line of hunk.lines) if (line.kind !== "added") count++;
  const lines = new Array<string>(count);
  let next = 0;
  for (const line of hunk.lines) if (line.kind !== "added") lines[next++] = line.text;
  return lines;
}

/** The lines the hunk's place reads afterwards: context and added ones, in order. */
export function newLines(hunk: Hunk): readonly string[] {
  const lines: string[] = [];
  for (const line of hunk.lines) if (line.kind !== "removed") lines.push(line.text);
  return lines;
}
