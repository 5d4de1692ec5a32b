import { defineConfig } from "vitest/config";

/** The pure tests of the functions, as StrykerJS runs them for each mutant (stryker.config.mjs). */
export default defineConfig({
  test: {
    // The same for every mutant, so that none survives or dies by chance.
    env: { FIRERANK_SEED: "20261122", FIRERANK_RUNS: "40" },
    include: ["functions/src/**/*.test.ts"],
    // It loads modules anew, so that it seems to reach every constant in them.
    exclude: ["functions/src/transports/runtime.test.ts"],
    setupFiles: ["test/support/setup/fast-check.ts"],
    // StrykerJS has its own limit of time.
    testTimeout: 0,
    isolate: false,
    fsModuleCache: false,
    tags: [{ name: "big", description: "Smaller tests find the same mistakes.", skip: true }],
  },
});
