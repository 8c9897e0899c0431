// Kills the real extension host with SIGKILL at random moments while it applies calls, and looks each time whether
// every file is wholly old or wholly new, whether the store is sound, and whether the call that was cut short is
// shown as interrupted, with the truth about each of its files.
//   node test/harness/killedHost.ts [--seed number] [--calls number] [--kills number]
// A host that was killed takes long to come back, so a run of every day has few kills; --kills 20 looks closer.
import { renameSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { scriptOptions } from "../support/scriptOptions.ts";
import type { Page } from "playwright-core";
import { STORE_FILE } from "../../src/adapters/node/sqliteStore.ts";
import type { CallRecord } from "../../src/app/record.ts";
import { randomOf } from "../fuzz/mutate.ts";
import { flawsOf, storedCalls } from "../support/storeFile.ts";
import { launchBrowser } from "./browser.ts";
import { addExtension } from "./builtExtension.ts";
import { checkEnded, checkInterrupted } from "./killed/checks.ts";
import type { KilledPlan } from "./killed/plan.ts";
import { progressOf, type Progress } from "./killed/progress.ts";
import {
  HARNESS,
  linkExtension,
  makeSession,
  ROOT,
  SCREENSHOTS,
  TEST_SETTINGS,
  type Session,
} from "./paths.ts";
import { startServer } from "./server.ts";
import { messageOf, waitFor } from "./wait.ts";
import { findReview } from "./webview.ts";
import { newPage, showWorkbench, workbenchUrl } from "./workbench.ts";

const { values } = scriptOptions({
  options: {
    seed: { type: "string", default: String(1 + Math.floor(Math.random() * 1e6)) },
    calls: { type: "string", default: "200" },
    kills: { type: "string", default: "2" },
  },
});
const KILLS = Number(values.kills);
/** More than asked for, while none has cut a call short: a kill may come between two calls. */
const KILLS_MORE = 2;
/** The editor starts a killed host again by itself, but not more often than this within minutes. */
const RESTARTS_MAX = 2;
/** A call is taken to last this long until one has been seen. */
const FIRST_CALL_MS = 150;

// What the editor does besides with every changed file would be most of the time.
const session = makeSession({
  ...TEST_SETTINGS,
  "workbench.localHistory.enabled": false,
  "files.watcherExclude": { "**/killed/**": true },
  "git.enabled": false,
  "npm.autoDetect": "off",
});
try {
  const told = await run(session);
  process.stdout.write(`${told}\nkilled: 1 passed, 0 failed\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.stdout.write("killed: 0 passed, 1 failed\n");
  process.exitCode = 1;
} finally {
  session.remove();
}
process.exit();

async function run(session: Session): Promise<string> {
  const seed = Number(values.seed);
  process.stdout.write(`Seed ${seed}\n`);
  const plan: KilledPlan = {
    seed,
    calls: Number(values.calls),
    folder: join(session.workspace, "killed"),
    progress: join(session.userDataDir, "progress.jsonl"),
    go: join(session.userDataDir, "go"),
  };
  linkExtension(session, ROOT);
  await addExtension(session, "killed-driver", join(HARNESS, "killed", "driver.ts"));
  const browser = await launchBrowser();
  const server = await startServer({
    ...session,
    testDriver: false,
    flags: ["--disable-workspace-trust"],
    env: { KILLED_PLAN: JSON.stringify(plan) },
  });
  const page = await newPage(browser);
  try {
    await showWorkbench(page, workbenchUrl(server, { path: session.workspace }));
    return await killAgainAndAgain(plan, session, page);
  } catch (error) {
    const picture = join(SCREENSHOTS, "killed.png");
    await page.screenshot({ path: picture, timeout: 10_000 }).catch(() => undefined);
    process.stderr.write(`Screenshot: ${picture}\n${server.output().slice(-2000)}\n`);
    throw error;
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function killAgainAndAgain(plan: KilledPlan, session: Session, page: Page): Promise<string> {
  const random = randomOf(plan.seed);
  const progress = progressOf(plan.progress);
  const between = Math.floor(plan.calls / (KILLS + KILLS_MORE + 1));
  let next = 0;
  let [cut, written] = [0, 0];
  let kills = 0;
  for (; kills < KILLS || (cut === 0 && kills < KILLS + KILLS_MORE); kills++) {
    const pid = await startedHost(progress, kills);
    const victim = next + 2 + random.below(between - 3);
    go(plan, next);
    await killDuring(progress, victim, pid, random.below(1_000) / 1_000);
    // A window starts its host again by itself, but not for ever; then a new window has to.
    if (kills % (RESTARTS_MAX + 1) === RESTARTS_MAX) await page.reload({ timeout: 60_000 });
    await startedHost(progress, kills + 1);
    const underWay = progress.underWay();
    const stored = await settledStore(session);
    for (const step of progress.ended().values())
      if (step.call >= next) checkEnded(plan, step, stored);
    next = 1 + Math.max(underWay ?? 0, ...progress.ended().keys());
    if (underWay === undefined) continue;
    const { record, files } = checkInterrupted(plan, underWay, stored);
    if (record?.phase !== "interrupted") continue;
    cut++;
    written += files;
    await shownInterrupted(page, record);
  }
  go(plan, next);
  await progress.until("the last call", 120_000, (steps) =>
    steps.at(-1)?.kind === "finished" ? true : undefined,
  );
  const stored = await settledStore(session);
  for (const step of progress.ended().values()) checkEnded(plan, step, stored);
  if (cut === 0) throw new Error("No call was cut short, so this run has shown nothing");
  return `${plan.calls} calls, ${kills} kills, ${cut} calls cut short, ${written} files of these were written`;
}

/** The process of the extension host after so many kills, with the driver in it waiting. */
function startedHost(progress: Progress, kills: number): Promise<number> {
  return progress.until("the extension host to start", 90_000, (steps) => {
    const starts = steps.filter((step) => step.kind === "started");
    return starts[kills]?.pid;
  });
}

/** In one step, so that the driver never reads half of it. */
function go({ go: file }: KilledPlan, next: number): void {
  writeFileSync(`${file}.new`, String(next));
  renameSync(`${file}.new`, file);
}

/** Kills the host at a part of the usual time of a call after the given one has begun. */
async function killDuring(
  progress: Progress,
  call: number,
  pid: number,
  part: number,
): Promise<void> {
  const begun = new Map<number, number>();
  const lasted: number[] = [];
  await progress.until(`call ${call} to begin`, 120_000, (steps) => {
    const last = steps.at(-1);
    if (last?.kind === "begun" && !begun.has(last.call)) begun.set(last.call, performance.now());
    const before = last?.kind === "begun" ? begun.get(last.call - 1) : undefined;
    if (before !== undefined && lasted.length < begun.size - 1)
      lasted.push(performance.now() - before);
    return last?.kind === "begun" && last.call >= call ? true : undefined;
  });
  const usual = lasted.sort((a, b) => a - b)[lasted.length >> 1] ?? FIRST_CALL_MS;
  await new Promise((resolve) => setTimeout(resolve, part * usual));
  process.kill(pid, "SIGKILL");
}

/** Every call of the store, once none is under way any more; the file itself must be sound. */
async function settledStore(session: Session): Promise<ReadonlyMap<string, CallRecord>> {
  const file = storeFile(session);
  const stored = await waitFor("the interrupted calls to be looked at", 30_000, () => {
    const calls = storedCalls(file);
    return [...calls.values()].every(({ endedAt }) => endedAt !== undefined) ? calls : undefined;
  });
  const flaws = flawsOf(file);
  if (flaws.length > 0) throw new Error(`The store is not sound: ${flaws.join("; ")}`);
  return stored;
}

function storeFile({ userDataDir }: Session): string {
  const folder = join(userDataDir, "User", "workspaceStorage");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const aside = files.find((name) => name.includes("damaged"));
  if (aside !== undefined) throw new Error(`The store was set aside as ${aside}`);
  const [found, ...others] = files.filter((name) => basename(name) === STORE_FILE);
  if (found === undefined || others.length > 0) throw new Error("There is not just one store");
  return join(folder, found);
}

/** The card of the call stands in the panel, as interrupted, with a card of every file. */
async function shownInterrupted(page: Page, { id, files }: CallRecord): Promise<void> {
  const review = await findReview(page, 60_000);
  const card = review.locator(
    `[data-testid="call-card"][data-phase="interrupted"]:has([data-row*="${id}"])`,
  );
  await card.first().waitFor({ state: "visible", timeout: 30_000 });
  const shown = await card.locator('[data-testid="file-card"]').count();
  if (shown !== files.length) throw new Error(`${shown} of ${files.length} files are shown`);
}
