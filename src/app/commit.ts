import { fail, ok, type Result } from "../base/result.ts";
import {
  Edit,
  SourceText,
  loneSurrogate,
  printUnified,
  serverDiff,
  textChange,
} from "../engine/index.ts";
import type { Explanation, FileProblem, FileSizes, TextChange } from "../engine/index.ts";
import { judge, type Side, type Verdict } from "./evidence.ts";
import { LIMITS } from "./limits.ts";
import type { FileRef, Ports, Snapshot, WriteReply } from "./ports.ts";
import type { FileRecord } from "./record.ts";
import type { PlanFailure, UnitPlan } from "./unit.ts";
import { explain, MODEL_WORDS, type Spoken } from "./words.ts";

/** What one commit came to: told from the read-back, never from what the write said. */
export type Committed =
  | {
      readonly kind: "applied";
      readonly diff: string;
      readonly unsaved: boolean;
      readonly notes: readonly string[];
      readonly plan: UnitPlan;
      readonly base: Snapshot;
      readonly sizes: FileSizes;
      readonly kept: Partial<FileRecord>;
    }
  | { readonly kind: "rejected"; readonly error: Explanation; readonly missed?: boolean }
  | { readonly kind: "unknown"; readonly error: Explanation };

export interface CommitRequest {
  readonly file: FileRef;
  readonly snapshot: Snapshot;
  readonly plan: UnitPlan;
  /** The undo list's word for the change. */
  readonly label: string;
  /** Plans again on a newer snapshot, when the file moved on between plan and write. */
  readonly replan: (snapshot: Snapshot) => Result<UnitPlan, PlanFailure>;
  /** What `sidesOf` and `keepSides` gave for this very plan, when the caller has it already. */
  readonly ready?: { readonly sides: Sides; readonly kept: Partial<FileRecord> };
}

type CommitPorts = Pick<Ports, "workspace" | "store" | "logBug"> & Spoken;

/** Recheck, write, read back; three tries when the file keeps moving. Writes at most this one file. */
export async function commitUnit(
  ports: CommitPorts,
  request: CommitRequest,
  signal: AbortSignal,
): Promise<Committed> {
  let { snapshot, plan, ready } = request;
  for (let tries = 1; ; tries++) {
    const planned = ready === undefined ? sidesOf(snapshot, plan) : ok(ready.sides);
    if (!planned.ok) return { kind: "rejected", error: explain(ports, planned.problem) };
    const sides = planned.value;
    const kept = ready?.kept ?? (await keepSides(ports, snapshot, plan, sides));
    const told = { ports, file: request.file, snapshot, plan, sides, kept };
    if (plan.kind === "update" && plan.change.edit.isEmpty) return applied(told, "written", []);
    const reply = await write(ports, request, snapshot, plan, sides, signal);
    if (reply.kind !== "moved-on") return settle(told, reply);
    if (tries === LIMITS.planTriesMax)
      return rejected(ports, { code: "kept-changing", path: request.file.asked, tries });
    const again = await ports.workspace.look(request.file);
    if (!again.ok) return rejected(ports, again.problem);
    const replanned = request.replan(again.value);
    if (!replanned.ok) return { kind: "rejected", ...replanned.problem };
    snapshot = again.value;
    plan = replanned.value;
    ready = undefined;
  }
}

function rejected(spoken: Spoken, problem: FileProblem): Committed {
  return { kind: "rejected", error: explain(spoken, problem) };
}

/** Both sides of a plan to the byte: what the read-back is compared with. */
export interface Sides {
  readonly before: Side;
  readonly after: Side;
}

/** Fails for text that the file's encoding cannot hold, and for more of it than a file may have. */
export function sidesOf(snapshot: Snapshot, plan: UnitPlan): Result<Sides, FileProblem> {
  const sides = bothSides(snapshot, plan);
  if (!sides.ok) return sides;
  const bytes = sides.value.after.bytes?.length ?? 0;
  const bytesMax = LIMITS.fileBytesMax;
  return bytes > bytesMax
    ? fail({ code: "result-too-large", path: snapshot.file.asked, bytes, bytesMax })
    : sides;
}

