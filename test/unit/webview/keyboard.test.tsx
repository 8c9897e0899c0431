// @vitest-environment jsdom
import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { manyCalls, STATES } from "../../screens/states.ts";
import { openPanel, type Driver } from "./driver.tsx";

let panel: Driver;
beforeEach(() => {
  panel = openPanel();
});
afterEach(() => panel.leave());

function enterList(): void {
  document
    .querySelector<HTMLElement>("[data-row] [tabindex='0'], [data-row][tabindex='0']")
    ?.focus();
}

test("a walk through two calls, by keys alone", () => {
  panel.show([STATES.ambiguous, STATES.applied]);
  enterList();
  expect(panel.focused()).toBe("Edited 1 of 3 files");
  expect(panel.press("ArrowDown").focused()).toBe("server/limits.ts");
  panel.press("c");
  expect(panel.asked()).toMatchObject({
    kind: "copy",
    what: "resend",
    fileKey: "server/limits.ts",
  });
  expect(panel.press("ArrowDown").focused()).toBe("server/config.ts");
  panel.press("D");
  expect(panel.asked()).toMatchObject({ kind: "openDiff", fileKey: "server/config.ts" });
  expect(panel.press("ArrowDown").focused()).toMatch(/^Lines 14–15/u);
  panel.press("Enter");
  expect(panel.asked()).toMatchObject({ kind: "openFile", fileKey: "server/config.ts", line: 15 });
  expect(panel.press("ArrowDown").focused()).toBe("server/index.ts");
  expect(panel.press("ArrowDown").focused()).toBe("Edited 3 files");
  expect(panel.press("Home").focused()).toBe("Edited 1 of 3 files");
  expect(panel.press("ArrowUp").focused()).toBe("Edited 1 of 3 files");
  expect(panel.press("End").focused()).toMatch(/^Lines 1–4/u);
  expect(panel.press("ArrowDown").focused()).toMatch(/^Lines 1–4/u);
});

test("Enter on a file opens it; on a call it folds it", () => {
  panel.show([STATES.applied]);
  enterList();
  panel.press("Enter");
  expect(panel.all("file-card")).toHaveLength(0);
  panel.press("Enter", "ArrowDown", "Enter");
  expect(panel.asked()).toEqual({
    kind: "openFile",
    callId: "applied",
    fileKey: "src/server/config.ts",
    line: 15,
  });
});

test("U takes back what has the focus: a hunk, a file, a call; K keeps", () => {
  panel.show([STATES.reviewed]);
  enterList();
  const at = { callId: "reviewed" };
  const fileKey = "src/open.ts";
  panel.press("End", "u", "ArrowLeft", "ArrowLeft", "u", "k", "Home", "u", "k");
  expect(panel.posted.slice(1)).toEqual([
    { kind: "undo", ...at, fileKey, hunk: 1 },
    { kind: "undo", ...at, fileKey },
    { kind: "keep", ...at, fileKey, kept: true },
    { kind: "undo", ...at },
    { kind: "keep", ...at, kept: true },
  ]);
});

test("Left folds and goes out, Right unfolds and goes in", () => {
  panel.show([STATES.applied]);
  enterList();
  panel.press("ArrowRight", "ArrowRight", "ArrowRight");
  expect(panel.focused()).toMatch(/^Lines 14–18/u);
  panel.press("ArrowLeft");
  expect(screen.getByRole("button", { name: /^Lines 14–18/u, expanded: false })).toBeTruthy();
  expect(panel.press("ArrowLeft").focused()).toBe("src/server/config.ts");
  panel.press("ArrowLeft");
  expect(screen.queryByRole("button", { name: /^Lines 14–18/u })).toBeNull();
  expect(panel.press("ArrowLeft").focused()).toBe("Edited 3 files");
  panel.press("ArrowLeft");
  expect(panel.all("file-card")).toHaveLength(0);
  expect(panel.press("ArrowLeft").focused()).toBe("Edited 3 files");
  panel.press("ArrowRight");
  expect(panel.all("file-card")).toHaveLength(3);
});

test("one row is in the tab order, with all its buttons; no other is", () => {
  panel.show([STATES.ambiguous, STATES.applied]);
  enterList();
  panel.press("ArrowDown");
  const list = document.querySelector(".calls") as HTMLElement;
  const inOrder = [...list.querySelectorAll<HTMLElement>("button")].filter((b) => b.tabIndex === 0);
  expect(inOrder.map((b) => b.getAttribute("aria-label") ?? b.textContent)).toEqual([
    "Fold limits.ts",
    "server/limits.ts",
    "Retry",
    "Copy what to resend",
    "More actions",
    "Requested, not applied",
  ]);
});

