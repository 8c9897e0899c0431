// @vitest-environment jsdom
import { act, fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallCard } from "../../../src/protocol/cards.ts";
import type { SearchMessage, ToHost } from "../../../src/protocol/messages.ts";
import { call, file, NOW, SESSION } from "../../screens/build.ts";
import { openPanel, type Driver } from "./driver.tsx";

const HERE = [
  call("new", [file("src/new.ts")], { tool: "edit" }),
  call("other", [file("src/other.ts")], { tool: "write" }),
];
/** Cards of calls that are stored and were not sent, the first the newest. */
const old = (name: string, age: number, parts: Partial<CallCard> = {}): CallCard =>
  call(name, [file(`lib/${name}.ts`)], { startedAt: NOW - 1_000_000 - age, ...parts });

let panel: Driver;
beforeEach(() => {
  vi.useFakeTimers();
  panel = openPanel();
  panel.show(HERE, { olderCount: 5_000 }).click("All");
});
afterEach(() => {
  panel.leave();
  vi.useRealTimers();
});

const box = (): HTMLInputElement => document.getElementById("search") as HTMLInputElement;
const type = (text: string): void => void fireEvent.change(box(), { target: { value: text } });
const rest = (): void => act(() => void vi.advanceTimersByTime(1_000));
const searches = (): readonly SearchMessage[] =>
  panel.posted.filter((one: ToHost): one is SearchMessage => one.kind === "search");
const status = (): string => panel.all("search-status")[0]?.textContent ?? "";
const totals = (): string => document.querySelector(".totals")?.textContent ?? "";
const list = (): string => document.querySelector(".list")?.textContent ?? "";
const button = (name: string): HTMLElement | undefined =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);

function answer(calls: readonly CallCard[], parts: { after?: string; left?: number } = {}): void {
  const { search = 0 } = searches().at(-1) ?? {};
  const { after = null, left = 0 } = parts;
  panel.receive({ kind: "found", search, calls, after, left });
}

test("typing asks the host once, when it rests", () => {
  for (const text of ["l", "li", "lib"]) type(text);
  expect(box().value).toBe("lib");
  expect(searches()).toEqual([]);
  expect(status()).toBe("Searching older calls…");
  expect(list()).toContain("Searching older calls…");
  rest();
  expect(searches()).toEqual([
    {
      kind: "search",
      search: 1,
      filter: {
        text: "lib",
        tool: null,
        model: null,
        review: false,
        rejected: false,
        attention: false,
      },
      session: null,
      after: null,
    },
  ]);
});

test("what the host found stands below what is here, and is counted and told", () => {
  expect(totals()).toContain("2 of 5,002 calls");
  type("ts");
  rest();
  expect(panel.titles()).toEqual(["Edited new.ts", "Edited other.ts"]);
  expect(totals()).toContain("Searching older calls…");
  answer([old("a", 1), old("b", 2)]);
  expect(panel.titles()).toEqual([
    "Edited new.ts",
    "Edited other.ts",
    "Edited a.ts",
    "Edited b.ts",
  ]);
  expect(totals()).toContain("4 of 5,002 calls");
  expect(totals()).not.toContain("Searching");
  expect(status()).toBe("4 calls fit");
});

test("nothing found is said only when everything was searched", () => {
  type("nowhere");
  rest();
  expect(list()).not.toContain("No call fits");
  answer([], { after: "x", left: 3_000 });
  expect(list()).toContain("No call fits so far");
  expect(list()).toContain("3,000 older calls were not searched yet.");
  expect(status()).toBe("No call fits so far");
  panel.click("Search 3,000 older calls");
  expect(searches().at(-1)).toMatchObject({ search: 2, after: "x" });
  answer([]);
  expect(list()).toContain("No call fits");
  expect(list()).not.toContain("so far");
  expect(status()).toBe("No call fits");
});

test("further pages come below, the button stays under the focus, and then goes to the list", async () => {
  type("lib");
  rest();
  answer([old("a", 1)], { after: "a", left: 2 });
  expect(status()).toBe("1 call fits so far");
  const further = button("Search 2 older calls");
  further?.focus();
  panel.click("Search 2 older calls");
  expect(further?.textContent).toBe("Searching older calls…");
  expect(further?.getAttribute("aria-disabled")).toBe("true");
  expect(document.activeElement).toBe(further);
  panel.click("Searching older calls…");
  expect(searches()).toHaveLength(2);
  answer([old("b", 2)]);
  await act(() => Promise.resolve());
  expect(panel.titles()).toEqual(["Edited a.ts", "Edited b.ts"]);
  expect(panel.focused()).toBe("Edited a.ts");
});

