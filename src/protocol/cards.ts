import * as z from "zod";

/**
 * What the panel draws. The host builds these from records and server diffs; the webview holds no truth and makes
 * no diff. All numbers of lines count from 1, all times are milliseconds since 1970.
 */
export const PROTOCOL_VERSION = 1;

/** One row of a server diff. `marks` are half-open UTF-16 ranges of `text` that differ from the row's partner. */
export const RowCard = z.object({
  kind: z.enum(["context", "removed", "added"]),
  oldNumber: z.int().nullable(),
  newNumber: z.int().nullable(),
  text: z.string(),
  marks: z.array(z.tuple([z.int(), z.int()])).optional(),
  /** The line has no ending ("No newline at end of file"). */
  unterminated: z.boolean().optional(),
  /** The line ends in CR LF or CR, shown as a sign only where the two sides differ in nothing else. */
  ending: z.enum(["crlf", "cr"]).optional(),
});

export const HunkCard = z.object({
  oldNumber: z.int(),
  oldCount: z.int(),
  newNumber: z.int(),
  newCount: z.int(),
  rows: z.array(RowCard),
  /** The hunk was taken back. */
  undone: z.boolean().optional(),
});

export const DiffCard = z.object({
  added: z.int(),
  removed: z.int(),
  hunks: z.array(HunkCard),
  /** Rows left out because the diff is very long; 0 when all rows are here. */
  rowsLeftOut: z.int(),
});

export const ErrorCard = z.object({
  message: z.string(),
  advice: z.string().optional(),
  near: z.array(z.object({ number: z.int(), text: z.string() })).optional(),
});

export const FileCard = z.object({
  /** Stable within the call. */
  key: z.string(),
  path: z.string(),
  /** The path as a person reads it: folder part (with its slash, may be empty) and file name. */
  folder: z.string(),
  name: z.string(),
  operation: z.enum(["add", "update", "move", "delete"]),
  movedFrom: z.string().optional(),
  /** waiting: not started; running: being written; proposed: waits for a person; done: see status. */
  phase: z.enum(["waiting", "running", "proposed", "done"]),
  status: z.enum(["applied", "rejected", "already_applied", "unknown"]).optional(),
  edits: z.array(z.int()).optional(),
  operations: z.array(z.string()).optional(),
  diff: DiffCard.optional(),
  error: ErrorCard.optional(),
  note: z.string().optional(),
  /** What the model should send again, ready to copy. */
  resend: z.string().optional(),
  /** What the model asked for, as plain text. Shown folded, labelled "Requested, not applied". */
  requested: z.string().optional(),
  unsaved: z.boolean().optional(),
  encoding: z.string().optional(),
  tolerance: z.array(z.string()).optional(),
  /** The call that applied it before, for already_applied. */
  appliedBy: z.string().optional(),
  /** The change can be taken back from here: it was applied and is not taken back yet. */
  undoable: z.boolean().optional(),
  /** Nobody knows what became of it, and what it held before is kept, to be compared with what is there now. */
  comparable: z.boolean().optional(),
  /** What was taken back since: all of the file's change, or some hunks. */
  undone: z.enum(["all", "part"]).optional(),
  /** Kept by a person, and the file still reads as it did then. */
  reviewed: z.boolean().optional(),
});

export const CallCard = z.object({
  id: z.string(),
  tool: z.string(),
  session: z.string(),
  source: z.string(),
  model: z.string().optional(),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  phase: z.enum(["received", "queued", "planning", "approval", "applying", "done", "interrupted"]),
  /** Set when phase is done. */
  status: z.enum(["applied", "partial", "error"]).optional(),
  progress: z.object({ done: z.int(), total: z.int() }),
  added: z.int(),
  removed: z.int(),
  /** Rejected files first, then the others as the call named them. */
  files: z.array(FileCard),
  /** A failure of the whole call, which no file carries. */
  error: ErrorCard.optional(),
  /** The arguments as plain text where no file card can show them (invalid input, a patch that streams). */
  requested: z.string().optional(),
  /** The question a person has to answer, while phase is approval. Answers carry the hash of what was shown. */
  approval: z
    .object({
      hash: z.string(),
      reason: z.string().optional(),
      /** Files that are answered while others still wait, by key. */
      answers: z.record(z.string(), z.enum(["approved", "denied"])).optional(),
    })
    .optional(),
  /** While phase is queued: the call before it waits for a person, who may not know that another one waits too. */
  heldUpByQuestion: z.boolean().optional(),
  /** What a hook wants the person to read. */
  userMessage: z.string().optional(),
  /** The call that this one took back. */
  undoOf: z.string().optional(),
  badges: z.array(z.enum(["policy", "replay", "unsaved", "legacy", "imported"])),
});

export type RowCard = z.infer<typeof RowCard>;
export type HunkCard = z.infer<typeof HunkCard>;
export type DiffCard = z.infer<typeof DiffCard>;
export type ErrorCard = z.infer<typeof ErrorCard>;
export type FileCard = z.infer<typeof FileCard>;
export type CallCard = z.infer<typeof CallCard>;