test("the end of a list of a thousand is one key away, and so is its start", () => {
  panel.show(manyCalls(1_000));
  enterList();
  const last = panel.press("End").focused();
  expect(last).toBe("src/retry/index.ts");
  const items = screen
    .getAllByRole("listitem")
    .filter((item) => item.ariaSetSize ?? item.getAttribute("aria-setsize"));
  expect(items.at(-1)?.getAttribute("aria-posinset")).toBe("1000");
  expect(panel.press("Home").focused()).toBe("Edited 3 files");
});

test("/ goes to the search, Escape clears it and then goes back", () => {
  panel.show([STATES.ambiguous, STATES.applied]);
  enterList();
  panel.press("ArrowDown", "/");
  const search = screen.getByRole("searchbox");
  expect(document.activeElement).toBe(search);
  fireEvent.change(search, { target: { value: "limits" } });
  expect(panel.titles()).toEqual(["Edited 1 of 3 files"]);
  panel.press("d", "Escape");
  expect(panel.titles()).toHaveLength(2);
  expect(panel.posted.filter(({ kind }) => kind !== "ready")).toEqual([]);
  expect(panel.press("Escape").focused()).toBe("server/limits.ts");
});

test("keys with Control, and keys of other rows' actions, do nothing", () => {
  panel.show([STATES.applied]);
  enterList();
  fireEvent.keyDown(document.activeElement as Element, { key: "d", ctrlKey: true });
  panel.press("ArrowDown", "c", "x", "s");
  expect(panel.posted).toEqual([{ kind: "ready" }]);
});

describe("the menu of a row", () => {
  test("has all actions in the order of the bar, with their keys", () => {
    panel.show([STATES.ambiguous]);
    enterList();
    panel.press("ArrowDown", ".");
    const items = screen.getAllByRole("menuitem");
    expect(items.map(({ textContent }) => textContent)).toEqual([
      "RetryR",
      "Copy what to resendC",
      "Open fileEnter",
      "Copy pathP",
      "Copy error",
      "Copy what was requested",
    ]);
    expect(panel.press("ArrowDown", "ArrowDown", "ArrowDown").focused()).toBe("Copy pathP");
    panel.press("Enter");
    expect(panel.asked()).toMatchObject({ kind: "copy", what: "path" });
    expect(panel.focused()).toBe("server/limits.ts");
    expect(screen.queryByRole("menu")).toBeNull();
  });

  test("closes with Escape and gives the focus back; arrows go round in it", () => {
    panel.show([STATES.ambiguous]);
    enterList();
    panel.press("ArrowDown", ".", "ArrowUp");
    expect(panel.focused()).toBe("Copy what was requested");
    expect(panel.press("ArrowDown").focused()).toBe("RetryR");
    expect(panel.press("Escape").focused()).toBe("server/limits.ts");
  });

  test("opens where the row is clicked with the right button", () => {
    panel.show([STATES.applied]);
    fireEvent.contextMenu(screen.getByText("index.ts"), { clientX: 40, clientY: 60 });
    expect(screen.getAllByRole("menuitem")[0]?.textContent).toBe("Open diffD");
  });
});

test("folds and scope are there again after a rebuild, and the calls come from the host", () => {
  panel.show([STATES.applied]);
  panel.click("All");
  enterList();
  panel.press("ArrowLeft");
  const saved = JSON.parse(JSON.stringify(panel.saved())) as unknown;
  panel.leave();
  panel = openPanel(saved);
  expect(panel.titles()).toEqual([]);
  panel.show([STATES.applied]);
  expect(panel.titles()).toEqual(["Edited 3 files"]);
  expect(panel.all("file-card")).toHaveLength(0);
  expect(screen.getByRole("button", { name: "All", pressed: true })).toBeTruthy();
});

test("a missed delta makes the view say ready again, once", () => {
  panel.show([STATES.applied]);
  panel.receive({ kind: "call", seq: 5, call: STATES.appliedOne });
  panel.receive({ kind: "call", seq: 6, call: STATES.appliedOne });
  expect(panel.posted).toEqual([{ kind: "ready" }, { kind: "ready" }]);
  expect(panel.titles()).toEqual(["Edited 3 files"]);
  panel.show([STATES.appliedOne], { seq: 6 });
  expect(panel.titles()).toEqual(["Edited alpha.ts"]);
  panel.receive({ kind: "call", seq: 9, call: STATES.applied });
  expect(panel.posted).toHaveLength(3);
});
