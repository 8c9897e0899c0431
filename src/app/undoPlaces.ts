import { at } from "../base/assert.ts";
import type { Result } from "../base/result.ts";
import type { FileProblem } from "../engine/index.ts";
import type { FileRef, Workspace } from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";
import type { UndoProblem } from "./undoProblem.ts";

/** Where a call's files are now, and which of them an undo must take back together. Nothing is read but links. */
interface PlacePorts {
  readonly workspace: Pick<Workspace, "locate">;
}

/** Indexes in the order given; together are files that share a place, or of which one has the other's content now. */
export async function linked(
  ports: PlacePorts,
  call: CallRecord,
  indexes: readonly number[],
): Promise<readonly (readonly Linked[])[]> {
  let groups: (readonly Linked[])[] = [];
  for (const index of indexes) {
    const next = await placed(ports, at(call.files, index), index);
    const isNear = (group: readonly Linked[]): boolean => group.some((one) => areLinked(one, next));
    const together = groups.filter(isNear).flat();
    groups = [...groups.filter((group) => !isNear(group)), [...together, next]];
  }
  return groups.map((group) => group.toSorted((a, b) => b.index - a.index));
}

export interface Linked {
  readonly index: number;
  readonly file: FileRecord;
  /** As recorded, and with links followed. */
  readonly places: readonly string[];
  /** A link leads one of its paths to another place than that of the call, where nothing may be done. */
  readonly elsewhere: UndoProblem | null;
}

async function placed({ workspace }: PlacePorts, file: FileRecord, index: number): Promise<Linked> {
  const places: string[] = [];
  let elsewhere: UndoProblem | null = null;
  const known = [
    { path: file.absolute ?? file.path, real: file.real, named: file.shown },
    { path: movedFrom(file), real: file.realFrom, named: movedFrom(file) },
  ];
  for (const { path, real, named } of known) {
    if (path === undefined || named === undefined) continue;
    const ref = await workspace.locate(path, "read", true);
    const led = ledElsewhere(named, real, ref);
    // What somebody else's link leads to does not bind two files of the call together.
    places.push(path, ...(ref.ok && led === null ? [ref.value.real] : []));
    elsewhere ??= led;
  }
  return { index, file, places, elsewhere };
}

/** Records of old do not have the real place: of those a link is refused whatever it leads to. */
function ledElsewhere(
  path: string,
  recorded: string | undefined,
  found: Result<FileRef, FileProblem>,
): UndoProblem | null {
  const code = "undo-other-place";
  if (!found.ok) {
    const { problem } = found;
    if (problem.code !== "path-outside" || problem.real === null) return null;
    return recorded === undefined || recorded === problem.real
      ? null
      : { code, path, is: "other", to: problem.real };
  }
  const { real, linkTo } = found.value;
  if (recorded === real) return null;
  if (linkTo !== undefined) return { code, path, is: "link", to: linkTo };
  return recorded === undefined ? null : { code, path, is: "other", to: real };
}

function areLinked(a: Linked, b: Linked): boolean {
  const gave = ({ file: { hashBefore, hashAfter } }: Linked, to: Linked): boolean =>
    hashBefore !== undefined && hashBefore !== hashAfter && hashBefore === to.file.hashAfter;
  return a.places.some((place) => b.places.includes(place)) || gave(a, b) || gave(b, a);
}

export function movedFrom({ operation, outcome }: FileRecord): string | undefined {
  return operation === "move" ? outcome?.movedFrom : undefined;
}
