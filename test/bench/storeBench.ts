// What the panel asks of a store of 100,000 calls, one question at a time: through the store's own methods, and
// through the host's, from the view's message to the cards of the answer.
//   npm run bench:store -- [--calls 100000] [--rounds 15]
// Prints the least and the median time by the clock and of the processor, and ends with 1 where the least time by
// the clock of a question is 100 ms or more.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptOptions } from "../support/scriptOptions.ts";
import { openStore, STORE_FILE } from "../../src/adapters/node/sqliteStore.ts";
import type { KeptStore } from "../../src/adapters/node/keptStore.ts";
import { createCallLog } from "../../src/app/callLog.ts";
import type { CallRecord } from "../../src/app/record.ts";
import { reviewCards } from "../../src/app/reviewCards.ts";
import { createReviewFeed, type ReviewFeed } from "../../src/app/reviewFeed.ts";
import type { CallFilter } from "../../src/protocol/callFilter.ts";

const { values } = scriptOptions({
  options: {
    calls: { type: "string", default: "100000" },
    rounds: { type: "string", default: "15" },
  },
});
const CALLS = Number(values.calls);
const ROUNDS = Number(values.rounds);
const QUESTION_MS_MAX = 100;
const PAGE = 100;

const TOOLS = ["edit_files", "apply_patch", "edit", "write", "delete"];
const STATUSES = ["applied", "partial", "error"] as const;

function call(n: number): CallRecord {
  const files = Array.from({ length: 1 + (n % 4) }, (_, i) => {
    const path = `src/part${n % 977}/module${(n * 7 + i) % 9973}/file${n % 13}.ts`;
    const diff = `--- ${path}\n+++ ${path}\n@@ -1,1 +1,1 @@\n-old ${n}\n+new ${n}\n`;
    const outcome = { path, status: "applied", operation: "update", diff } as const;
    const hashAfter = String(n);
    return { path, shown: path, operation: "update", phase: "done", outcome, hashAfter } as const;
  });
  return {
    version: 1,
    id: `call-${n}`,
    session: `session-${n % 500}`,
    tool: TOOLS[n % TOOLS.length] ?? "edit",
    source: "api",
    model: `model-${n % 17}`,
    startedAt: 1_000_000 + n,
    endedAt: 1_000_001 + n,
    phase: "done",
    args: {
      edits: files.map(({ path }) => ({ path, old_text: `old ${n}`, new_text: `new ${n}` })),
    },
    files,
    flags: [],
    result: {
      status: STATUSES[n % STATUSES.length] ?? "applied",
      isError: false,
      text: "done",
      message: "done",
    },
  };
}

const QUESTIONS: Readonly<Record<string, (store: KeptStore) => Promise<unknown>>> = {
  "open: the first page and how many there are": async (store) => [
    await store.find({ limit: PAGE }),
    await store.count(),
  ],
  "an older page": (store) => store.find({ limit: PAGE, before: `call-${CALLS >> 1}` }),
  "search a path that few have": (store) => store.find({ limit: PAGE, path: "module4242/" }),
  "search a path that all have": (store) => store.find({ limit: PAGE, path: "src/part" }),
  "search a text that nobody has": (store) => store.find({ limit: PAGE, text: "no such thing" }),
  "search two characters": (store) => store.find({ limit: PAGE, text: "zz" }),
  "count a search": (store) => store.count({ text: "module42" }),
  "filter by tool": (store) => store.find({ limit: PAGE, tool: "delete" }),
  "filter by model": (store) => store.find({ limit: PAGE, model: "model-3" }),
  "filter by status": (store) => store.find({ limit: PAGE, status: "error" }),
  "filter by tool, model and path": (store) =>
    store.find({ limit: PAGE, tool: "edit", model: "model-3", path: "part12" }),
};

const NOTHING: CallFilter = {
  text: "",
  tool: null,
  model: null,
  review: false,
  rejected: false,
  attention: false,
};

