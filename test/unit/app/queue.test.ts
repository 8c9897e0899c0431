import { describe, expect, test } from "vitest";
import { createQueue } from "../../../src/app/queue.ts";

/** Work that tells when it begins and ends when it is let go. */
function held(name: string, log: string[]): { readonly work: () => Promise<string>; go(): void } {
  const gate = Promise.withResolvers<undefined>();
  return {
    async work() {
      log.push(`${name} begins`);
      await gate.promise;
      log.push(`${name} ends`);
      return name;
    },
    go: () => gate.resolve(undefined),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("turns", () => {
  test("run one after another, in the order they came", async () => {
    const queue = createQueue();
    const log: string[] = [];
    const [a, b] = [held("a", log), held("b", log)];
    const done = Promise.all([queue.run(a.work), queue.run(b.work)]);
    expect(queue.length).toBe(2);
    await settled();
    expect(log).toEqual(["a begins"]);
    b.go();
    a.go();
    expect(await done).toEqual(["a", "b"]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(queue.length).toBe(0);
  });

  test("one that throws tells whoever waits for it, and the next one runs", async () => {
    const queue = createQueue();
    const bad = queue.run(() => Promise.reject(new Error("no")));
    const good = queue.run(() => Promise.resolve("yes"));
    await expect(bad).rejects.toThrow("no");
    expect(await good).toBe("yes");
  });

  test("one that is called off while it waits runs at once and leaves the order of the others", async () => {
    const queue = createQueue();
    const log: string[] = [];
    const [a, b, c] = [held("a", log), held("b", log), held("c", log)];
    const stop = new AbortController();
    const first = queue.run(a.work);
    const second = queue.run(b.work, stop.signal);
    const third = queue.run(c.work);
    b.go();
    stop.abort();
    expect(await second).toBe("b");
    expect(log).toEqual(["a begins", "b begins", "b ends"]);
    expect(queue.length).toBe(2);
    a.go();
    c.go();
    await Promise.all([first, third]);
    expect(log.slice(3)).toEqual(["a ends", "c begins", "c ends"]);
  });

  test("one that was called off before it came does not wait either", async () => {
    const queue = createQueue();
    const a = held("a", []);
    const first = queue.run(a.work);
    expect(await queue.run(() => Promise.resolve("b"), AbortSignal.abort())).toBe("b");
    a.go();
    await first;
  });

  test("one that runs is not begun again when it is called off", async () => {
    const queue = createQueue();
    const log: string[] = [];
    const a = held("a", log);
    const stop = new AbortController();
    const first = queue.run(a.work, stop.signal);
    await settled();
    stop.abort();
    a.go();
    await first;
    expect(log).toEqual(["a begins", "a ends"]);
  });
});

describe("errands", () => {
  test("wait for the turn that runs and go before those that wait", async () => {
    const queue = createQueue();
    const log: string[] = [];
    const [a, b, undo] = [held("a", log), held("b", log), held("undo", log)];
    for (const one of [b, undo]) one.go();
    const turns = [queue.run(a.work), queue.run(b.work)];
    const errand = queue.errand(undo.work);
    await settled();
    expect(log).toEqual(["a begins"]);
    a.go();
    await Promise.all([...turns, errand]);
    expect(log).toEqual(["a begins", "a ends", "undo begins", "undo ends", "b begins", "b ends"]);
  });

  test("run while the turn pauses, which goes on only when they are done; no other turn does", async () => {
    const queue = createQueue();
    const log: string[] = [];
    const [undo, redo] = [held("undo", log), held("redo", log)];
    const answer = Promise.withResolvers<string>();
    const asking = queue.run(async () => {
      const said = await queue.pause(() => answer.promise);
      log.push(`goes on: ${said}`);
    });
    const next = queue.run(() => Promise.resolve(log.push("next")));
    const first = queue.errand(undo.work);
    await settled();
    expect(log).toEqual(["undo begins"]);
    answer.resolve("yes");
    const second = queue.errand(redo.work);
    await settled();
    expect(log).toEqual(["undo begins"]);
    redo.go();
    undo.go();
    await Promise.all([asking, next, first, second]);
    expect(log).toEqual([
      "undo begins",
      "undo ends",
      "goes on: yes",
      "redo begins",
      "redo ends",
      "next",
    ]);
  });

  test("run at once where nothing else does, and one that throws stops nothing", async () => {
    const queue = createQueue();
    await expect(queue.errand(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await queue.errand(() => Promise.resolve("undo"))).toBe("undo");
    expect(await queue.run(() => Promise.resolve("a"))).toBe("a");
  });

  test("a wait that fails ends the pause too", async () => {
    const queue = createQueue();
    const asking = queue.run(() => queue.pause(() => Promise.reject(new Error("bug"))));
    await expect(asking).rejects.toThrow("bug");
    expect(await queue.run(() => Promise.resolve("a"))).toBe("a");
  });
});
