import type { CallCard, FileCard } from "../src/protocol/cards.ts";
import type { Words } from "./strings.ts";

/**
 * The title of a call in words. Once a call has ended, it counts applied files only: what was asked for but did not
 * land is never called edited.
 */
export function titleOf(call: CallCard, words: Words): string {
  switch (call.phase) {
    case "received":
      return editing(call, words);
    case "queued":
      return words.say(call.heldUpByQuestion === true ? "title.heldUp" : "title.queued");
    case "planning":
      return words.say("title.planning");
    case "approval":
      return approve(call, words);
    case "applying":
      return applying(call, words);
    case "interrupted":
      return words.say("title.interrupted");
    case "done":
      return ended(call, words);
  }
}

function editing({ files }: CallCard, words: Words): string {
  const [only] = files;
  if (only === undefined) return words.say("title.editingSome");
  if (files.length === 1) return words.say("title.editingOne", { name: only.name });
  return words.say("title.editingMany", { n: files.length });
}

function approve(call: CallCard, words: Words): string {
  const answers = call.approval?.answers ?? {};
  const asked = call.files.filter(({ phase, key }) => phase === "proposed" && !(key in answers));
  const [only] = asked;
  if (only !== undefined && asked.length === 1)
    return words.say("title.approveOne", { name: only.name });
  return words.say("title.approveMany", { n: asked.length });
}

function applying({ files, progress }: CallCard, words: Words): string {
  const [only] = files;
  if (only !== undefined && progress.total === 1)
    return words.say("title.applyingOne", { name: only.name });
  if (progress.total === 0) return words.say("title.editingSome");
  if (progress.done === 0) return words.say("title.applyingAll", { n: progress.total });
  return words.say("title.applying", { done: progress.done, total: progress.total });
}

function ended({ files, status, undoOf, badges }: CallCard, words: Words): string {
  // It ran somewhere else, and what came of it there says nothing about these files.
  if (badges.includes("imported")) return words.say("title.imported");
  const total = files.length;
  const applied = withStatus(files, "applied");
  const [only] = files;
  if (undoOf !== undefined) return undone(files, applied.length, words);
  if (only === undefined)
    return words.say(status === "error" ? "title.failedSome" : "title.editedSome");
  if (applied.length === total && total === 1)
    return words.say("title.editedOne", { name: only.name });
  if (applied.length === total) return words.say("title.editedMany", { n: total });
  if (0 < applied.length) return words.say("title.editedPart", { n: applied.length, total });
  return nothingApplied(files, words);
}

/** An undo is a call of its own; its applied files are those that were taken back. */
function undone(files: readonly FileCard[], done: number, words: Words): string {
  const [only] = files;
  if (done === 0 || only === undefined) return words.say("title.notUndone");
  if (files.length === 1) return words.say("title.undoneOne", { name: only.name });
  if (done === files.length) return words.say("title.undoneMany", { n: done });
  return words.say("title.undonePart", { n: done, total: files.length });
}

function nothingApplied(files: readonly FileCard[], words: Words): string {
  const rejected = withStatus(files, "rejected");
  const unknown = withStatus(files, "unknown");
  const [first] = rejected;
  if (first !== undefined && rejected.length === 1)
    return words.say("title.failedOne", { name: first.name });
  if (first !== undefined) return words.say("title.failedMany", { n: rejected.length });
  const [doubtful] = unknown;
  if (doubtful !== undefined && unknown.length === 1)
    return words.say("title.unknownOne", { name: doubtful.name });
  if (doubtful !== undefined) return words.say("title.unknownMany", { n: unknown.length });
  return words.say("title.alreadyApplied");
}

function withStatus(files: readonly FileCard[], status: FileCard["status"]): readonly FileCard[] {
  return files.filter((file) => file.status === status);
}

/** What landed of a call that was interrupted, in words; null when nothing did, and for other calls. */
export function detailOf(call: CallCard, words: Words): string | null {
  const landed = call.phase === "interrupted" && 0 < withStatus(call.files, "applied").length;
  return landed ? ended(call, words) : null;
}

export type Pill = "running" | "partial" | "waiting" | "failed";

/** The state of a call as a pill; null when its title says all. */
export function pillOf(call: CallCard): Pill | null {
  switch (call.phase) {
    case "received":
    case "planning":
    case "applying":
      return "running";
    case "queued":
      return null;
    case "approval":
      return "waiting";
    case "interrupted":
      return null;
    case "done":
      return call.status === "partial" ? "partial" : call.status === "error" ? "failed" : null;
  }
}

/** Is the call still under way, so that it can be stopped? */
export function isRunning(call: CallCard): boolean {
  return call.phase !== "done" && call.phase !== "interrupted";
}

/** The time of day, with the date when it was another day. */
export function timeOf(at: number, now: number, language: string, withSeconds = true): string {
  const date = new Date(at);
  const sameDay = date.toDateString() === new Date(now).toDateString();
  const key = `${language} ${sameDay} ${withSeconds}`;
  const format = timeFormats.get(key) ?? timeFormat(language, sameDay, withSeconds);
  timeFormats.set(key, format);
  return format.format(date);
}

/** Few: one language, two kinds of day, two kinds of time. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function timeFormat(language: string, sameDay: boolean, withSeconds: boolean): Intl.DateTimeFormat {
  const day = { year: "numeric", month: "short", day: "numeric" } as const;
  return new Intl.DateTimeFormat(language, {
    ...(sameDay ? {} : day),
    hour: "2-digit",
    minute: "2-digit",
    ...(withSeconds ? { second: "2-digit" } : {}),
    hourCycle: "h23",
  });
}

/** How long a call took, in the unit that a person would choose. */
export function durationOf(ms: number, words: Words): string {
  if (ms < 1_000) return words.say("time.ms", { n: Math.max(0, Math.round(ms)) });
  const seconds = ms / 1_000;
  if (seconds < 60) return words.say("time.seconds", { n: Math.round(seconds * 10) / 10 });
  const minutes = Math.floor(seconds / 60);
  return words.say("time.minutes", { minutes, seconds: Math.floor(seconds % 60) });
}