function look(filter: Partial<CallFilter>, session: string | null = null): PanelQuestion {
  const message = { kind: "search", search: 1, session, after: null } as const;
  return (feed) => feed.search({ ...message, filter: { ...NOTHING, ...filter } });
}

type PanelQuestion = (feed: ReviewFeed) => Promise<void>;

const PANEL_QUESTIONS: Readonly<Record<string, PanelQuestion>> = {
  "open the panel": (feed) => feed.ready(),
  "load older calls": (feed) => feed.loadOlder(),
  "search a path that few have": look({ text: "module4242/" }),
  "search a path that all have": look({ text: "src/part" }),
  "search words": look({ text: "part12 model-3 edit_files" }),
  "search a text that nobody has": look({ text: "no such thing" }),
  "search two characters": look({ text: "zz" }),
  "search within a session": look({ text: "module" }, "session-7"),
  "filter by tool and model": look({ tool: "edit", model: "model-3" }),
  "filter what was rejected": look({ rejected: true }),
  "filter what needs attention": look({ attention: true }),
  "filter what is to review": look({ review: true }),
  "filter what is to review, of a tool and path": look({
    review: true,
    text: "part12",
    tool: "edit",
  }),
};

/** The host's end of the panel, as it is but for the editor: files of kept calls are not read. */
function panelFeed(store: KeptStore): ReviewFeed {
  const approvals = { open: () => [] };
  const reviewed = async (call: CallRecord): Promise<ReadonlySet<string>> =>
    new Set((await store.marks(call.id)).map(({ path }) => path));
  return createReviewFeed({
    log: createCallLog(store),
    store,
    cardsOf: (calls) => reviewCards({ store, approvals, reviewed }, calls),
    post: (message) => void JSON.stringify(message),
    about: () => ({ trusted: true, strings: {} }),
    after: () => () => undefined,
    pause: () => new Promise((done) => setImmediate(done)),
    logBug: (error) => console.error(error),
  });
}

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "store-bench-"));
  const options = { folder, budgetBytes: 1e10, retentionDays: 1e6, now: () => 1_000_000 + CALLS };
  try {
    const began = performance.now();
    const filling = await openStore(options);
    for (let n = 0; n < CALLS; n++) await filling.put(call(n));
    await filling.close();
    const megabytes = (statSync(join(folder, STORE_FILE)).size / 1e6).toFixed(0);
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    console.log(
      `${CALLS} calls: ${megabytes} MB, filled in ${seconds} s. Least / median ms by the clock, then of the processor:`,
    );
    let slow = 0;
    const opened = await measured(async () => (await openStore(options)).close());
    slow += tell("open the store's file", opened);
    const store = await openStore(options);
    for (const [name, ask] of Object.entries(QUESTIONS))
      slow += tell(name, await measured(() => ask(store)));
    const feed = panelFeed(store);
    await feed.ready();
    for (const [name, ask] of Object.entries(PANEL_QUESTIONS))
      slow += tell(`panel: ${name}`, await measured(() => ask(feed)));
    feed.dispose();
    await store.close();
    return slow === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Figures {
  readonly clock: readonly number[];
  readonly processor: readonly number[];
}

async function measured(work: () => Promise<unknown>): Promise<Figures> {
  const [clock, processor]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const [at, cpu] = [performance.now(), process.cpuUsage()];
    await work();
    clock.push(performance.now() - at);
    const { user, system } = process.cpuUsage(cpu);
    processor.push((user + system) / 1_000);
  }
  const sort = (times: readonly number[]): number[] => [...times].sort((a, b) => a - b);
  return { clock: sort(clock), processor: sort(processor) };
}

function tell(name: string, { clock, processor }: Figures): number {
  const two = (times: readonly number[]): string =>
    `${(times[0] ?? NaN).toFixed(1)} / ${(times[times.length >> 1] ?? NaN).toFixed(1)}`;
  const isSlow = !((clock[0] ?? NaN) < QUESTION_MS_MAX);
  console.log(`${isSlow ? "SLOW" : "ok  "} ${name}: ${two(clock)}, ${two(processor)}`);
  return isSlow ? 1 : 0;
}

process.exitCode = await main();
