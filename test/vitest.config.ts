import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    include: ["test/{unit,laws,faults}/**/*.test.{ts,tsx}"],
    // The machine that runs this may have two cores; threads share the compiled modules.
    pool: "threads",
    testTimeout: 20_000,
    passWithNoTests: false,
  },
});
