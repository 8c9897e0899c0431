// @vitest-environment jsdom
import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CallCard } from "../../../src/protocol/cards.ts";
import { call, diff, file, longDiff } from "../../screens/build.ts";
import { manyCalls, STATES } from "../../screens/states.ts";
import { fileCard, openPanel, widen, type Driver } from "./driver.tsx";

/** The change of one line that several tests show. */
const ONE = diff([1, 1, "-let a = «1»;\n+let a = «2»;"]);

let panel: Driver;
beforeEach(() => {
  panel = openPanel();
});
afterEach(() => panel.leave());

describe("a file", () => {
  test("that was rejected shows no diff, and what was asked for only folded and plain", () => {
    panel.show([STATES.ambiguous, STATES.notFound, STATES.failedGroup]);
    for (const name of ["limits.ts", "backoff.ts", "server.ts"]) {
      const card = within(fileCard(name));
      expect(card.queryByTestId("edit-file-diff")).toBeNull();
      const asked = card.getByRole("button", { name: "Requested, not applied" });
      expect(asked.getAttribute("aria-expanded")).toBe("false");
      expect(
        card.getByTestId("requested").querySelector("mark, .line, .added, .removed"),
      ).toBeNull();
    }
    panel.click("Requested, not applied");
    const text = within(fileCard("limits.ts")).getByTestId("requested").textContent;
    expect(text).toContain("--- old_text\n  retries: 2,\n--- new_text\n  retries: 5,");
  });

  test("that was rejected never shows a diff, even if a host sent one", () => {
    const statuses = ["rejected", "already_applied", "unknown"] as const;
    const files = statuses.map((status) => file(`${status}.ts`, { status, diff: ONE }));
    panel.show([call("x", [...files, file("open.ts", { phase: "running", diff: ONE })])]);
    expect(panel.all("file-card")).toHaveLength(4);
    expect(panel.all("edit-file-diff")).toHaveLength(0);
  });

  test("that was rejected says what is wrong, what to do, and the nearest lines, in this order", () => {
    panel.show([STATES.ambiguous]);
    const text = fileCard("limits.ts").textContent ?? "";
    const wrong = text.indexOf("matches 3 occurrences");
    const advice = text.indexOf("Include more surrounding context");
    const near = text.indexOf("retries: 2,");
    expect([wrong, advice, near].every((at) => 0 < at)).toBe(true);
    expect(wrong < advice && advice < near).toBe(true);
    expect(text).toContain("edits[3], edits[4]");
    const lines = within(fileCard("limits.ts")).getByRole("group", {
      name: "Nearest lines of the file",
    });
    expect([...lines.querySelectorAll(".n")].map((n) => n.textContent)).toEqual(["12", "48", "90"]);
  });

  test("that was applied shows the server diff with numbers, signs and marks", () => {
    panel.show([STATES.appliedOne]);
    const diff = panel.all("edit-file-diff")[0] as HTMLElement;
    const rows = [...diff.querySelectorAll(".line")].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(rows).toEqual([
      ["1", "", "−", "let a = 1;"],
      ["", "1", "+", "let a = 2;"],
    ]);
    expect([...diff.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["1", "2"]);
  });

  test("that was applied without a change says so", () => {
    panel.show([STATES.appliedNothing]);
    expect(fileCard("same.ts").textContent).toContain("No changes");
    expect(panel.all("edit-file-diff")).toHaveLength(0);
  });

  test("with notes names tolerance, encoding and what is not saved", () => {
    panel.show([STATES.appliedNotes]);
    const text = fileCard("überblick.txt").textContent;
    expect(text).toContain("Matched ignoring spaces at line ends, indentation");
    expect(text).toContain("Encoding windows1252 kept");
    expect(text).toContain("not saved yet");
  });

  test("that was done before links to the call that did it", () => {
    panel.show([STATES.alreadyApplied, STATES.applied]);
    expect(fileCard("index.ts").textContent).toContain("was not applied again");
    panel.click(/^Go to call/u);
    expect(panel.focused()).toBe("Edited 3 files");
  });

  test("that waits for a person shows its plan as proposed", () => {
    panel.show([STATES.waiting]);
    expect(panel.all("edit-file-diff")).toHaveLength(0);
    expect(panel.all("proposed-diff")).toHaveLength(2);
    expect(within(fileCard("settings.json")).getByText("proposed")).toBeTruthy();
  });

  test("can be read side by side where there is room, and stays so", () => {
    const CHANGE = diff([1, 1, " top\n-a\n-b\n+c\n end"]);
    const shown = (): readonly (readonly string[])[] =>
      [...document.querySelectorAll(".pair")].map((pair) =>
        [...pair.querySelectorAll(":scope > *")].map((side) => side.textContent ?? ""),
      );
    panel.show([call("x", [file("x.ts", { diff: CHANGE })])]);
    panel.click("Side by side");
    expect(shown()).toEqual([]);
    widen(true);
    expect(shown()).toEqual([
      ["1 top", "1 top"],
      ["2−a", "2+c"],
      ["3−b", ""],
      ["4 end", "3 end"],
    ]);
    expect(document.querySelectorAll(".pair .none")).toHaveLength(1);
    widen(false);
    expect(shown()).toEqual([]);
    expect(panel.saved()).toMatchObject({ layout: "split" });
    widen(true);
    panel.click("Side by side");
    expect(shown()).toEqual([]);
    expect(document.querySelectorAll(".diff .line")).toHaveLength(5);
  });

  test("whose endings alone changed shows them, and only then", () => {
    panel.show([STATES.endings]);
    const signs = [...document.querySelectorAll(".ending")].map((sign) => sign.textContent);
    expect(signs).toEqual(["CRLF", "CRLF", "LF", "LF"]);
    expect(fileCard("win.bat").textContent).toContain("no newline at end of file");
    panel.leave();
    panel = openPanel();
    const hunks = ONE.hunks.map((h) => ({
      ...h,
      rows: h.rows.map((row) => ({ ...row, ending: "crlf" as const })),
    }));
    panel.show([call("x", [file("a.ts", { diff: { ...ONE, hunks } })])]);
    expect(document.querySelectorAll(".line")).toHaveLength(2);
    expect(document.querySelectorAll(".ending")).toHaveLength(0);
  });

  test("whose text plays with direction or hides characters shows them by number", () => {
    panel.show([STATES.unicode]);
    const shown = [...document.querySelectorAll(".hidden-character")].map((c) => c.textContent);
    expect(shown).toEqual(["U+202E", "U+2066", "U+200B"]);
    const text = panel.all("edit-file-diff")[0]?.textContent;
    expect(text).toContain("👩‍👩‍👧");
    expect(text).not.toMatch(/[\u202e\u2066\u200b]/u);
  });

  test("never turns content into elements", () => {
    const evil = '<img src=x onerror="boom()"><b>bold</b>';
    panel.show([
      call(
        evil,
        [
          file(`src/${evil}`, { diff: diff([0, 1, `+${evil}`]) }),
          file("b.ts", {
            status: "rejected",
            error: { message: evil, advice: evil },
            requested: evil,
          }),
        ],
        { model: evil, source: evil },
      ),
    ]);
    expect(document.querySelector("img[src], b")).toBeNull();
    expect(document.body.textContent).toContain(evil);
  });

  test("of a long diff shows its start, and all of it on demand", () => {
    const rows = 400;
    panel.show([call("long", [file("table.ts", { diff: longDiff(rows) })])]);
    const before = document.querySelectorAll(".line").length;
    expect(before).toBeLessThan(100);
    standInObserver();
    panel.click(`Show ${rows - before} more lines`);
    expect(document.querySelectorAll(".line")).toHaveLength(rows);
  });

  /** Says of every chunk that it is near. */
  function standInObserver(): void {
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        readonly tell: IntersectionObserverCallback;
        constructor(tell: IntersectionObserverCallback) {
          this.tell = tell;
        }
        observe(target: Element): void {
          const entry = { target, isIntersecting: true, boundingClientRect: { height: 100 } };
          this.tell([entry as never], this as never);
        }
        unobserve(): void {}
      },
    );
  }
});