test("an answer to an earlier question is dropped", () => {
  type("lib");
  rest();
  type("lib/b");
  rest();
  const stale = { kind: "found", search: 1, calls: [old("stale/lib/b", 1)], after: null, left: 0 };
  panel.receive(stale);
  expect(status()).toBe("Searching older calls…");
  answer([old("b", 2)]);
  panel.receive(stale);
  expect(panel.titles()).toEqual(["Edited b.ts"]);
});

test("what was found stays while a longer word is looked for, as far as it fits", () => {
  type("lib");
  rest();
  answer([old("a", 1), old("b", 2)]);
  type("lib/b");
  expect(panel.titles()).toEqual(["Edited b.ts"]);
  rest();
  answer([old("b", 2), old("bb", 3)]);
  expect(panel.titles()).toEqual(["Edited b.ts", "Edited bb.ts"]);
});

test("Clear brings the list back as it was", () => {
  type("lib");
  rest();
  answer([old("a", 1)]);
  box().focus();
  panel.press("Escape");
  rest();
  expect(panel.titles()).toEqual(["Edited new.ts", "Edited other.ts"]);
  expect(status()).toBe("");
  expect(totals()).toContain("2 of 5,002 calls");
  expect(button("Load 5,000 older calls")).toBeDefined();
  expect(searches()).toHaveLength(1);
  type("lib");
  expect(panel.titles()).toEqual([]);
});

test("a filter asks as a search does; scope and session go along", () => {
  panel.store.dispatch({ kind: "filter", filter: { rejected: true, tool: "edit" } });
  rest();
  expect(searches().at(-1)).toMatchObject({
    filter: { text: "", tool: "edit", rejected: true },
    session: null,
  });
  panel.click("Session");
  rest();
  expect(searches().at(-1)).toMatchObject({ search: 2, session: SESSION });
  panel.click("Last call");
  rest();
  expect(searches()).toHaveLength(2);
  expect(status()).toBe("No call fits");
});

test("nothing is asked where every call is here", () => {
  panel.show(HERE);
  type("lib");
  rest();
  expect(searches()).toEqual([]);
  expect(status()).toBe("No call fits");
  type("other");
  expect(status()).toBe("1 call fits");
});

test("calls go on arriving, and those that were found take their steps", () => {
  type("lib");
  rest();
  answer([old("a", 1)]);
  panel.arrive(call("live", [file("lib/live.ts")], { startedAt: NOW }));
  expect(panel.titles()).toEqual(["Edited live.ts", "Edited a.ts"]);
  panel.arrive(old("a", 1, { files: [file("lib/a.ts", { undone: "all" })] }));
  expect(panel.all("file-card").map(({ textContent }) => textContent?.includes("undone"))).toEqual([
    false,
    true,
  ]);
  type("");
  rest();
  expect(panel.titles()).toEqual(["Edited live.ts", "Edited new.ts", "Edited other.ts"]);
});

test("a page that is built anew asks again and shows the same", () => {
  type("lib");
  rest();
  answer([old("a", 1)]);
  const saved = panel.saved();
  panel.leave();
  panel = openPanel(saved);
  rest();
  expect(searches()).toEqual([]);
  panel.show(HERE, { olderCount: 5_000 });
  rest();
  expect(searches()).toMatchObject([{ search: 1, filter: { text: "lib" } }]);
  answer([old("a", 1)]);
  expect(panel.titles()).toEqual(["Edited a.ts"]);
});

test("a whole snapshot in between asks again and hides nothing meanwhile", () => {
  type("lib");
  rest();
  answer([old("a", 1)]);
  panel.show(HERE, { olderCount: 5_000, seq: 9 });
  expect(panel.titles()).toEqual(["Edited a.ts"]);
  rest();
  expect(searches()).toHaveLength(2);
  answer([old("b", 1)]);
  expect(panel.titles()).toEqual(["Edited b.ts"]);
});

test("the store's new sentence comes through by itself", () => {
  panel.receive({ kind: "notice", seq: 2, storeNotice: "Kept in memory." });
  expect(document.querySelector(".notice")?.textContent).toBe("Kept in memory.");
  expect(panel.posted.filter(({ kind }) => kind === "ready")).toHaveLength(1);
});