function bothSides(snapshot: Snapshot, plan: UnitPlan): Result<Sides, FileProblem> {
  const path = snapshot.file.asked;
  const before: Side =
    snapshot.kind === "missing"
      ? { bytes: null, text: null }
      : { bytes: snapshot.bytes, text: snapshot.body.ok ? snapshot.body.value.text : null };
  switch (plan.kind) {
    case "delete":
      return ok({ before, after: { bytes: null, text: null } });
    case "create": {
      const lone = loneSurrogate(plan.text);
      if (lone !== null)
        return fail({ code: "not-encodable", path, encoding: "utf8", codePoint: lone });
      return ok({
        before,
        after: { bytes: new TextEncoder().encode(plan.text), text: plan.text },
      });
    }
    case "update": {
      if (snapshot.kind !== "file") return fail({ code: "file-missing", path, similar: [] });
      if (!snapshot.body.ok) return snapshot.body;
      const body = snapshot.body.value;
      const bytes = body.encode(plan.change.after);
      if (!bytes.ok) {
        const { codePoint } = bytes.problem;
        return fail({ code: "not-encodable", path, encoding: body.encoding, codePoint });
      }
      return ok({ before, after: { bytes: bytes.value, text: plan.change.after } });
    }
  }
}

async function write(
  ports: CommitPorts,
  { file, label }: CommitRequest,
  snapshot: Snapshot,
  plan: UnitPlan,
  { after }: Sides,
  signal: AbortSignal,
): Promise<WriteReply> {
  const { workspace } = ports;
  const cause = (message: string): WriteReply => ({
    kind: "failed",
    problem: { code: "write-failed", path: file.asked, cause: message },
  });
  try {
    if (plan.kind === "create")
      return snapshot.kind === "file"
        ? { kind: "failed", problem: { code: "file-exists", path: file.asked } }
        : await workspace.create(file, after.bytes ?? new Uint8Array(), null, label);
    if (snapshot.kind !== "file") return cause("the file is gone");
    if (plan.kind === "delete") return await workspace.remove(snapshot, label);
    const change = {
      edit: plan.change.edit,
      after: plan.change.after,
      afterBytes: after.bytes ?? new Uint8Array(),
      label,
    };
    return await workspace.update(snapshot, change, signal);
  } catch (error) {
    // A port that throws is our bug; whether it wrote something is told by the read-back like any failure.
    ports.logBug(error);
    return cause("an internal error");
  }
}

/** A plan that was carried out, with everything that is told of it. */
interface Done {
  readonly ports: CommitPorts;
  readonly file: FileRef;
  readonly snapshot: Snapshot;
  readonly plan: UnitPlan;
  readonly sides: Sides;
  readonly kept: Partial<FileRecord>;
}

/** Reads back and decides. A failed read-back is told as unknown, whatever the write said. */
async function settle(
  done: Done,
  reply: Exclude<WriteReply, { kind: "moved-on" }>,
): Promise<Committed> {
  const { ports, file, sides } = done;
  const path = file.asked;
  const unknown = (problem: FileProblem): Committed => ({
    kind: "unknown",
    error: explain(ports, problem),
  });
  let seen;
  try {
    seen =
      reply.kind === "done" && reply.seen !== undefined
        ? ok(reply.seen)
        : await ports.workspace.readBack(file);
  } catch (error) {
    ports.logBug(error);
    return unknown({ code: "read-back-failed", path, cause: "an internal error" });
  }
  if (!seen.ok) return unknown(seen.problem);
  const verdict = judge(sides.before, sides.after, seen.value);
  const failure = reply.kind === "failed" ? reply.problem : null;
  // Creating looks before it writes: what is there now is somebody else's, however much it looks like ours.
  if (failure?.code === "file-exists") return rejected(ports, failure);
  switch (verdict) {
    case "written":
      return applied(done, verdict, []);
    case "written-unsaved": {
      const notes =
        failure === null
          ? ["The change stands in the editor and is not saved yet (unsaved)."]
          : [
              `The change stands in the editor, but it could not be saved (unsaved): ${explain(ports, failure).message}`,
            ];
      return applied(done, verdict, notes);
    }
    case "unchanged":
      return rejected(
        ports,
        failure ?? { code: "write-failed", path, cause: "the file did not change" },
      );
    case "other":
      if (reply.kind === "done" && reply.saved && !reply.asBytes && done.plan.kind === "update")
        return changedOnSave(done, done.plan);
      return unknown(failure ?? { code: "read-back-differs", path });
  }
}

