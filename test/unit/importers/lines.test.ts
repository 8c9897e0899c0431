import fc from "fast-check";
import { expect, test } from "vitest";
import { readLines, type Line } from "../../../src/app/importers/lines.ts";
import { importTranscript } from "../../../src/app/importers/importTranscript.ts";
import { printTime, readTime } from "../../../src/app/importers/isoTime.ts";

async function linesOf(chunks: readonly string[], unitsMax?: number): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(chunks, unitsMax)) lines.push(line);
  return lines;
}

test("law: where the chunks are cut makes no difference", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\u2028", "{"), maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(40), { maxLength: 5 }), async (whole, cuts) => {
      const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort(
        (a, b) => a - b,
      );
      const chunks = places.slice(1).map((to, i) => whole.slice(places[i], to));
      const lines = await linesOf(chunks);
      expect(lines).toEqual(await linesOf([whole]));
      const expected = whole.split("\n").map((own, index) => ({ number: index + 1, text: own }));
      expect(lines).toEqual(expected.filter((line) => line.text.trim() !== ""));
    }),
  );
});

test("a byte order mark is no part of the first line", async () => {
  expect(await linesOf(["\ufeff{}\n\ufeff"])).toMatchObject([{ number: 1, text: "{}" }]);
});

test("a line above the bound is passed over, and the next ones keep their numbers", async () => {
  expect(await linesOf(["aaa", "aaa\nbb\n", "ccccc"], 4)).toEqual([
    { number: 1, text: null },
    { number: 2, text: "bb" },
    { number: 3, text: null },
  ]);
});

test("a transcript is never held whole: long ones and endless lines run in bounded memory", async () => {
  const call = JSON.stringify({ tool: "write", input: { path: "a", content: "x".repeat(50_000) } });
  const bytes = { given: 0, heldMax: 0 };
  const before = process.memoryUsage().heapUsed;
  function* chunks(): Generator<string> {
    for (let n = 0; n < 2_000; n++) {
      const chunk = n >= 500 && n < 1_500 ? "y".repeat(100_000) : `${call}\n`;
      bytes.given += chunk.length;
      if (n % 100 === 0)
        bytes.heldMax = Math.max(bytes.heldMax, process.memoryUsage().heapUsed - before);
      yield chunk;
    }
  }
  let calls = 0;
  const summary = await importTranscript(chunks(), { name: "n", time: 1 }, () => void calls++);
  expect(bytes.given).toBeGreaterThan(140_000_000);
  expect(summary.oversized).toEqual({ count: 1, lines: [501] });
  expect(calls).toBe(999);
  // What may be held: one line at its bound and some garbage that was not collected yet.
  expect(bytes.heldMax).toBeLessThan(120_000_000);
});

test("a transcript can be stopped", async () => {
  const stop = new AbortController();
  let calls = 0;
  const line = (n: number): string =>
    JSON.stringify({ tool: "delete", id: `${n}`, input: { path: "a" } });
  const text = Array.from({ length: 500 }, (_, n) => line(n)).join("\n");
  const summary = await importTranscript(
    [text],
    { name: "n", time: 1, signal: stop.signal },
    () => {
      if (++calls === 10) stop.abort();
    },
  );
  expect(calls).toBeLessThan(200);
  expect(summary.calls).toBe(calls);
});

test("law: no text is an error, and every line is counted once", async () => {
  const json = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      '{"type":"response_item","payload":{"type":"function_call"}}',
      '{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch"}}',
      '{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","name":"Edit"}]}}',
      '{"tool":"edit_files","input":{"edits":[null,{"path":1},{"path":"a"}]}}',
      '{"object":"response","output":[null,{},[]]}',
      '{"type":"apply_patch_call","operation":{"type":"constructor","path":"x"}}',
      '{"type":"function_call","name":"__proto__","arguments":"{}"}',
      "[[[1]]]",
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(json, { maxLength: 8 }), async (lines) => {
      const text = lines.map((line) => line.replaceAll("\n", " ")).join("\n");
      const summary = await importTranscript([text], { name: "n", time: 1 });
      expect(summary.lines).toBe(text.split("\n").filter((line) => line.trim() !== "").length);
    }),
    { numRuns: 500 },
  );
});

test("times of every spelling", () => {
  for (const text of [
    "2026-03-04T05:06:07.123Z",
    "2026-03-04T05:06:07.123456789Z",
    "2024-02-29T23:59:59+05:30",
    "2026-03-04T05:06:07-0800",
    "2000-01-01",
    "1999-12-31T00:00Z",
  ])
    expect(readTime(text)).toBe(Date.parse(text.replace(/-0800$/, "-08:00")));
  expect(readTime("2026-03-04 05:06:07")).toBe(Date.parse("2026-03-04T05:06:07Z"));
  expect(readTime(1_772_600_000)).toBe(1_772_600_000_000);
  expect(readTime("1772600000123")).toBe(1_772_600_000_123);
  expect(readTime(Date.parse("9999-12-31T23:59:59.999Z"))).toBe(253_402_300_799_999);
  for (const none of ["soon", "2026-13-01", "", null, {}, -5, Number.NaN, 1e16, 1e300])
    expect(readTime(none)).toBeUndefined();
  for (const none of ["9999999999999999", "1772600000123456"])
    expect(readTime(none)).toBeUndefined();
});

test("law: a printed time reads back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e11, max: Date.parse("9999-12-31T23:59:59Z") }), (time) => {
      expect(printTime(time)).toBe(new Date(time).toISOString());
      expect(readTime(printTime(time))).toBe(time);
    }),
    { numRuns: 1_000 },
  );
});
