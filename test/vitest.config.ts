import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: path.resolve(import.meta.dirname, ".."),
  test: {
    include: ["test/{unit,laws,faults}/**/*.test.{ts,tsx}"],
    // The machine that runs this may have two cores; threads share the compiled modules.
    pool: "threads",
    // One set of modules a worker: loading them for each file took twice as long as all tests. No test may lean on it.
    isolate: false,
    // Ends what hangs, and nothing that is only slow beside other work.
    testTimeout: 60_000,
    passWithNoTests: false,
  },
});
