/**
 * Every word the panel says. The host may override any of them through `strings` of the snapshot; a key that it
 * does not send keeps its English. `{name}` stands for a value; a key with `.one` and `.other` counts things.
 */
export const ENGLISH = {
  "panel.label": "Edit Review",
  "panel.loading": "Loading calls…",
  "panel.wrongVersion": "The extension was updated. Reload the window to see its calls.",
  "panel.untrusted": "This workspace is not trusted, so calls are shown but nothing is applied.",

  "title.applying": "Applying {done} of {total} files",
  "title.applyingAll": "Applying {n} files…",
  "title.applyingOne": "Applying {name}…",
  "title.editingOne": "Editing {name}…",
  "title.editingMany": "Editing {n} files…",
  "title.editingSome": "Editing files…",
  "title.queued": "Queued",
  "title.heldUp": "Queued behind a call that waits for your approval",
  "title.planning": "Planning…",
  "title.approveOne": "Approve {name}?",
  "title.approveMany": "Approve {n} files?",
  "title.imported": "Not applied here",
  "title.interrupted": "Interrupted",
  "title.editedOne": "Edited {name}",
  "title.editedMany": "Edited {n} files",
  "title.editedPart": "Edited {n} of {total} files",
  "title.editedSome": "Edited files",
  "title.alreadyApplied": "Already applied",
  "title.undoneOne": "Undone in {name}",
  "title.undoneMany": "Undone in {n} files",
  "title.undonePart": "Undone in {n} of {total} files",
  "title.notUndone": "Could not undo",
  "title.failedOne": "Could not edit {name}",
  "title.failedMany": "Could not edit {n} files",
  "title.failedSome": "Could not edit files",
  "title.unknownOne": "Could not confirm {name}",
  "title.unknownMany": "Could not confirm {n} files",

  "pill.running": "running",
  "pill.partial": "partial",
  "pill.waiting": "waiting",
  "pill.failed": "failed",
  "pill.already": "already applied",

  "badge.policy": "modified by policy",
  "badge.replay": "replay",
  "badge.unsaved": "unsaved",
  "badge.legacy": "older format",
  "badge.imported": "imported",

  "source.lm-tool": "VS Code tool",
  "source.api": "Extension API",
  "source.cli": "Command line",
  "source.mcp": "MCP",
  "source.sample": "Sample",
  "source.replay": "Replay",
  "source.retry": "Retry",
  "source.undo": "Undo",
  "source.import": "Transcript",

  "time.now": "now",
  "time.ms": "{n} ms",
  "time.seconds": "{n} s",
  "time.minutes": "{minutes} min {seconds} s",

  "sign.add": "added",
  "sign.update": "modified",
  "sign.delete": "deleted",
  "sign.move": "moved",
  "sign.rejected": "rejected",
  "sign.already": "already applied",
  "sign.unknown": "unknown",
  "sign.waiting": "waiting",
  "sign.notRun": "not applied",
  "sign.running": "being written",

  "file.waiting": "waiting",
  "file.notRun": "not applied",
  "file.running": "writing…",
  "file.proposed": "proposed",
  "file.wouldApply": "would apply",
  "file.wouldReject": "would be rejected",
  "file.approved": "approved",
  "file.denied": "denied",
  "file.already": "already applied",
  "file.undone": "undone",
  "file.undonePart": "partly undone",
  "file.kept": "kept",
  "file.noChanges": "No changes",
  "file.noDiff": "No diff was stored for this file.",
  "file.unknown": "It is not known whether this file was changed. Look at it before going on.",
  "file.movedFrom": "Moved from {path}",
  "file.unsaved": "Changed in the editor, not saved yet",
  "file.encoding": "Encoding {name} kept",
  "file.matched": "Matched ignoring {what}",
  "file.edits": "edits[{list}]",
  "file.rejected": "This file was not changed.",

  "tolerance.trailing-whitespace": "spaces at line ends",
  "tolerance.surrounding-whitespace": "indentation",
  "tolerance.look-alike-punctuation": "look-alike punctuation",
  "tolerance.trailing-newline": "the last newline",
  "tolerance.line-endings": "line endings",
  "tolerance.context-without-space": "missing spaces before context lines",
  "tolerance.blank-last-line": "a blank last line",
  "tolerance.overlapping-context": "context that repeats the hunk before",

  "changes.label": "{added} added, {removed} removed",
  "diff.label": "Changes in {name}",
  "diff.proposed": "Proposed changes in {name}",
  "diff.line": "Line {n}",
  "diff.lines": "Lines {from}–{to}",
  "diff.unterminated": "no newline at end of file",
  "diff.showAll.one": "Show {n} more line",
  "diff.showAll.other": "Show {n} more lines",
  "diff.leftOut.one": "{n} more line is not shown here. Open the diff to see it.",
  "diff.leftOut.other": "{n} more lines are not shown here. Open the diff to see them.",
  "diff.lineCut.one": "… {n} more character …",
  "diff.lineCut.other": "… {n} more characters …",

  "error.near": "Nearest lines of the file",
  "requested.notApplied": "Requested, not applied",
  "requested.patch": "Requested patch",
  "requested.edits": "Requested",
  "requested.input": "Requested input",
  "requested.cut.one": "… {n} more character; copy it to see all.",
  "requested.cut.other": "… {n} more characters; copy it to see all.",

  "action.fold": "Fold",
  "action.unfold": "Unfold",
  "action.openFile": "Open file",
  "action.diff": "Diff",
  "action.diffLong": "Open diff",
  "action.compare": "Compare versions",
  "action.approve": "Approve",
  "action.deny": "Deny",
  "action.approveForSession": "Approve for this session",
  "action.approveAll": "Approve all",
  "action.denyAll": "Deny all",
  "action.retry": "Retry",
  "action.undo": "Undo",
  "action.undoLong": "Undo file",
  "action.undoHunk": "Undo hunk",
  "action.undoCall": "Undo call",
  "action.keep": "Keep",
  "action.unkeep": "Mark as not reviewed",
  "action.keepCall": "Keep all files",
  "action.copyPath": "Copy path",
  "action.resend": "Copy what to resend",
  "action.copyError": "Copy error",
  "action.copyRequested": "Copy what was requested",
  "action.goToCall": "Go to call",
  "action.goToCallAt": "Go to call {time}",
  "action.stop": "Stop",
  "action.more": "More actions",
  "action.foldFiles": "Fold all files",
  "action.unfoldFiles": "Unfold all files",

  "bar.scope": "Scope",
  "bar.last": "Last call",
  "bar.session": "Session",
  "bar.all": "All",
  "bar.search": "Search path, tool, model",
  "bar.filter": "Filter",
  "bar.filterCount": "Filter, {n} on",
  "bar.split": "Side by side",
  "bar.rejected": "Rejected",
  "bar.review": "To review",
  "bar.attention": "Needs attention",
  "bar.tool": "Tool",
  "bar.anyTool": "Any tool",
  "bar.model": "Model",
  "bar.anyModel": "Any model",
  "bar.keepAll": "Keep all",
  "bar.clear": "Clear filter",
  "bar.calls.one": "{n} call",
  "bar.calls.other": "{n} calls",
  "bar.callsOf": "{n} of {total} calls",
  "bar.searching": "Searching older calls…",
  "bar.files.one": "{n} file",
  "bar.files.other": "{n} files",
  "bar.toReview.one": "{n} file to review",
  "bar.toReview.other": "{n} files to review",
  "bar.rejectedCount.one": "{n} rejected",
  "bar.rejectedCount.other": "{n} rejected",

  "list.label": "Calls, newest first",
  "list.new.one": "{n} new call",
  "list.new.other": "{n} new calls",
  "list.older.one": "Load {n} older call",
  "list.older.other": "Load {n} older calls",
  "list.further.one": "Search {n} older call",
  "list.further.other": "Search {n} older calls",
  "list.broken": "This call cannot be shown.",
  "empty.title": "No edits yet",
  "empty.hint":
    "When an agent edits files, each call shows up here as it lands, file by file: what changed, what did not, and why.",
  "empty.sample": "Run sample call",
  "empty.noneTitle": "No call fits",
  "empty.noneHint": "The search or the filter hides every call of this scope.",

  "empty.soFarTitle": "No call fits so far",
  "empty.soFarHint.one": "{n} older call was not searched yet.",
  "empty.soFarHint.other": "{n} older calls were not searched yet.",

  "live.found.one": "{n} call fits",
  "live.found.other": "{n} calls fit",
  "live.foundSoFar.one": "{n} call fits so far",
  "live.foundSoFar.other": "{n} calls fit so far",
  "live.finished.one": "{title}",
  "live.finished.other": "{n} calls finished. Newest: {title}",
  "live.withRejected.one": "{text}, {n} file rejected",
  "live.withRejected.other": "{text}, {n} files rejected",
} as const;

