/** Run by the store's tests as a process of its own: `child.ts write FOLDER FIRST COUNT` or `child.ts report FOLDER`. */
import { openStore } from "../../../src/adapters/node/sqliteStore.ts";
import { runningCall, sampleCall, sampleFile } from "./sampleCalls.ts";

const [task, folder = "", first = "0", count = "0"] = process.argv.slice(2);
const store = await openStore({
  folder,
  budgetBytes: 1e9,
  retentionDays: 1e6,
  now: () => Date.now(),
});

if (task === "write") {
  // Each line is printed once the promise is done, so the parent knows what must have survived.
  for (let n = Number(first); n < Number(first) + Number(count); n++) {
    const hash = await store.keep(new TextEncoder().encode(`content ${n}\n`.repeat(50)));
    const call = sampleCall(n, { files: [sampleFile(`f${n}.ts`, { hashAfter: hash })] });
    await store.put(runningCall(n));
    process.stdout.write(`began ${call.id}\n`);
    const done = await store.put(call);
    process.stdout.write(`${done.ok ? "done" : "failed"} ${call.id} ${hash}\n`);
  }
  process.stdout.write(`end ${store.notice() ?? ""}\n`);
} else {
  const put = await store.put(sampleCall(1));
  const found = await store.count();
  process.stdout.write(`${JSON.stringify({ notice: store.notice(), put: put.ok, found })}\n`);
}
await store.close();
