import type { Hunk, PatchDoc, PatchOperation } from "./patchDoc.ts";

/** The fixed words of the format. A marker with a path is followed by one space and the path. */
export const MARKERS = {
  begin: "*** Begin Patch",
  end: "*** End Patch",
  add: "*** Add File:",
  delete: "*** Delete File:",
  update: "*** Update File:",
  move: "*** Move to:",
  endOfFile: "*** End of File",
  hunk: "@@",
} as const;

/** What an unprefixed line must start with to end a body: three stars and a space. */
export const MARKER_START = "*** ";

/**
 * The format as a Lark grammar, for providers that can constrain a model's output with it. It describes the
 * skeleton only. The parser never relies on it: it also accepts more (see `parsePatch`), and it refuses an update
 * that changes nothing, which the grammar lets through.
 */
export const PATCH_GRAMMAR = String.raw`start: begin operation+ end

begin: "*** Begin Patch" LF
end: "*** End Patch" LF?

operation: add_file | delete_file | update_file

add_file: "*** Add File: " PATH LF content_line+
delete_file: "*** Delete File: " PATH LF
update_file: "*** Update File: " PATH LF move_to? change?

content_line: "+" TEXT? LF
move_to: "*** Move to: " PATH LF

change: (anchor | body_line)+ end_of_file?
anchor: ("@@" | "@@ " TEXT) LF
body_line: ("+" | "-" | " ") TEXT? LF
end_of_file: "*** End of File" LF

PATH: /[^\n]+/
TEXT: /[^\n]+/

%import common.LF
`;

/**
 * A document in its plainest written form.
 * Law L3: `parsePatch(printPatch(doc))` gives the same operations, for every document the parser can give.
 */
export function printPatch(doc: Pick<PatchDoc, "operations">): string {
  const lines: string[] = [MARKERS.begin];
  for (const operation of doc.operations) printOperation(operation, lines);
  lines.push(MARKERS.end, "");
  return lines.join("\n");
}

function printOperation(operation: PatchOperation, lines: string[]): void {
  switch (operation.kind) {
    case "add":
      lines.push(`${MARKERS.add} ${operation.path}`);
      for (const line of operation.lines) lines.push(`+${line}`);
      return;
    case "delete":
      lines.push(`${MARKERS.delete} ${operation.path}`);
      return;
    case "update":
      lines.push(`${MARKERS.update} ${operation.path}`);
      if (operation.moveTo !== null) lines.push(`${MARKERS.move} ${operation.moveTo}`);
      for (const hunk of operation.hunks) printHunk(hunk, lines);
  }
}

const PREFIX = { context: " ", removed: "-", added: "+" } as const;

function printHunk(hunk: Hunk, lines: string[]): void {
  const range = hunk.hintNumber === null ? "" : ` -${hunk.hintNumber} +${hunk.hintNumber} @@`;
  const [first, ...further] = hunk.headers;
  lines.push(`${MARKERS.hunk}${range}${first === undefined ? "" : ` ${first}`}`);
  for (const header of further) lines.push(`${MARKERS.hunk} ${header}`);
  for (const { kind, text } of hunk.lines)
    lines.push(kind === "context" && hunk.unprefixedNumber !== null ? text : PREFIX[kind] + text);
  if (hunk.endOfFile) lines.push(MARKERS.endOfFile);
}
