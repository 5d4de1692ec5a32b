import { defineConfig } from "vitest/config";

// One seed for the whole run, so that one number repeats it; test/setup/fast-check.ts hands it to fast-check.
const seed = process.env["FIRERANK_SEED"] || String(Math.floor(Math.random() * 0x7fffffff));
if (process.env["VITEST_WORKER_ID"] === undefined) {
  console.log(`fast-check seed ${seed} (FIRERANK_SEED=${seed} repeats it)`);
}

export default defineConfig({
  test: {
    env: { FIRERANK_SEED: seed },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["functions/src", "client", "scripts", "cli", "demo", "bench", "simulate", "web/src"].map(
            (folder) => `${folder}/**/*.test.ts`,
          ),
          setupFiles: ["test/setup/fast-check.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "emulator",
          include: ["test/**/*.test.ts"],
          setupFiles: ["test/setup/fast-check.ts"],
          // They share one Firestore, and one set of functions that hears of all its writes.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Only for a fault of Google's emulator; see test/torn-streams.ts.
          retry: { count: 2, condition: /firebase-tools\/issues\/8654/ },
        },
      },
    ],
  },
});
