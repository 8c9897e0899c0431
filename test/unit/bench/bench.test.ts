import { expect, test } from "vitest";
import { NO_PEERS } from "../../bench/benchCase.ts";
import { SMALL } from "../../bench/measure.ts";
import { shortfalls, tableOf } from "../../bench/report.ts";
import { CASES, runSuite } from "../../bench/suite.ts";

test("every case of the bench runs, gives the expected result and has its growth computed", async () => {
  const results = await runSuite(CASES, NO_PEERS, SMALL);
  expect(results.map(({ id }) => id)).toEqual(CASES.map(({ id }) => id));
  for (const { id, hash, expectedHash, growth, timings } of results) {
    expect(hash, id).toBe(expectedHash);
    expect(
      timings.every(({ right }) => right),
      id,
    ).toBe(true);
    expect(growth, id).toBeGreaterThan(0);
    expect(growth, id).toBeLessThan(Infinity);
  }
  expect(tableOf(results).split("\n")).toHaveLength(CASES.length + 1);
});

test("a target that is missed, growth past the bound and a wrong result are named", () => {
  const timing = (name: string, least: number) => ({
    name,
    least,
    median: least,
    runs: 3,
    right: true,
  });
  const result = (id: string, ours: number, peer: number, growth: number) => ({
    id,
    title: id,
    hash: "a",
    expectedHash: "a",
    timings: [
      timing("ours", ours),
      timing("codex", peer),
      { ...timing("fast", 0.1), right: false },
    ],
    growth,
  });
  expect(
    shortfalls(CASES, [result("patch-1", 8, 10, 2.5), result("patch-1000", 9.6, 10, 1)]),
  ).toEqual([]);
  const short = shortfalls(CASES, [
    result("patch-1", 9, 10, 2.6),
    { ...result("patch-1000", 12, 20, 2), hash: "b" },
  ]);
  expect(short).toHaveLength(4);
  expect(short.map((sentence) => sentence.split(":")[0])).toEqual([
    "patch-1",
    "patch-1",
    "patch-1000",
    "patch-1000",
  ]);
});
