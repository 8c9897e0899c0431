import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..");

// Each script takes half a second to start, so a slow and a quick one stand for all.
test.each(["test/harness/start.ts", "test/fuzz/fuzz.ts"])(
  "%s says which options it takes when it is given another",
  (script) => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, script), "--bogus"], {
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^Unknown option '--bogus'\. This script takes: --\w+[^\n]*\n$/);
    expect(status).toBe(2);
  },
);
