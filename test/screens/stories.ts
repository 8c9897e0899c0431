import type { Page } from "playwright-core";
import { drawShow, settle } from "./galleryPage.ts";

/** What only a browser that lays things out can show: that nothing moves under the eyes, and that focus is seen. */
export interface Story {
  readonly name: string;
  /** What went wrong; nothing when all is well. */
  readonly tell: (page: Page) => Promise<readonly string[]>;
}

export const STORIES: readonly Story[] = [
  { name: "End and Home bring the row with the focus into sight", tell: endAndHome },
  { name: "text stands still while a long diff is scrolled upwards", tell: upwards },
  { name: "a file's row stays on top of its long diff", tell: stickyRow },
  { name: "the hunk that the arrows reach is in sight, below the file's row", tell: throughHunks },
  { name: "calls that arrive while the list is read move nothing", tell: arriving },
  { name: "the way to another call ends at its header", tell: goToCall },
];

async function endAndHome(page: Page): Promise<readonly string[]> {
  await drawShow(page, "speed-calls", "dark");
  await page.locator("[data-row] button").first().focus();
  const faults: string[] = [];
  for (const [key, place] of [
    ["End", "500"],
    ["Home", "1"],
    ["End", "500"],
  ] as const) {
    await page.keyboard.press(key);
    await settle(page);
    await settle(page);
    const at = await page.evaluate(() => {
      const row = document.activeElement;
      const box = row?.getBoundingClientRect();
      const slot = row?.closest("[aria-posinset]")?.getAttribute("aria-posinset");
      return { slot, top: box?.top ?? -1, bottom: box?.bottom ?? -1, height: innerHeight };
    });
    const isSeen = 0 <= at.top && at.bottom <= at.height;
    if (at.slot !== place || !isSeen) faults.push(`after ${key}: ${JSON.stringify(at)}`);
  }
  return faults;
}

async function upwards(page: Page): Promise<readonly string[]> {
  await drawShow(page, "speed-diff", "dark");
  return page.evaluate(async () => {
    const scroller = document.querySelector(".scroller");
    if (scroller === null) return ["there is no list"];
    const frames = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await new Promise((done) => requestAnimationFrame(done));
    };
    const faults: string[] = [];
    scroller.scrollTop = scroller.scrollHeight / 2;
    await frames(6);
    for (let i = 0; i < 40; i++) {
      const line = [...document.querySelectorAll(".line")].find(
        (one) => 300 < one.getBoundingClientRect().top,
      );
      if (line === undefined) return [`no line is drawn after step ${i}`];
      const before = line.getBoundingClientRect().top;
      scroller.scrollTop -= 90;
      await frames(3);
      const moved = line.getBoundingClientRect().top - before;
      if (1.5 < Math.abs(moved - 90)) faults.push(`step ${i}: moved by ${moved} and not by 90`);
    }
    return faults.slice(0, 3);
  });
}

async function stickyRow(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const name of ["speed-diff", "speed-calls"]) {
    await drawShow(page, name, "dark");
    const tops = await page.evaluate(async () => {
      const scroller = document.querySelector(".scroller");
      if (scroller === null) return [];
      const found: number[] = [];
      for (let i = 0; i < 20; i++) {
        scroller.scrollTop = 3_000 + i * 70;
        for (let k = 0; k < 3; k++) await new Promise((done) => requestAnimationFrame(done));
        const edge = scroller.getBoundingClientRect().top;
        const across = [...document.querySelectorAll(".file")].find((file) => {
          const { top, bottom } = file.getBoundingClientRect();
          return top < edge && edge + 40 < bottom;
        });
        const row = across?.querySelector(".file-row");
        if (row) found.push(row.getBoundingClientRect().top - edge);
      }
      return found;
    });
    const wrong = tops.filter((top) => 2 < Math.abs(top));
    if (tops.length === 0 || 0 < wrong.length) faults.push(`${name}: ${tops.join(", ")}`);
  }
  return faults;
}

async function throughHunks(page: Page): Promise<readonly string[]> {
  await drawShow(page, "speed-diff", "dark");
  await page.locator("[data-row] button").first().focus();
  const faults: string[] = [];
  const keys = [...Array<string>(40).fill("ArrowDown"), ...Array<string>(20).fill("ArrowUp")];
  for (const key of keys) {
    await page.keyboard.press(key);
    await settle(page);
    const covered = await page.evaluate(() => {
      const row = document.activeElement?.closest("[data-row]");
      const box = row?.getBoundingClientRect();
      if (row === null || row === undefined || box === undefined) return "the focus is lost";
      const seen = document.elementFromPoint(box.left + 40, box.top + box.height / 2);
      return seen !== null && row.contains(seen) ? null : `covered: ${row.textContent ?? ""}`;
    });
    if (covered !== null) faults.push(covered);
  }
  return faults.slice(0, 3);
}

async function arriving(page: Page): Promise<readonly string[]> {
  await drawShow(page, "speed-calls", "dark");
  return page.evaluate(async () => {
    const scroller = document.querySelector(".scroller");
    if (scroller === null) return ["there is no list"];
    const frames = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await new Promise((done) => requestAnimationFrame(done));
    };
    scroller.scrollTop = 5_000;
    await frames(4);
    const line = [...document.querySelectorAll(".line")].find(
      (one) => 300 < one.getBoundingClientRect().top,
    );
    const before = line?.getBoundingClientRect().top ?? NaN;
    window.dispatchEvent(new CustomEvent("gallery-call"));
    window.dispatchEvent(new CustomEvent("gallery-call"));
    await frames(4);
    const button = document.querySelector("[data-testid=new-calls]")?.textContent;
    const moved = (line?.getBoundingClientRect().top ?? NaN) - before;
    return moved === 0 && button === "2 new calls" ? [] : [`moved by ${moved}; button: ${button}`];
  });
}

async function goToCall(page: Page): Promise<readonly string[]> {
  await drawShow(page, "overview", "dark");
  await page.getByRole("button", { name: /^Go to call/u }).click();
  await settle(page);
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  return focused === "Edited 3 files" ? [] : [`the focus is on ${focused}`];
}
