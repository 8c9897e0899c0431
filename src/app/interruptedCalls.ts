import { explainFile, type FileOutcome } from "../engine/index.ts";
import { contentHash } from "./contentHash.ts";
import type { Ports } from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";
import { statusOf } from "./structured.ts";

type CheckPorts = Pick<Ports, "workspace" | "store" | "clock" | "logBug">;

/**
 * Looks at each file of a call that was under way when its window ended, and tells what became of it: the bytes on
 * disk are the planned ones, the ones before, or something else. Nothing is written to any file.
 */
export async function settleInterrupted(ports: CheckPorts, call: CallRecord): Promise<CallRecord> {
  const files: FileRecord[] = [];
  for (const file of call.files) files.push(await settled(ports, file));
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

async function settled(ports: CheckPorts, file: FileRecord): Promise<FileRecord> {
  if (file.outcome !== undefined) return file;
  const outcome = await outcomeOf(ports, file);
  return { ...file, phase: "done", outcome };
}

async function outcomeOf(ports: CheckPorts, file: FileRecord): Promise<FileOutcome> {
  const base = {
    path: file.path,
    operation: file.operation,
    ...(file.edits === undefined ? {} : { edits: file.edits }),
    ...(file.operations === undefined ? {} : { operations: file.operations }),
    ...(file.movedFrom === undefined ? {} : { movedFrom: file.movedFrom }),
  };
  const rejected = (): FileOutcome => ({
    ...base,
    status: "rejected",
    error: {
      message: "not written: the window closed before this file's turn",
      advice: "Send it again if it is still wanted.",
    },
  });
  // Without a planned side in the record the call had not come to writing yet.
  if (
    file.absolute === undefined ||
    (file.hashBefore === undefined && file.hashAfter === undefined)
  )
    return rejected();
  const hash = await presentHash(ports, file.absolute);
  if (hash === (file.hashAfter ?? null))
    return {
      ...base,
      status: "applied",
      diff: file.planned ?? "",
      note: "The window closed while this call ran; the file holds what was planned.",
    };
  if (hash === (file.hashBefore ?? null)) return rejected();
  const error = explainFile({ code: "read-back-differs", path: file.path });
  return { ...base, status: "unknown", error };
}

/** null: there is no file, or none that can be read. */
async function presentHash(ports: CheckPorts, absolute: string): Promise<string | null> {
  const file = await ports.workspace.locate(absolute, "edit", false);
  if (!file.ok) return null;
  const seen = await ports.workspace.readBack(file.value);
  if (!seen.ok || seen.value.disk === null) return null;
  return contentHash(seen.value.disk);
}