function applied(
  { file, snapshot, plan, sides, kept }: Done,
  verdict: Verdict,
  notes: readonly string[],
): Committed {
  return {
    kind: "applied",
    diff: diffOf(file, snapshot, plan),
    unsaved: verdict === "written-unsaved",
    notes: [...plan.notes, ...notes],
    plan,
    base: snapshot,
    sizes: {
      bytesBefore: sides.before.bytes?.length ?? 0,
      bytesAfter: sides.after.bytes?.length ?? 0,
      encoding: encodingOf(snapshot),
    },
    kept,
  };
}

/** The encoding the file has, or, new, gets. */
export function encodingOf(snapshot: Snapshot): string {
  return snapshot.kind === "file" && snapshot.body.ok ? snapshot.body.value.encoding : "utf8";
}

/** A formatter or another save participant rewrote the text: told with the diff to what is on disk now. */
async function changedOnSave(
  done: Done,
  plan: UnitPlan & { readonly kind: "update" },
): Promise<Committed> {
  const { ports, file, snapshot } = done;
  const now = await ports.workspace.look(file);
  if (!now.ok || now.value.kind !== "file" || !now.value.body.ok)
    return {
      kind: "unknown",
      error: explain(ports, { code: "read-back-differs", path: file.asked }),
    };
  const before = plan.change.before.text;
  const text = now.value.body.value.text;
  const change = replacement(plan.change, before, text);
  const { changedOnSave: say } = ports.words ?? MODEL_WORDS;
  const saved = { ...plan, change };
  const sides = { before: done.sides.before, after: { bytes: now.value.bytes, text } };
  const kept = await keepSides(ports, snapshot, saved, sides);
  return applied({ ...done, plan: saved, sides, kept }, "written", [say(file.asked)]);
}

/** One splice from one text to the other, without what both share at either end. */
function replacement(change: TextChange, before: string, after: string): TextChange {
  let from = 0;
  const shorter = Math.min(before.length, after.length);
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  let tail = 0;
  while (
    tail < shorter - from &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  const insert = after.slice(from, after.length - tail);
  const to = before.length - tail;
  const edit =
    from === to && insert === ""
      ? Edit.none(before.length)
      : Edit.of(before.length, [{ from, to, insert }]);
  return textChange(change.before, edit, change.tolerance);
}

export function diffOf(file: FileRef, snapshot: Snapshot, plan: UnitPlan): string {
  switch (plan.kind) {
    case "update":
      return printUnified(plan.change.diff, file.asked);
    case "create":
      return whole("", plan.text, file.asked);
    case "delete":
      return snapshot.kind === "file" && snapshot.body.ok
        ? whole(snapshot.body.value.text, "", file.asked)
        : "";
  }
}

/** The diff of all of a text to all of another. */
export function whole(before: string, after: string, path: string): string {
  if (before === after) return "";
  const edit = Edit.of(before.length, [{ from: 0, to: before.length, insert: after }]);
  return printUnified(serverDiff(SourceText.of(before), edit), path);
}

/**
 * Keeps both sides of a plan before it is carried out, so that the panel can show it and take it back whatever
 * happens, and a start after a crash can tell what the file holds: the bytes under their hashes, the mode, and the
 * inverse splices. A store that fails costs the undo, never the call.
 */
export async function keepSides(
  ports: Pick<Ports, "store" | "logBug">,
  snapshot: Snapshot,
  plan: UnitPlan,
  { before, after }: Sides,
): Promise<Partial<FileRecord>> {
  const inverse =
    plan.kind === "update"
      ? { inverse: plan.change.edit.invert(plan.change.before.text).splices }
      : snapshot.kind === "file" && snapshot.mode !== null
        ? { modeBefore: snapshot.mode }
        : {};
  try {
    const keep = async (bytes: Uint8Array | null): Promise<string | undefined> =>
      bytes === null ? undefined : ports.store.keep(bytes);
    const hashBefore = await keep(before.bytes);
    const hashAfter = await keep(after.bytes);
    return {
      ...inverse,
      ...(hashBefore === undefined ? {} : { hashBefore }),
      ...(hashAfter === undefined ? {} : { hashAfter }),
    };
  } catch (error) {
    ports.logBug(error);
    return inverse;
  }
}