export type Word = keyof typeof ENGLISH;

type StemOf<K> = K extends `${infer Stem}.other` ? Stem : never;

/** A word that counts, named without its `.one` and `.other`. */
export type CountWord = StemOf<Word>;

export type Values = Readonly<Record<string, string | number>>;

export interface Words {
  /** The sentence for a key, its `{name}`s filled in. A `{name}` without a value stays as it is. */
  say(word: Word, values?: Values): string;
  /** The sentence for `n` things; `{n}` is filled in with the number as the language writes it. */
  count(word: CountWord, n: number, values?: Values): string;
  /** A word whose key comes from data, such as a tool's source; the data itself where there is none. */
  name(prefix: string, id: string): string;
  number(n: number): string;
}

/**
 * Words in the page's language; `overrides` wins over English, word by word. It may name a word by its key here or
 * by its English, as VS Code's translations do; only the key can name the forms (`.few`) that English has not.
 */
export function wordsOf(overrides: Readonly<Record<string, string>>, language: string): Words {
  const plural = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const english: Readonly<Record<string, string>> = ENGLISH;
  const find = (key: string): string | undefined => {
    const own = Object.hasOwn(english, key) ? english[key] : undefined;
    for (const name of [key, own])
      if (name !== undefined && Object.hasOwn(overrides, name)) return overrides[name];
    return own;
  };
  const words: Words = {
    say: (word, values = {}) => fill(find(word) ?? word, values, numbers),
    count: (word, n, values = {}) => {
      const text = find(`${word}.${plural.select(n)}`) ?? find(`${word}.other`) ?? word;
      return fill(text, { n, ...values }, numbers);
    },
    name: (prefix, id) => find(`${prefix}.${id}`) ?? id,
    number: (n) => numbers.format(n),
  };
  return words;
}

/** `tag` if it is a well-formed language tag, else English: an editor may run in a language that is made up. */
export function languageOf(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en";
  } catch (error) {
    if (error instanceof RangeError) return "en";
    throw error;
  }
}

function fill(text: string, values: Values, numbers: Intl.NumberFormat): string {
  return text.replace(/\{(\w+)\}/gu, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}
