import type { FileOutcome } from "../engine/index.ts";
import { contentHash } from "./contentHash.ts";
import type { FileRef, Ports, Snapshot } from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";
import { UNDO_TOOL } from "./runUndo.ts";
import { statusOf } from "./structured.ts";
import { UNDO_WORDS } from "./undoWords.ts";
import { MODEL_WORDS, type Words } from "./words.ts";

type CheckPorts = Pick<Ports, "workspace" | "store" | "clock" | "logBug">;

/**
 * Looks at each file of a call that was under way when its window ended, and tells what became of it: the bytes on
 * disk are the planned ones, the ones before, or something else. Nothing is written to any file.
 */
export async function settleInterrupted(ports: CheckPorts, call: CallRecord): Promise<CallRecord> {
  const places = await lookAtPlaces(ports, call.files);
  const words = call.tool === UNDO_TOOL ? UNDONE : CALLED;
  const files = call.files.map((file, index): FileRecord => {
    const evidence = evidenceOf(places, index);
    if (file.outcome !== undefined) return toldSince(file, file.outcome, evidence, words);
    const outcome = outcomeOf(file, evidence ?? unplaced(file), words);
    return { ...file, phase: "done", outcome };
  });
  const outcomes = files.flatMap(({ outcome }) => outcome ?? []);
  const message = "The window closed while this call ran; each of its files was looked at since.";
  const ended: CallRecord = {
    ...call,
    files,
    phase: "interrupted",
    endedAt: ports.clock.now(),
    result: { status: statusOf(outcomes), isError: true, text: message, message },
  };
  await ports.store.put(ended);
  return ended;
}

/** What a call could not tell of a file is told when its bytes do: those before it, or those that were planned. */
function toldSince(
  file: FileRecord,
  known: FileOutcome,
  evidence: Evidence | undefined,
  words: Advice,
): FileRecord {
  if (known.status !== "unknown" || evidence === undefined) return file;
  switch (evidence) {
    case "half":
    case "unclear":
      return file;
    case "done":
    case "done-unsaved":
      return { ...file, outcome: outcomeOf(file, evidence, words) };
    case "not-done": {
      const message = "not changed: the file holds what it held before";
      const error = { message, advice: words.again };
      return { ...file, outcome: { ...outcomeOf(file, evidence, words), error } };
    }
  }
}

/** What one file of the call was to do at one place, as hashes; null: no file. */
interface Event {
  readonly file: number;
  readonly before: string | null;
  readonly after: string | null;
  /** A file that moves has its new name before it has its new text. */
  readonly half?: string;
}

interface Place {
  /** In the order in which the call comes to them. */
  readonly events: Event[];
  readonly seen: Seen;
}

/** What is at a place now. `unsaved`: the hash an open editor's text would have on disk, where it is another. */
type Seen =
  | { readonly kind: "seen"; readonly disk: string | null; readonly unsaved: string | null }
  | { readonly kind: "unreadable" };

/** Two names of one file are one place, and files of one call may follow each other there. */
async function lookAtPlaces(
  ports: CheckPorts,
  files: readonly FileRecord[],
): Promise<readonly Place[]> {
  const places = new Map<string, Place>();
  const add = async (path: string, event: Event): Promise<void> => {
    const ref = await ports.workspace.locate(path, "read", true);
    const key = ref.ok ? ref.value.real : path;
    let place = places.get(key);
    if (place === undefined) {
      const seen = ref.ok ? await lookAt(ports, ref.value) : ({ kind: "unreadable" } as const);
      places.set(key, (place = { events: [], seen }));
    }
    place.events.push(event);
  };
  for (const [index, file] of files.entries()) {
    const { absolute, hashBefore, hashAfter, operation, movedFrom } = file;
    if (absolute === undefined || (hashBefore ?? hashAfter) === undefined) continue;
    const [before, after] = [hashBefore ?? null, hashAfter ?? null];
    if (operation !== "move" || movedFrom === undefined)
      await add(absolute, { file: index, before, after });
    else {
      await add(movedFrom, { file: index, before, after: null });
      const half = before === after || before === null ? {} : { half: before };
      await add(absolute, { file: index, before: null, after, ...half });
    }
  }
  return [...places.values()];
}

