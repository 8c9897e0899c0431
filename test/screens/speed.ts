import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../harness/browser.ts";
import { buildGallery, drawShow, openGallery, settle } from "./galleryPage.ts";

// Measures the panel in a browser: the first paint of 500 calls, and the longest task while a diff of 20,000 rows
// is scrolled. Milliseconds are of processor time, so that other work on the machine counts little. They are told
// only, for they depend on the machine; what must hold anywhere is how much of a list is in the page at once.

/** Elements in the page while a long list or diff is shown. All of it would be more than 100,000. */
const ELEMENTS_MAX = 4_000;
const ROUNDS = 5;

interface Figures {
  /** Script until the list stands, and the longest task while it is scrolled, both in processor time. */
  readonly drawnMs: number;
  readonly longestTaskMs: number;
  readonly elements: number;
  /** Share of the frames of a turning wheel in which the middle of the list was blank. */
  readonly blankFrames: number;
}

async function main(): Promise<number> {
  const files = await buildGallery();
  const browser = await launchBrowser();
  let [passed, failed] = [0, 0];
  try {
    for (const name of ["speed-calls", "speed-diff"]) {
      const rounds: Figures[] = [];
      for (let i = 0; i < ROUNDS; i++) {
        const { page } = await openGallery(browser, files, { width: 420, height: 900, zoom: 1 });
        rounds.push(await measure(browser, page, name));
        await page.context().close();
      }
      const best = (of: (figures: Figures) => number): number => Math.min(...rounds.map(of));
      const most = Math.max(...rounds.map(({ elements }) => elements));
      console.log(
        `${name}: drawn in ${best((f) => f.drawnMs).toFixed(0)} ms of script, ` +
          `longest task while scrolling ${best((f) => f.longestTaskMs).toFixed(0)} ms, ` +
          `at most ${most} elements, ${(100 * best((f) => f.blankFrames)).toFixed(0)} % of frames blank`,
      );
      if (most <= ELEMENTS_MAX) passed++;
      else failed++;
    }
  } finally {
    await browser.close();
  }
  console.log(`speed: ${passed} passed, ${failed} failed`);
  return failed === 0 && 0 < passed ? 0 : 1;
}

async function measure(browser: Browser, page: Page, name: string): Promise<Figures> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const scriptSeconds = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === "ScriptDuration")?.value ?? NaN;
  };
  const before = await scriptSeconds();
  await drawShow(page, name, "dark");
  await settle(page);
  const drawnMs = 1_000 * ((await scriptSeconds()) - before);
  await browser.startTracing(page, { categories: ["toplevel"] });
  const scrolled = await page.evaluate(scrollThrough);
  return { drawnMs, longestTaskMs: longestTask(await browser.stopTracing()), ...scrolled };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest task of the page's main thread, in milliseconds. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => {
    return name === "thread_name" && args?.name === "CrRendererMain";
  });
  const main = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ pid, tid }) => main.has(`${pid} ${tid}`));
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

/** Runs in the page: turns the wheel for 120 frames, then jumps through the whole list in 60. */
async function scrollThrough(): Promise<{ elements: number; blankFrames: number }> {
  const scroller = document.querySelector(".scroller");
  if (scroller === null) throw new Error("there is no list");
  const nextFrame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
  const box = scroller.getBoundingClientRect();
  let [elements, blank] = [0, 0];
  const look = async (): Promise<void> => {
    await nextFrame();
    const middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isBlank = middle === null || middle.matches(".blank, .scroller, .calls");
    if (isBlank) blank++;
    elements = Math.max(elements, document.querySelectorAll("*").length);
  };
  for (let i = 0; i < 120; i++) {
    scroller.scrollTop += 120;
    await look();
  }
  const blankFrames = blank / 120;
  for (let i = 0; i < 60; i++) {
    scroller.scrollTop = (scroller.scrollHeight * i) / 60;
    await look();
  }
  return { elements, blankFrames };
}

process.exitCode = await main();