describe("a call", () => {
  test("that is partial says so beside its title, and lists rejected files first", () => {
    panel.show([STATES.ambiguous]);
    expect(panel.titles()).toEqual(["Edited 1 of 3 files"]);
    const header = document.querySelector(".call-row") as HTMLElement;
    expect(within(header).getByText("partial")).toBeTruthy();
    expect(header.textContent).toContain("edit_filesclaude-sonnet-5MCP");
    expect(panel.all("file-card").map(({ dataset }) => dataset["state"])).toEqual([
      "rejected",
      "applied",
      "already_applied",
    ]);
  });

  test("whose arguments still stream shows their text, plain and unfolded", () => {
    panel.show([STATES.received]);
    expect(panel.titles()).toEqual(["Editing files…"]);
    expect(screen.getByRole("button", { name: "Requested patch", expanded: true })).toBeTruthy();
    const longer = { ...STATES.received, requested: `${STATES.received.requested}se,\n+  ret` };
    panel.arrive(longer);
    expect(panel.all("requested")[0]?.textContent).toContain("retry = false,\n+  ret");
    expect(panel.all("edit-file-diff")).toHaveLength(0);
  });

  test("of the old shape still shows", () => {
    panel.show([STATES.legacy]);
    expect(panel.titles()).toEqual(["Edited 2 files"]);
    expect(screen.getByText("older format")).toBeTruthy();
    expect(fileCard("old.ts").textContent).toContain("No diff was stored");
    expect(panel.all("edit-file-diff")).toHaveLength(1);
  });

  test("that failed as a whole says why, and keeps the input folded", () => {
    panel.show([STATES.invalidInput]);
    expect(screen.getByText(/not valid JSON/u)).toBeTruthy();
    expect(
      screen.getByRole("button", { name: "Requested, not applied", expanded: false }),
    ).toBeTruthy();
  });

  test("goes through its phases in one card", () => {
    const step = (parts: Partial<CallCard>): CallCard => ({
      ...STATES.applying,
      id: "live",
      ...parts,
    });
    panel.show([]);
    panel.arrive(step({ phase: "received", files: [], progress: { done: 0, total: 0 } }));
    expect(panel.titles()).toEqual(["Editing files…"]);
    panel.arrive(step({ phase: "applying", progress: { done: 1, total: 3 } }));
    expect(panel.titles()).toEqual(["Applying 1 of 3 files"]);
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("1");
    panel.arrive(step({ phase: "done", status: "applied", files: [file("a.ts")] }));
    expect(panel.titles()).toEqual(["Edited a.ts"]);
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  test("under way can be stopped; one that ended cannot", () => {
    panel.show([STATES.applying, STATES.applied]);
    expect(screen.getAllByRole("button", { name: "Stop" })).toHaveLength(1);
    panel.click("Stop");
    expect(panel.asked()).toEqual({ kind: "cancelCall", callId: "applying" });
  });

  test("with badges says what was done to it", () => {
    panel.show([STATES.replay]);
    expect(screen.getByText("replay")).toBeTruthy();
    expect(screen.getByText("modified by policy")).toBeTruthy();
  });
});

describe("what a person asks of the host", () => {
  test("names the call, the file and the first changed line", () => {
    panel.show([STATES.applied]);
    panel.click("src/server/config.ts");
    const at = { callId: "applied", fileKey: "src/server/config.ts" };
    expect(panel.asked()).toEqual({ kind: "openFile", ...at, line: 15 });
    panel.click("Diff");
    expect(panel.asked()).toEqual({ kind: "openDiff", ...at });
  });

  test("a file that is gone opens as its diff", () => {
    panel.show([STATES.patch]).click("src/gone.ts");
    expect(panel.asked()).toEqual({ kind: "openDiff", callId: "patch", fileKey: "src/gone.ts" });
  });

  test("a rejected file opens at the nearest line", () => {
    panel.show([STATES.notFound]).click("src/retry/backoff.ts");
    expect(panel.asked()).toMatchObject({ kind: "openFile", line: 31 });
  });

  test("copying is left to the host", () => {
    panel.show([STATES.ambiguous]).click("Copy what to resend");
    const at = { callId: "ambiguous", fileKey: "server/limits.ts" };
    expect(panel.asked()).toEqual({ kind: "copy", ...at, what: "resend" });
  });
});

describe("review", () => {
  const asked = (): readonly unknown[] => panel.posted.slice(1);

  test("keeping a file folds it and asks the host to mark it", () => {
    panel.show([STATES.reviewed]);
    const diffs = panel.all("edit-file-diff").length;
    panel.click("Keep");
    const at = { callId: "reviewed", fileKey: "src/half.ts" };
    expect(panel.asked()).toEqual({ kind: "keep", ...at, kept: true });
    expect(panel.all("edit-file-diff")).toHaveLength(diffs - 1);
  });

  test("what was kept or taken back is folded and says so", () => {
    panel.show([STATES.reviewed]);
    for (const [name, word] of [
      ["kept.ts", "kept"],
      ["gone.ts", "undone"],
      ["half.ts", "partly undone"],
    ] as const)
      expect(within(fileCard(name)).getAllByText(word).length).toBeGreaterThan(0);
    const shown = (name: string): number => fileCard(name).querySelectorAll(".line").length;
    expect(["kept.ts", "gone.ts", "half.ts", "open.ts"].map(shown)).toEqual([0, 0, 3, 3]);
    expect(within(fileCard("gone.ts")).queryByText("Undo")).toBeNull();
  });

  test("undo asks for a hunk, a file or a call", () => {
    panel.show([STATES.reviewed]);
    const card = fileCard("open.ts");
    for (const button of card.querySelectorAll<HTMLElement>(".act"))
      if (/^Undo/u.test(button.textContent ?? "")) act(() => button.click());
    const at = { kind: "undo", callId: "reviewed", fileKey: "src/open.ts" };
    expect(asked()).toEqual([at, { ...at, hunk: 0 }, { ...at, hunk: 1 }]);
  });

  test("a hunk is taken back alone only where it is not all of the change, and only once", () => {
    panel.show([STATES.reviewed]);
    const undoHunks = (name: string): number =>
      [...fileCard(name).querySelectorAll(".hunk .act")].length;
    expect(undoHunks("half.ts")).toBe(1);
    expect(undoHunks("open.ts")).toBe(2);
  });

  test("keep all keeps each call of the list that has something to review", () => {
    panel.show([STATES.reviewed, STATES.applied]).click("Keep all");
    expect(asked()).toEqual([{ kind: "keep", callId: "reviewed", kept: true }]);
  });

  test("a rejected file can be tried again; a refused undo is compared instead", () => {
    panel.show([STATES.undoRefused]);
    expect(screen.queryByText("Retry")).toBeNull();
    panel.click("Compare versions");
    expect(panel.asked()).toMatchObject({ kind: "openDiff", callId: "undoRefused" });
    panel.show([STATES.ambiguous], { seq: 5 }).click("Retry");
    expect(screen.queryByText("Compare versions")).toBeNull();
    const at = { callId: "ambiguous", fileKey: "server/limits.ts" };
    expect(panel.asked()).toEqual({ kind: "retry", ...at });
  });
});

test("a file of which nobody knows what became is compared, where it is kept what it held", () => {
  panel.show([STATES.unknown]).click("Compare versions");
  expect(panel.asked()).toMatchObject({ kind: "openDiff", callId: "unknown" });
  const files = STATES.unknown.files.map((file) => ({ ...file, comparable: undefined }));
  panel.show([{ ...STATES.unknown, files }], { seq: 5 });
  expect(screen.queryByText("Compare versions")).toBeNull();
});

describe("a question", () => {
  const hash = "c0ffee";
  const callId = "waiting";

  test("is answered by file or as a whole, with the hash of what is shown", () => {
    panel.show([STATES.waiting]);
    expect(screen.getByText("Files in .vscode/** ask.")).toBeTruthy();
    panel.click("Deny").click("Approve").click("Deny all").click("Approve all");
    const at = { kind: "answer", callId, hash };
    const fileKey = ".vscode/settings.json";
    expect(panel.posted.slice(1)).toEqual([
      { ...at, fileKey, decision: "deny" },
      { ...at, fileKey, decision: "approve" },
      { ...at, decision: "deny" },
      { ...at, decision: "approve" },
    ]);
  });

  test("can be answered for the rest of the session, from the menu of a file", () => {
    panel.show([STATES.waiting]);
    const card = fileCard("settings.json");
    fireEvent.contextMenu(within(card).getByText("settings.json"), { clientX: 9, clientY: 9 });
    fireEvent.click(screen.getByRole("menuitem", { name: "Approve for this session" }));
    const fileKey = ".vscode/settings.json";
    const answer = { kind: "answer", callId, hash, fileKey, decision: "approve" };
    expect(panel.posted.slice(1)).toEqual([{ ...answer, forSession: true }]);
  });

  test("is never answered by a key, nor by Enter on a row", () => {
    panel.show([STATES.waiting]);
    document.querySelector<HTMLElement>("[data-row] [tabindex='0']")?.focus();
    panel.press(..."abcdefghijklmnopqrstuvwxyz", "Enter", "Enter", "ArrowDown");
    panel.press(..."abcdefghijklmnopqrstuvwxyz", "Enter");
    expect(panel.posted.filter(({ kind }) => kind === "answer")).toEqual([]);
    expect(panel.posted.length).toBeGreaterThan(1);
  });

  test("that is answered for a file has no more buttons there", () => {
    const approval = { hash, answers: { ".vscode/settings.json": "approved" as const } };
    panel.show([{ ...STATES.waiting, approval }]);
    expect(within(fileCard("settings.json")).getByText("approved")).toBeTruthy();
    expect(within(fileCard("settings.json")).queryByText("Approve")).toBeNull();
    expect(within(fileCard(".env.local")).getByText("Approve")).toBeTruthy();
  });

  test("whose plan is gone cannot be answered", () => {
    const { approval, ...late } = STATES.waiting;
    expect(approval?.hash).toBe(hash);
    panel.show([late]);
    expect(screen.queryByText(/Approve( all)?$/u)).toBeNull();
  });
});

describe("the list", () => {
  test("says ready at once, and nothing else", () => {
    expect(panel.posted).toEqual([{ kind: "ready" }]);
  });

  test("when empty offers a sample", () => {
    panel.show([]);
    expect(screen.getByRole("heading", { name: "No edits yet" })).toBeTruthy();
    panel.click("Run sample call");
    expect(panel.asked()).toEqual({ kind: "runSample" });
  });

  test("draws a thousand calls by drawing those in sight", () => {
    panel.show(manyCalls(1_000));
    const drawn = panel.all("call-card").length;
    expect(drawn).toBeGreaterThan(3);
    expect(drawn).toBeLessThan(60);
    expect(screen.getByText("1,000 calls")).toBeTruthy();
    expect(screen.getAllByRole("listitem")[0]?.getAttribute("aria-setsize")).toBe("1000");
  });

  test("does not move while it is read", () => {
    panel.show(manyCalls(50)).scrollTo(500);
    panel.arrive({ ...STATES.appliedOne, id: "new1", startedAt: Number.MAX_SAFE_INTEGER / 8 });
    panel.arrive({ ...STATES.appliedOne, id: "new2", startedAt: Number.MAX_SAFE_INTEGER / 8 });
    expect(panel.all("new-calls")[0]?.textContent).toBe("2 new calls");
    expect(panel.titles()).not.toContain("Edited alpha.ts");
    panel.click("2 new calls");
    expect(panel.all("new-calls")).toHaveLength(0);
    expect(panel.titles()[0]).toBe("Edited alpha.ts");
    expect(screen.getByText("52 calls")).toBeTruthy();
    expect(panel.focused()).toBe("Edited alpha.ts");
  });

  test("loads older calls on demand", () => {
    panel.show([STATES.applied], { olderCount: 1_234 });
    panel.click("Load 1,234 older calls");
    expect(panel.asked()).toEqual({ kind: "loadOlder" });
    panel.receive({
      kind: "older",
      seq: 2,
      olderCount: 0,
      calls: [{ ...STATES.legacy, id: "old" }],
    });
    expect(panel.titles()).toEqual(["Edited 3 files", "Edited 2 files"]);
    expect(screen.queryByText(/older call/u)).toBeNull();
  });

  test("says what hides all calls, and can undo it", () => {
    panel.show([STATES.applied]).click("Filter").click("Rejected");
    expect(screen.getByRole("heading", { name: "No call fits" })).toBeTruthy();
    panel.click("Clear filter");
    expect(panel.titles()).toEqual(["Edited 3 files"]);
  });

  test("says when nothing can be applied, and what the store has to say", () => {
    panel.show([], { trusted: false, storeNotice: "Calls are kept in memory." });
    expect(screen.getByText(/not trusted/u)).toBeTruthy();
    expect(screen.getByText("Calls are kept in memory.")).toBeTruthy();
  });

  test("survives a card that cannot be drawn", () => {
    const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = { ...STATES.applied, id: "broken", badges: undefined } as unknown as CallCard;
    panel.show([broken, STATES.appliedOne]);
    quiet.mockRestore();
    expect(screen.getByText("This call cannot be shown.")).toBeTruthy();
    expect(panel.titles()).toEqual(["Edited alpha.ts"]);
  });

  test("brings what the host reveals into sight without taking the focus", () => {
    panel.show(manyCalls(200));
    const sights = vi.spyOn(Element.prototype, "scrollIntoView");
    panel.receive({ kind: "reveal", callId: "many-1" });
    expect(sights).toHaveBeenCalled();
    expect(panel.focused()).toBe("nothing");
    sights.mockRestore();
  });
});

test("new results are told politely, many at once, and not what a snapshot brings", () => {
  vi.useFakeTimers();
  panel.leave();
  panel = openPanel();
  panel.show([STATES.applied]);
  const live = screen.getByTestId("live-news");
  vi.advanceTimersByTime(5_000);
  expect(live.textContent).toBe("");
  const at = (id: string, parts: CallCard): CallCard => ({
    ...parts,
    id,
    startedAt: Date.UTC(2030, 0, 1),
  });
  panel.arrive(at("n1", STATES.received));
  panel.arrive(at("n1", STATES.appliedOne)).arrive(at("n2", STATES.notFound));
  expect(live.textContent).toBe("");
  act(() => void vi.advanceTimersByTime(2_000));
  expect(live.textContent).toBe(
    "2 calls finished. Newest: Could not edit 2 files, 2 files rejected",
  );
  vi.useRealTimers();
});