async function lookAt({ workspace }: CheckPorts, file: FileRef): Promise<Seen> {
  const look = await workspace.look(file);
  if (!look.ok) return { kind: "unreadable" };
  if (look.value.kind === "missing") return { kind: "seen", disk: null, unsaved: null };
  const { bytes, body } = look.value;
  // Unsaved text that belongs to another state of the disk says nothing about the call.
  if (!body.ok && body.problem.code.startsWith("dirty-")) return { kind: "unreadable" };
  return { kind: "seen", disk: await contentHash(bytes), unsaved: await unsavedHash(look.value) };
}

async function unsavedHash(look: Snapshot): Promise<string | null> {
  if (look.kind !== "file" || !look.body.ok || look.body.value.source !== "document") return null;
  const { text, encode } = look.body.value;
  const bytes = encode(text);
  return bytes.ok ? contentHash(bytes.value) : "";
}

type Evidence = "done" | "done-unsaved" | "not-done" | "half" | "unclear";

/** A file of whose sides nothing is known. */
function unplaced({ planned, operation }: FileRecord): Evidence {
  // Without a plan in the record the call had not come to writing yet.
  if (planned === undefined) return "not-done";
  return planned === "" && operation === "update" ? "done" : "unclear";
}

/** A file that moved is done only when both its places are. Undefined where no place tells of it. */
function evidenceOf(places: readonly Place[], file: number): Evidence | undefined {
  const found = places.flatMap(({ events, seen }) =>
    events.flatMap((event, index) =>
      event.file === file ? [evidenceAt(events, index, seen)] : [],
    ),
  );
  const [first, second = first] = found;
  if (first === second) return first;
  if (first === "done" && second !== "not-done") return second;
  if (second === "done" && first !== "not-done") return first;
  return "unclear";
}

function evidenceAt(events: readonly Event[], index: number, seen: Seen): Evidence {
  const event = events[index];
  if (seen.kind === "unreadable" || event === undefined) return "unclear";
  const { disk, unsaved } = seen;
  if (unsaved !== null && unsaved !== disk) {
    if (unsaved === event.after) return "done-unsaved";
    return disk === event.before && unsaved === event.before ? "not-done" : "unclear";
  }
  // The last state that fits is the one the call came to at this place.
  const reached = events.findLastIndex(({ after, half }) => after === disk || half === disk);
  if (index === reached) return event.after === disk ? "done" : "half";
  if (reached >= 0) return index < reached ? "done" : "not-done";
  return disk === events[0]?.before ? "not-done" : "unclear";
}

function outcomeOf(file: FileRecord, evidence: Evidence, words: Advice): FileOutcome {
  const { path } = file;
  const base = {
    path,
    operation: file.operation,
    ...(file.edits === undefined ? {} : { edits: file.edits }),
    ...(file.operations === undefined ? {} : { operations: file.operations }),
    ...(file.movedFrom === undefined ? {} : { movedFrom: file.movedFrom }),
  };
  const applied = { ...base, status: "applied" as const, diff: file.planned ?? "" };
  switch (evidence) {
    case "done":
      return {
        ...applied,
        note: "The window closed while this call ran; the file holds what was planned.",
      };
    case "done-unsaved":
      return {
        ...applied,
        unsaved: true,
        note: "The window closed while this call ran; the change stands in the editor and is not saved yet (unsaved).",
      };
    case "not-done":
      return {
        ...base,
        status: "rejected",
        error: {
          message: "not written: the window closed before this file's turn",
          advice: words.again,
        },
      };
    case "half":
      return {
        ...base,
        status: "unknown",
        error: {
          message: `${file.movedFrom ?? "the file"} was moved to ${path}, and the window closed before its text was changed`,
          advice: words.half(path),
        },
      };
    case "unclear":
      return {
        ...base,
        status: "unknown",
        error: words.explain({ code: "read-back-differs", path }),
      };
  }
}

interface Advice extends Pick<Words, "explain"> {
  readonly again: string;
  readonly half: (path: string) => string;
}

const CALLED: Advice = {
  ...MODEL_WORDS,
  again: "Send it again if it is still wanted.",
  half: (path) => `Re-read ${path} and send the change of its text again.`,
};

const UNDONE: Advice = {
  ...UNDO_WORDS,
  again: "Undo it again if you still want it.",
  half: (path) => `Compare the versions of ${path} and put its text right by hand.`,
};
