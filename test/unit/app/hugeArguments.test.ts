import { describe, expect, test } from "vitest";
import { createCallDriver } from "../../support/callDriver.ts";
import { PATH, WAYS } from "../../support/waysToWrite.ts";

describe("arguments of 50 MB", () => {
  const long = "x".repeat(50_000_001);
  const ways = Object.entries(WAYS).flatMap(([way, make]) =>
    (["text", "object"] as const).map((shape) => [way, shape, make] as const),
  );

  test.each(ways)("by %s as %s are refused at once", async (_way, shape, make) => {
    const driver = createCallDriver({ files: { [PATH]: "alpha\n" } });
    const [tool, input] = make({ old: "alpha", now: long });
    const cpu = process.threadCpuUsage();
    const ran = await driver.run(tool, shape === "object" ? input : JSON.stringify(input));
    const { user } = process.threadCpuUsage(cpu);
    expect(ran.structured.status).toBe("error");
    expect(ran.text).toMatch(/50000000|too large/);
    expect(ran.text.length).toBeLessThan(1_000);
    expect(JSON.stringify(ran.record).length).toBeLessThan(600_000);
    expect(driver.workspace.operations.filter((one) => /^(update|create)/.test(one))).toEqual([]);
    // No parse, no fold, no diff of it: a few passes over the text at most.
    expect(user / 1_000).toBeLessThan(3_000);
  });
});
