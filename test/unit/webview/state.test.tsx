import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitsFilter } from "../../../src/protocol/callFilter.ts";
import { PROTOCOL_VERSION, type CallCard } from "../../../src/protocol/cards.ts";
import type { ToView } from "../../../src/protocol/messages.ts";
import { savedOf, stateFrom } from "../../../webview/saved.ts";
import { heldCount, shownCalls, totalsOf } from "../../../webview/select.ts";
import {
  FIRST_STATE,
  NO_FILTER,
  reduce,
  VIEW_VERSION,
  type Action,
  type State,
} from "../../../webview/state.ts";
import { call, file, NOW } from "../../screens/build.ts";
import { STATES } from "../../screens/states.ts";

test("the view speaks the protocol's version", () => {
  expect(VIEW_VERSION).toBe(PROTOCOL_VERSION);
});

/** A host that keeps calls and tells of each step, as the real one does. */
class ModelHost {
  seq = 0;
  readonly calls = new Map<string, CallCard>();
  readonly older: CallCard[];
  readonly messages: ToView[] = [];
  notice: string | null = null;
  private readonly first: ToView;

  constructor(older: readonly CallCard[]) {
    this.older = [...older];
    this.first = this.snapshot();
  }

  snapshot(): ToView {
    const calls = [...this.calls.values()].sort((a, b) => b.startedAt - a.startedAt);
    return {
      kind: "snapshot",
      version: 1,
      seq: this.seq,
      calls,
      olderCount: this.older.length,
      trusted: true,
      session: calls[0]?.session ?? null,
      ...(this.notice === null ? {} : { storeNotice: this.notice }),
      strings: {},
    };
  }

  tell(card: CallCard): void {
    const oldest = Math.min(...[...this.calls.values()].map(({ startedAt }) => startedAt));
    this.messages.push({ kind: "call", seq: ++this.seq, call: card });
    if (this.older.length === 0 || this.calls.size === 0 || oldest <= card.startedAt) {
      this.calls.set(card.id, card);
      return;
    }
    // It has its place among those that were not sent yet.
    const before = this.older.length;
    const others = this.older.filter(({ id }) => id !== card.id);
    this.older.splice(0, before, ...others, card);
    this.older.sort((a, b) => b.startedAt - a.startedAt);
    if (before < this.older.length) this.sendOlder([]);
  }

  say(notice: string | null): void {
    this.notice = notice;
    this.messages.push({ kind: "notice", seq: ++this.seq, storeNotice: notice });
  }

  loadOlder(): void {
    const calls = this.older.splice(0, 2);
    for (const card of calls) this.calls.set(card.id, card);
    this.sendOlder(calls);
  }

  private sendOlder(calls: readonly CallCard[]): void {
    this.messages.push({ kind: "older", seq: ++this.seq, calls, olderCount: this.older.length });
  }

  history(): readonly ToView[] {
    return [this.first, ...this.messages];
  }
}

const phases = ["received", "planning", "applying", "done", "interrupted"] as const;
const sessions = ["s1", "s2"] as const;

