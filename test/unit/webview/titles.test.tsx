import { describe, expect, test } from "vitest";
import type { CallCard } from "../../../src/protocol/cards.ts";
import { pillOfFile, signOf } from "../../../webview/fileWords.ts";
import { ENGLISH, languageOf, wordsOf } from "../../../webview/strings.ts";
import { detailOf, durationOf, pillOf, timeOf, titleOf } from "../../../webview/titles.ts";
import { call, file } from "../../screens/build.ts";
import { STATES } from "../../screens/states.ts";

const words = wordsOf({}, "en");
const rejected = { status: "rejected" } as const;
const already = { status: "already_applied" } as const;

describe("the title of a call", () => {
  const cases: readonly (readonly [string, CallCard, string])[] = [
    ["several files", STATES.applied, "Edited 3 files"],
    ["one file", STATES.appliedOne, "Edited alpha.ts"],
    ["nothing changed in it", STATES.appliedNothing, "Edited same.ts"],
    ["some rejected, some done before", STATES.ambiguous, "Edited 1 of 3 files"],
    [
      "some done before, none rejected",
      call("x", [file("a"), file("b", already)]),
      "Edited 1 of 2 files",
    ],
    ["all done before", STATES.alreadyApplied, "Already applied"],
    ["one rejected", call("x", [file("d/alpha.ts", rejected)]), "Could not edit alpha.ts"],
    ["all rejected", STATES.notFound, "Could not edit 2 files"],
    [
      "none applied, one done before",
      call("x", [file("a.ts", rejected), file("b.ts", already)], { status: "partial" }),
      "Could not edit a.ts",
    ],
    ["not known", STATES.unknown, "Could not confirm data.ts"],
    ["a patch of all kinds", STATES.patch, "Edited 4 files"],
    ["a failed group", STATES.failedGroup, "Edited 1 of 2 files"],
    ["the call as a whole was refused", STATES.wholeCall, "Could not edit files"],
    ["input that is not JSON", STATES.invalidInput, "Could not edit files"],
    [
      "from a transcript: nothing of it ran here",
      call("x", [file("a.ts", { phase: "waiting" })], { badges: ["imported"] }),
      "Not applied here",
    ],
    [
      "from a transcript, with broken input",
      call("x", [], { badges: ["imported"] }),
      "Not applied here",
    ],
    ["old shape", STATES.legacy, "Edited 2 files"],
    ["nothing is known yet", STATES.received, "Editing files…"],
    ["files are known", STATES.receivedFiles, "Editing 2 files…"],
    [
      "one file is known",
      call("x", [file("src/alpha.ts")], { phase: "received" }),
      "Editing alpha.ts…",
    ],
    ["planning", STATES.planning, "Planning…"],
    ["queued", STATES.queued, "Queued"],
    [
      "queued behind a question",
      { ...STATES.queued, heldUpByQuestion: true },
      "Queued behind a call that waits for your approval",
    ],
    ["asking for two", STATES.waiting, "Approve 2 files?"],
    [
      "asking for one of two",
      call("x", [file("a.ts", { phase: "proposed" }), file("b.ts")], { phase: "approval" }),
      "Approve a.ts?",
    ],
    [
      "asking for what is not answered yet",
      {
        ...STATES.waiting,
        approval: { hash: "x", answers: { ".vscode/settings.json": "approved" } },
      },
      "Approve .env.local?",
    ],
    ["under way", STATES.applying, "Applying 2 of 3 files"],
    [
      "about to start",
      call("x", [], { phase: "applying", progress: { done: 0, total: 3 } }),
      "Applying 3 files…",
    ],
    [
      "one file under way",
      call("x", [file("src/alpha.ts")], { phase: "applying", progress: { done: 0, total: 1 } }),
      "Applying alpha.ts…",
    ],
    ["interrupted", STATES.interrupted, "Interrupted"],
    ["an undo", STATES.undoCall, "Undone in gone.ts"],
    ["an undo that was refused", STATES.undoRefused, "Could not undo"],
  ];
  test.each(cases)("%s", (_, card, title) => {
    expect(titleOf(card, words)).toBe(title);
  });

  test("never says edited when nothing was applied", () => {
    for (const card of Object.values(STATES)) {
      const applied = card.files.some(({ status }) => status === "applied");
      if (applied || card.status === undefined) continue;
      expect(titleOf(card, words)).not.toMatch(/Edited/u);
    }
  });

  test("an interrupted call says beside it what landed", () => {
    expect(detailOf(STATES.interrupted, words)).toBe("Edited 1 of 2 files");
    expect(detailOf(STATES.applied, words)).toBeNull();
  });
});

