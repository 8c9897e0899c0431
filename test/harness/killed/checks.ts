import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallRecord, FileRecord } from "../../../src/app/record.ts";
import { killedCall, type DriverStep, type KilledPlan } from "./plan.ts";

/** What a file may be at a moment: the text on disk, null for no file. */
type Text = string | null;

function onDisk(plan: KilledPlan, name: string): Text {
  const file = join(plan.folder, name);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** A call that ended left exactly what it said, and is stored as ended. */
export function checkEnded(
  plan: KilledPlan,
  { call, id, status, text }: Extract<DriverStep, { kind: "ended" }>,
  stored: ReadonlyMap<string, CallRecord>,
): void {
  if (status !== "applied") throw new Error(`call ${call} ended ${status}: ${text}`);
  const { before, after } = killedCall(plan, call).call;
  for (const [name, wanted] of Object.entries({ ...before, ...after }))
    if (onDisk(plan, name) !== wanted) throw new Error(`${name} is not what call ${call} left`);
  const record = stored.get(id);
  if (record?.phase !== "done" || record.result?.status !== "applied")
    throw new Error(`call ${call} ended and is stored as ${record?.phase ?? "nothing"}`);
}

/**
 * A call that was cut short left each file wholly old or wholly new, and what its record says of the file is true.
 * A host may die after
 * the call ended and before the driver wrote it down: then it is stored as done. Gives the number of written files.
 */
export function checkInterrupted(
  plan: KilledPlan,
  call: number,
  stored: ReadonlyMap<string, CallRecord>,
): { readonly record: CallRecord | undefined; readonly files: number } {
  const { before, after } = killedCall(plan, call).call;
  const old = (name: string): Text => before[name] ?? null;
  const now = (name: string): Text => onDisk(plan, name);
  const record = [...stored.values()].find(({ session }) => session === `killed-${call}`);
  const files = record?.files ?? [];
  const moved = new Map(
    files.flatMap((file) =>
      file.operation === "move" ? [[nameOf(plan, file.path), originOf(plan, file)] as const] : [],
    ),
  );
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const origin = moved.get(name);
    const whole: readonly Text[] = [
      old(name),
      after[name] ?? null,
      // A file that moves has its new name before it has its new text.
      ...(origin === undefined ? [] : [old(origin)]),
    ];
    if (!whole.includes(now(name))) throw new Error(`${name} is neither old nor new`);
  }
  for (const [name, origin] of moved)
    if (now(name) === null && now(origin) === null) throw new Error(`${origin} was lost`);
  let written = 0;
  for (const file of files) {
    const name = nameOf(plan, file.path);
    const truth = statusOf(now(name), old(name), after[name] ?? null, {
      moved: file.operation === "move" && now(originOf(plan, file)) === null,
    });
    const told = file.outcome?.status ?? "nothing";
    const unsaved = file.outcome?.unsaved === true && truth === "rejected" && told === "applied";
    if (told !== truth && !unsaved)
      throw new Error(`${name} of call ${call} is told as ${told} and is ${truth}`);
    if (truth === "applied") written++;
  }
  if (record === undefined)
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (now(name) !== old(name)) throw new Error(`${name} was changed by a call nobody knows of`);
  return { record, files: written };
}

function statusOf(
  now: Text,
  old: Text,
  wanted: Text,
  { moved }: { readonly moved: boolean },
): "applied" | "rejected" | "unknown" {
  if (now === wanted) return "applied";
  if (now === old && !moved) return "rejected";
  return "unknown";
}

function nameOf({ folder }: KilledPlan, path: string): string {
  if (!path.startsWith(`${folder}/`)) throw new Error(`${path} is not below ${folder}`);
  return path.slice(folder.length + 1);
}

function originOf(plan: KilledPlan, file: FileRecord): string {
  return nameOf(plan, file.movedFrom ?? "");
}
