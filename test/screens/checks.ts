import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/**
 * What axe finds, contrast from computed styles included. Only colours differ from theme to theme, so `contrast`
 * is enough for all but the first, and colours do not depend on the width.
 */
export async function accessibilityFaults(
  page: Page,
  rules: "all" | "contrast" | "none",
): Promise<readonly string[]> {
  if (rules === "none") return [];
  const result = await page.evaluate((only): Promise<AxeResult> => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResult> } };
    return axe.run(only === "all" ? {} : { runOnly: ["color-contrast"] });
  }, rules);
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary = "" }) => {
      const why = failureSummary.split("\n").slice(1, 2).join("").trim();
      return `axe ${id}: ${help}: ${html.slice(0, 160)} ${why}`;
    }),
  );
}

/** Puts axe into the page, once for each load of it. The page's policy binds its own scripts, not us. */
export async function bringAxe(page: Page): Promise<void> {
  await page.evaluate(AXE);
}

// What follows runs inside the page: each function stands alone.

/** The page must never be wider than its window. */
export function sidewaysOverflow(): string[] {
  const faults: string[] = [];
  const width = document.documentElement.clientWidth;
  for (const element of document.querySelectorAll<HTMLElement>("body *")) {
    if (element.closest(".unseen, .act-word, .folder, pre") !== null) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || box.right <= width + 1) continue;
    faults.push(
      `wider than the page: ${element.className} ${(element.textContent ?? "").slice(0, 40)}`,
    );
  }
  return faults.slice(0, 3);
}

/** Text that does not fit its box is cut, unless it is a folder, which is cut on purpose. */
export function cutText(): string[] {
  const faults: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>("body *")) {
    if (element.closest(".unseen, .act-word, .folder, pre, .scroller > .calls > .slot > .blank"))
      continue;
    const style = getComputedStyle(element);
    if (style.overflowX === "visible" && style.overflowY === "visible") continue;
    const scrolls = style.overflowY === "auto" || style.overflowY === "scroll";
    const cutAcross = element.clientWidth + 1 < element.scrollWidth;
    const cutDown = !scrolls && element.clientHeight + 1 < element.scrollHeight;
    const isField = element instanceof HTMLSelectElement || element instanceof HTMLInputElement;
    if (isField || (!cutAcross && !cutDown)) continue;
    faults.push(`text is cut: ${element.className} ${(element.textContent ?? "").slice(0, 40)}`);
  }
  return faults.slice(0, 3);
}

/** Things that stand side by side must not lie on one another. */
export function overlaps(): string[] {
  const faults: string[] = [];
  for (const row of document.querySelectorAll(
    ".row, .call-line, .bar-line, .hunk, .meta, .totals, .at-end",
  )) {
    const children = [...row.children].filter((child) => 0 < child.getBoundingClientRect().width);
    for (const [index, one] of children.entries()) {
      const a = one.getBoundingClientRect();
      for (const other of children.slice(index + 1)) {
        const b = other.getBoundingClientRect();
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (1 < across && 1 < down)
          faults.push(`overlap in a row: ${(row.textContent ?? "").slice(0, 60)}`);
      }
    }
  }
  return faults.slice(0, 3);
}
