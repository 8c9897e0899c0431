import type { CallCard } from "../../src/protocol/cards.ts";
import type { ToView } from "../../src/protocol/messages.ts";
import { questionOf } from "../../webview/searching.ts";
import { FIRST_STATE, reduce, type Action } from "../../webview/state.ts";
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

type Found = Extract<ToView, { kind: "found" }>;

interface Parts extends Partial<Omit<Show, "snapshot">>, Partial<Show["snapshot"]> {
  /** What the host found when it was asked for what the person looks for. */
  readonly finds?: Pick<Found, "calls" | "after" | "left">;
}

/** Calls in the order of the picture: the first is the newest. */
function show(name: string, calls: readonly CallCard[], parts: Parts = {}): Show {
  const { then = [], keys = [], finds, ...rest } = parts;
  const snapshot = {
    kind: "snapshot",
    version: 1,
    seq: 1,
    calls: calls.map((one, i) => later(one, i)),
    olderCount: 0,
    trusted: true,
    session: SESSION,
    strings: {},
    ...rest,
  } as const;
  if (finds === undefined) return { name, then, keys, snapshot };
  const first = reduce(FIRST_STATE, { kind: "received", message: snapshot });
  const question = JSON.stringify(questionOf(then.reduce(reduce, first)));
  const answer: readonly Action[] = [
    { kind: "asked", question, goingOn: false },
    { kind: "received", message: { kind: "found", search: 1, ...finds } },
  ];
  return { name, then: [...then, ...answer], keys, snapshot };
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

const looksFor = (text: string): readonly Action[] => [
  { kind: "scope", scope: "all" },
  { kind: "search", text },
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
  show("split", [S.applied, S.endings, S.patch, S.unicode, S.waiting], {
    then: [{ kind: "layout", layout: "split" }],
  }),
  show("menu-hunk", [S.reviewed], { keys: ["End", "ArrowUp", "."] }),
  show("patch", [S.patch, S.alreadyApplied, S.interrupted, S.replay, S.legacy]),
  show("dry-run", [S.dryRun, S.imported, S.importedText]),
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
  show("none-fits", [S.applied], {
    then: filtered,
    olderCount: 1_234,
    finds: { calls: [], after: null, left: 0 },
  }),
  show("searching", [S.applied, S.patch], { then: looksFor("src server"), olderCount: 99_998 }),
  show("found", [S.applied, S.patch], {
    then: looksFor("src"),
    olderCount: 99_998,
    finds: { calls: [S.legacy], after: "legacy", left: 1_233 },
  }),
  show("none-so-far", [S.applied], {
    then: looksFor("quarterly report"),
    olderCount: 99_999,
    finds: { calls: [], after: "legacy", left: 97_999 },
  }),
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