test("the pill names the states that the title does not", () => {
  const pills = Object.entries(STATES).map(([name, card]) => [name, pillOf(card)]);
  expect(Object.fromEntries(pills)).toMatchObject({
    applied: null,
    ambiguous: "partial",
    notFound: "failed",
    wholeCall: "failed",
    waiting: "waiting",
    applying: "running",
    received: "running",
    queued: null,
    interrupted: null,
  });
});

test("times and durations are written as a person would", () => {
  const now = new Date(2026, 9, 7, 12, 4, 45).getTime();
  expect(timeOf(new Date(2026, 9, 7, 9, 3, 1).getTime(), now, "en")).toBe("09:03:01");
  expect(timeOf(new Date(2026, 9, 7, 9, 3, 1).getTime(), now, "en", false)).toBe("09:03");
  expect(timeOf(new Date(2026, 2, 3, 8, 0, 0).getTime(), now, "en")).toMatch(
    /Mar 3, 2026.*08:00:00/u,
  );
  expect([0, 38, 999, 1_240, 59_900, 97_000].map((ms) => durationOf(ms, words))).toEqual([
    "0 ms",
    "38 ms",
    "999 ms",
    "1.2 s",
    "59.9 s",
    "1 min 37 s",
  ]);
});

describe("words", () => {
  test("of the host win over English, key by key", () => {
    const german = wordsOf({ "title.editedMany": "{n} Dateien geändert" }, "de");
    expect(titleOf(STATES.applied, german)).toBe("3 Dateien geändert");
    expect(titleOf(STATES.queued, german)).toBe("Queued");
  });

  test("may be named by their English, as the editor's translations are", () => {
    const german = wordsOf({ "Edited {n} files": "{n} Dateien geändert", Queued: "Wartet" }, "de");
    expect(titleOf(STATES.applied, german)).toBe("3 Dateien geändert");
    expect(titleOf(STATES.queued, german)).toBe("Wartet");
  });

  test("count in the forms of the language", () => {
    const polish = wordsOf({ "list.new.few": "{n} nowe", "list.new.many": "{n} nowych" }, "pl");
    expect(polish.count("list.new", 3)).toBe("3 nowe");
    expect(polish.count("list.new", 5)).toBe("5 nowych");
    expect(words.count("list.new", 1)).toBe("1 new call");
    expect(words.count("list.new", 1_200)).toBe("1,200 new calls");
  });

  test("from data never name a part of JavaScript", () => {
    expect(words.name("source", "toString")).toBe("toString");
    expect(words.name("source", "lm-tool")).toBe("VS Code tool");
  });

  test("are in English where the language's name makes no sense", () => {
    expect(["de", "zh-cn", "", "not_a tag"].map(languageOf)).toEqual(["de", "zh-CN", "en", "en"]);
  });

  test("that count come in pairs", () => {
    const keys = Object.keys(ENGLISH);
    const alone = keys.filter(
      (key) => key.endsWith(".one") && !keys.includes(key.replace(/one$/u, "other")),
    );
    expect(alone).toEqual([]);
  });
});

test("a file of a transcript is called not applied, and a dry run says what would become of each", () => {
  const waiting = file("a.ts", { phase: "waiting" });
  expect(signOf(call("x", [waiting], { badges: ["imported"] }), waiting).word).toBe("sign.notRun");
  expect(signOf(call("x", [waiting], { phase: "applying" }), waiting).word).toBe("sign.waiting");

  const [planned, failed] = [file("b.ts", { phase: "proposed" }), file("c.ts", rejected)];
  const replay = call("x", [planned, failed], { phase: "approval", badges: ["replay"] });
  expect(pillOfFile(replay, planned)?.word).toBe("file.wouldApply");
  expect(pillOfFile(replay, failed)?.word).toBe("file.wouldReject");
  const asked = { ...replay, badges: [] };
  expect(pillOfFile(asked, planned)?.word).toBe("file.proposed");
  expect(pillOfFile(asked, failed)).toBeNull();
  expect(pillOfFile({ ...replay, phase: "done" }, failed)).toBeNull();
});
