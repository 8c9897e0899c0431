import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..");

test.each([
  "test/bench/bench.ts",
  "test/bench/storeBench.ts",
  "test/fuzz/fuzz.ts",
  "test/harness/killedHost.ts",
  "test/harness/runEditorTests.ts",
  "test/harness/start.ts",
  "test/harness/vsixSmoke.ts",
  "test/screens/screens.ts",
])("%s says which options it takes when it is given another", (script) => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, script), "--bogus"], {
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^Unknown option '--bogus'\. This script takes: --\w+[^\n]*\n$/);
  expect(status).toBe(2);
});
