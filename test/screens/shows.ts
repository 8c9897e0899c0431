import type { CallCard } from "../../src/protocol/cards.ts";
import type { ToView } from "../../src/protocol/messages.ts";
import type { Action } from "../../webview/state.ts";
import { call, file, NOW, SESSION } from "./build.ts";
import { manyCalls, STATES } from "./states.ts";

/** One picture of the gallery: what the host has sent, and what the person has done since. */
export interface Show {
  readonly name: string;
  readonly snapshot: Extract<ToView, { kind: "snapshot" }>;
  readonly then: readonly Action[];
  /** Keys pressed at last, with the focus on the first row. */
  readonly keys: readonly string[];
}

type Parts = Partial<Omit<Show, "snapshot">> & Partial<Show["snapshot"]>;

/** Calls in the order of the picture: the first is the newest. */
function show(name: string, calls: readonly CallCard[], parts: Parts = {}): Show {
  const { then = [], keys = [], ...snapshot } = parts;
  return {
    name,
    then,
    keys,
    snapshot: {
      kind: "snapshot",
      version: 1,
      seq: 1,
      calls: calls.map((one, i) => later(one, i)),
      olderCount: 0,
      trusted: true,
      session: SESSION,
      strings: {},
      ...snapshot,
    },
  };
}

/** A card at its place in time; cards of another day stay where they are. */
function later(one: CallCard, index: number): CallCard {
  if (one.startedAt < NOW - 86_400_000) return one;
  const startedAt = NOW - 14_000 - index * 61_000;
  const { endedAt } = one;
  return {
    ...one,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt: startedAt + endedAt - one.startedAt }),
  };
}

const S = STATES;
const filtered: readonly Action[] = [
  { kind: "filterOpen", open: true },
  { kind: "filter", filter: { rejected: true, tool: "apply_patch" } },
];

export const SHOWS: readonly Show[] = [
  show("overview", [S.applying, S.ambiguous, S.waiting, S.applied]),
  show("applied", [S.applied, S.appliedOne, S.appliedNothing, S.appliedNotes, S.endings]),
  show("failed", [S.ambiguous, S.notFound, S.failedGroup, S.unknown, S.wholeCall, S.invalidInput]),
  show("running", [S.received, S.receivedFiles, S.queued, S.planning, S.applying]),
  show("waiting", [
    S.waiting,
    {
      ...S.waiting,
      id: "half-answered",
      userMessage: "A hook says: settings of the workspace are shared by the team.",
      approval: { hash: "c0ffee", answers: { ".vscode/settings.json": "approved" } },
    },
  ]),
  show("reviewed", [S.reviewed, S.undoCall, S.undoRefused]),
  show("menu-hunk", [S.reviewed], { keys: ["End", "ArrowUp", "."] }),
  show("patch", [S.patch, S.alreadyApplied, S.interrupted, S.replay, S.legacy]),
  show("text", [S.longPath, S.unicode, S.longLine]),
  show("many-files", [S.manyFiles]),
  show("long", [S.long, S.applied]),
  show("long-whole", [S.long, S.applied], {
    then: [
      { kind: "fold", keys: ["long\u001fsrc/generated/table.ts\u001fpreview"], folded: false },
    ],
  }),
  show("empty", []),
  show("untrusted", [], {
    trusted: false,
    storeNotice: "The store of calls is kept in memory here: it ends with this window.",
  }),
  show("filter", [S.applied, S.failedGroup, S.notFound, S.patch], { then: filtered }),
  show("none-fits", [S.applied], { then: filtered, olderCount: 1_234 }),
  show("thousand", manyCalls(1_000), {
    olderCount: 1,
    then: [{ kind: "scrolled", atTop: false }, arrives("new-1", 2), arrives("new-2", 3)],
  }),
  show("focus-file", [S.ambiguous, S.applied], { keys: ["ArrowDown"] }),
  show("focus-hunk", [S.applied], { keys: ["ArrowDown", "ArrowDown"] }),
  show("menu", [S.ambiguous, S.applied], { keys: ["ArrowDown", "."] }),
  show("folded", [S.ambiguous, S.applied], {
    keys: ["ArrowLeft", "ArrowDown", "ArrowDown", "ArrowLeft"],
  }),
  show("unfolded-request", [S.notFound], {
    then: [
      { kind: "fold", keys: ["notFound\u001fsrc/retry/backoff.ts\u001frequested"], folded: false },
    ],
  }),
];

/** For measuring, not for looking at. */
export const SPEED_SHOWS: readonly Show[] = [
  show("speed-calls", manyCalls(500)),
  show("speed-diff", [S.long], {
    then: [
      { kind: "fold", keys: ["long\u001fsrc/generated/table.ts\u001fpreview"], folded: false },
    ],
  }),
];

function arrives(id: string, seq: number): Action {
  const card = call(id, [file("src/new.ts")], { startedAt: NOW + seq });
  return { kind: "received", message: { kind: "call", seq, call: card } };
}