/** Steps of calls 0 to 5, a wish for older ones, or another word about the store. Call n always starts at second n. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      n: fc.nat({ max: 5 }),
      phase: fc.constantFrom(...phases),
      session: fc.constantFrom(...sessions),
    }),
    fc.constant("older" as const),
    fc.constantFrom("kept in memory", null).map((notice) => ({ notice })),
  ),
  { maxLength: 30 },
);

function play(
  history: readonly (typeof steps extends fc.Arbitrary<infer T> ? T : never)[number][],
): ModelHost {
  const old = Array.from({ length: 5 }, (_, i) =>
    call(`old${i}`, [], { startedAt: NOW - 1_000_000 - i }),
  );
  const host = new ModelHost(old);
  for (const step of history) {
    if (step === "older") host.loadOlder();
    else if ("notice" in step) host.say(step.notice);
    else {
      const { n, phase, session } = step;
      host.tell(call(`call${n}`, [], { startedAt: NOW + n * 1_000, phase, session }));
    }
  }
  return host;
}

function receiveAll(messages: readonly ToView[], from: State = FIRST_STATE): State {
  return messages.reduce((state, message) => reduce(state, { kind: "received", message }), from);
}

describe("the reducer", () => {
  test("law: a replayed history is the snapshot of its end", () => {
    fc.assert(
      fc.property(steps, (history) => {
        const host = play(history);
        const replayed = receiveAll(host.history());
        const told = receiveAll([host.snapshot()]);
        expect(replayed.host).toEqual(told.host);
      }),
    );
  });

  test("law: what the person does changes nothing that the host said", () => {
    const actions = fc.array(
      fc.constantFrom<Action>(
        { kind: "scope", scope: "all" },
        { kind: "scope", scope: "last" },
        { kind: "search", text: "call" },
        { kind: "scrolled", atTop: false },
        { kind: "scrolled", atTop: true },
        { kind: "showHeld" },
        { kind: "fold", keys: ["call1"], folded: true },
        { kind: "goTo", row: { callId: "call2" } },
        { kind: "filter", filter: { rejected: true } },
      ),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(steps, actions, fc.infiniteStream(fc.boolean()), (history, done, coin) => {
        const messages = [...play(history).history()];
        const left = [...done];
        let state = FIRST_STATE;
        for (const message of messages) {
          state = reduce(state, { kind: "received", message });
          const action = coin.next().value === true ? left.pop() : undefined;
          if (action !== undefined) state = reduce(state, action);
        }
        expect(state.host).toEqual(receiveAll(messages).host);
      }),
    );
  });

  test("law: after a gap nothing is taken in until a snapshot comes", () => {
    fc.assert(
      fc.property(steps, fc.nat(), (history, at) => {
        const host = play(history);
        fc.pre(1 < host.messages.length);
        const lost = 1 + (at % (host.messages.length - 1));
        const heard = host.history().filter((_, index) => index !== lost);
        const before = receiveAll(heard.slice(0, lost));
        const after = receiveAll(heard);
        expect(after.host).toEqual({ ...before.host, stale: true });
        expect(receiveAll([host.snapshot()], after).host.stale).toBe(false);
      }),
    );
  });

  test("a message that comes twice changes nothing", () => {
    const host = play([{ n: 1, phase: "done", session: "s1" }]);
    const once = receiveAll(host.history());
    expect(receiveAll(host.messages, once)).toEqual(once);
  });
});

describe("calls that arrive", () => {
  const shown = (state: State): readonly string[] => shownCalls(state).map(({ id }) => id);
  const start = (): State =>
    receiveAll([
      {
        kind: "snapshot",
        version: 1,
        seq: 1,
        calls: [call("one", [file("a.ts")], { startedAt: NOW })],
        olderCount: 0,
        trusted: true,
        session: "session-1",
        strings: {},
      },
    ]);
  const born = { two: 2, three: 3, four: 4 };
  const arrive = (id: keyof typeof born, seq: number): Action => ({
    kind: "received",
    message: { kind: "call", seq, call: call(id, [file("b.ts")], { startedAt: NOW + born[id] }) },
  });

  test("push in at the top, and wait while the list is read further down", () => {
    const atTop = reduce(start(), arrive("two", 2));
    expect(shown(atTop)).toEqual(["two", "one"]);
    const reading = reduce(atTop, { kind: "scrolled", atTop: false });
    const later = [arrive("three", 3), arrive("four", 4), arrive("three", 5)].reduce(
      reduce,
      reading,
    );
    expect(shown(later)).toEqual(["two", "one"]);
    expect(heldCount(later)).toBe(2);
    const back = reduce(later, { kind: "scrolled", atTop: true });
    expect(shown(back)).toEqual(["four", "three", "two", "one"]);
    expect(heldCount(back)).toBe(0);
  });

  test("that the filter hides are not counted as new", () => {
    const searching = reduce(start(), { kind: "search", text: "a.ts" });
    const reading = reduce(searching, { kind: "scrolled", atTop: false });
    expect(heldCount(reduce(reading, arrive("two", 2)))).toBe(0);
  });

  test("wait across a new snapshot too", () => {
    const reading = reduce(start(), { kind: "scrolled", atTop: false });
    const message: ToView = {
      kind: "snapshot",
      version: 1,
      seq: 9,
      calls: [
        call("two", [], { startedAt: NOW + 5 }),
        call("one", [file("a.ts")], { startedAt: NOW }),
      ],
      olderCount: 0,
      trusted: true,
      session: "session-1",
      strings: {},
    };
    const again = reduce(reading, { kind: "received", message });
    expect(shown(again)).toEqual(["one"]);
    expect(heldCount(again)).toBe(1);
  });
});

describe("scope, search and filter", () => {
  const at = (n: number): number => NOW - n * 1_000;
  const calls = [
    { ...STATES.applied, startedAt: at(1) },
    { ...STATES.ambiguous, startedAt: at(2) },
    { ...STATES.patch, startedAt: at(3) },
    { ...STATES.interrupted, startedAt: at(4) },
    call("other", [file("lib/z.ts")], { session: "another", startedAt: at(5) }),
  ];
  const state = receiveAll([
    {
      kind: "snapshot",
      version: 1,
      seq: 1,
      calls,
      olderCount: 0,
      trusted: true,
      session: "session-1",
      strings: {},
    },
  ]);
  const shown = (...actions: readonly Action[]): readonly string[] =>
    shownCalls(actions.reduce(reduce, state)).map(({ id }) => id);

  test("scope: last call, its session, all", () => {
    expect(shown({ kind: "scope", scope: "last" })).toEqual(["applied"]);
    expect(shown()).toEqual(["applied", "ambiguous", "patch", "interrupted"]);
    expect(shown({ kind: "scope", scope: "all" })).toHaveLength(5);
  });

  test("search: every word, in path, tool or model, in any case", () => {
    expect(shown({ kind: "search", text: "SERVER/config" })).toEqual(["applied", "ambiguous"]);
    expect(shown({ kind: "search", text: "apply_patch gpt" })).toEqual(["patch"]);
    expect(shown({ kind: "search", text: "apply_patch sonnet" })).toEqual([]);
  });

  test("filter: rejected, needs attention, tool", () => {
    expect(shown({ kind: "filter", filter: { rejected: true } })).toEqual([
      "ambiguous",
      "interrupted",
    ]);
    expect(shown({ kind: "filter", filter: { attention: true } })).toEqual([
      "ambiguous",
      "interrupted",
    ]);
    expect(shown({ kind: "filter", filter: { tool: "apply_patch" } })).toEqual(["patch"]);
  });

  test("to review: changes that stand, can be taken back, and were not kept", () => {
    const counts = ["reviewed", "undoCall", "applied", "ambiguous"] as const;
    expect(counts.map((name) => totalsOf([STATES[name]]).toReview)).toEqual([2, 0, 0, 0]);
    const kept = { ...STATES.reviewed, files: STATES.reviewed.files.slice(0, 2) };
    const filter = { ...NO_FILTER, review: true };
    expect(fitsFilter(STATES.reviewed, { text: "", ...filter })).toBe(true);
    expect(fitsFilter(kept, { text: "", ...filter })).toBe(false);
  });

  test("a call that is to be revealed is not hidden by any of them", () => {
    const hide: Action = { kind: "search", text: "nothing has this" };
    const reveal: Action = { kind: "received", message: { kind: "reveal", callId: "other" } };
    expect(shown(hide, reveal)).toContain("other");
  });

  test("the sums are those of the list, each changed file once", () => {
    const two = [STATES.appliedOne, { ...STATES.appliedOne, id: "again" }, STATES.notFound];
    expect(totalsOf(two)).toEqual({
      calls: 3,
      files: 1,
      toReview: 0,
      rejected: 2,
      added: 2,
      removed: 2,
    });
  });
});

describe("what outlives the view", () => {
  test("law: it comes back as it was", () => {
    const saved = fc.record({
      scope: fc.constantFrom("last" as const, "session" as const, "all" as const),
      search: fc.string(),
      filter: fc.record({
        review: fc.boolean(),
        rejected: fc.boolean(),
        attention: fc.boolean(),
        tool: fc.option(fc.string(), { nil: null }),
        model: fc.option(fc.string(), { nil: null }),
      }),
      filterOpen: fc.boolean(),
      layout: fc.constantFrom("unified" as const, "split" as const),
      folds: fc.dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        fc.boolean(),
      ),
    });
    fc.assert(
      fc.property(saved, (one) => {
        expect(savedOf(stateFrom(one))).toEqual({ ...one, folds: { ...one.folds } });
      }),
    );
  });

  test("law: whatever was saved, a first state comes of it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (junk) => {
        const { ui, host } = stateFrom(junk);
        expect(host).toEqual(FIRST_STATE.host);
        expect(["last", "session", "all"]).toContain(ui.scope);
      }),
    );
  });
});
