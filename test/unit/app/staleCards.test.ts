import { expect, test } from "vitest";
import { callCard } from "../../../src/app/card.ts";
import type { CallRecord, FileRecord } from "../../../src/app/record.ts";
import { createStaleCards, type StaleCards } from "../../../src/app/staleCards.ts";
import { sampleCall, sampleFile, without } from "../store/sampleCalls.ts";

const at = (shown: string, extra: Partial<FileRecord> = {}): FileRecord =>
  sampleFile(shown, { absolute: `/w/${shown}`, ...extra });

/** What a view was sent: one card for each call, with marks on the named files. */
function viewOf(...sent: readonly (readonly [CallRecord, readonly string[]])[]): StaleCards {
  const cards = createStaleCards();
  for (const [call, kept] of sent) send(cards, call, kept);
  return cards;
}

function send(cards: StaleCards, call: CallRecord, kept: readonly string[]): void {
  const card = callCard(call);
  const files = card.files.map((file, i) =>
    kept.includes(call.files[i]!.shown) ? { ...file, reviewed: true } : file,
  );
  cards.sent(call, { ...card, files });
}

const first = sampleCall(1, { files: [at("a.ts"), at("b.ts")] });
const other = sampleCall(2, { files: [at("c.ts")] });

test("a later call to a kept file makes its card stale, and no other", () => {
  const cards = viewOf([first, ["a.ts"]], [other, ["c.ts"]]);
  expect(cards.after(sampleCall(3, { files: [at("a.ts")] }))).toEqual([first.id]);
  expect(cards.after(sampleCall(4, { files: [at("d.ts")] }))).toEqual([]);
  expect(cards.after(sampleCall(5, { files: [at("c.ts"), at("b.ts")] })).toSorted()).toEqual([
    first.id,
    other.id,
  ]);
});

test("a call that runs, changed nothing or is the one itself makes none stale", () => {
  const cards = viewOf([first, ["a.ts"]]);
  expect(cards.after(without(sampleCall(3, { files: [at("a.ts")] }), "endedAt"))).toEqual([]);
  const outcome = { path: "/w/a.ts", status: "rejected", operation: "update" } as const;
  expect(cards.after(sampleCall(4, { files: [at("a.ts", { outcome })] }))).toEqual([]);
  expect(cards.after(first)).toEqual([]);
});

test("a file whose outcome is unknown, and both ends of a move, count as touched", () => {
  const cards = viewOf([first, ["a.ts"]]);
  const unknown = { path: "/w/a.ts", status: "unknown", operation: "update" } as const;
  expect(cards.after(sampleCall(3, { files: [at("a.ts", { outcome: unknown })] }))).toEqual([
    first.id,
  ]);
  const moved = {
    path: "/w/z.ts",
    status: "applied",
    operation: "move",
    movedFrom: "/w/a.ts",
  } as const;
  expect(
    cards.after(sampleCall(4, { files: [at("z.ts", { operation: "move", outcome: moved })] })),
  ).toEqual([first.id]);
});

test("a card that was sent without its mark is not sent again", () => {
  const cards = viewOf([first, ["a.ts"]]);
  send(cards, first, []);
  expect(cards.after(sampleCall(3, { files: [at("a.ts")] }))).toEqual([]);
});
