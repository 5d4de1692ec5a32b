import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { testMsMax } from "./test/support/patience.ts";

// One seed for the whole run, so that one number repeats it; test/support/setup/fast-check.ts hands it to fast-check.
const seed = process.env["FIRERANK_SEED"] || String(Math.floor(Math.random() * 0x7fffffff));
if (process.env["VITEST_WORKER_ID"] === undefined) {
  console.log(`fast-check seed ${seed} (FIRERANK_SEED=${seed} repeats it)`);
}

const pure = ["functions/src", "client", "scripts", "cli", "demo", "bench", "simulate", "web/src"];

/** Files on the emulators that run alone though they may look as if they did not have to, with the reason. */
const alone: Record<string, string> = {
  "test/browser/web.test.ts": "looks at the list of all boards, and fills it with a thousand",
  "test/browser/web-looks.test.ts": "sees that nothing moves, also in the list of all boards",
};
/** Files on the emulators that run beside others though they make their world by other means. */
const besideOthers: Record<string, string> = {
  "test/cli/grant-admin.test.ts": "its accounts are of its own",
  "test/repository/rules.test.ts": "its project is of its own",
  "test/repository/serve.test.ts": "its project is of its own, and so are its functions",
};

/** An import of what makes a world or a board of a test's own. */
const worldOfItsOwn = /"(?:\.|(?:\.\.\/)+support)\/(?:world|rest-world|live|client-stage|stage)\.ts"/;

/**
 * Whether a file runs beside others. It may if all that it does is in worlds (test/support/world.ts), which are projects of
 * their own, or on boards of its own (test/support/live.ts). It may not if it starts the clock of the schedules, which act on
 * every board there is. A file of which this is not seen runs alone.
 */
function runsBesideOthers(file: string): boolean {
  const text = readFileSync(file, "utf8");
  const isIts = worldOfItsOwn.test(text);
  return !(file in alone) && (file in besideOthers || (isIts && !text.includes("startClock(")));
}

const onEmulators = globSync("test/**/*.test.ts").sort();
/** Tests that load every module with other limits, and so share none with other files. */
const withOtherLimits = ["simulate/small-limits.test.ts", "simulate/counted-mutants.test.ts"];

const emulator = {
  setupFiles: ["test/support/setup/fast-check.ts", "test/support/setup/suite.ts"],
  // Only for a fault of Google's emulator; see test/support/torn-streams.ts.
  retry: { count: 2, condition: /firebase-tools\/issues\/8654/ },
} satisfies TestProjectInlineConfiguration["test"];

export default defineConfig({
  test: {
    env: { FIRERANK_SEED: seed },
    // Whoever needs a shorter one says so.
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: pure.map((folder) => `${folder}/**/*.test.ts`),
          exclude: [...configDefaults.exclude, ...withOtherLimits],
          setupFiles: ["test/support/setup/fast-check.ts"],
          // Pure modules keep nothing from one file to the next, and loading them again took as long as the tests.
          isolate: false,
          maxWorkers: availableParallelism(),
          // First, while the emulators start.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "unit-other-limits",
          include: withOtherLimits,
          setupFiles: ["test/support/setup/fast-check.ts"],
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...emulator,
          name: "emulator",
          include: onEmulators.filter(runsBesideOthers),
          // One more than a small machine has cores, as they wait for the functions half of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...emulator,
          name: "emulator-alone",
          include: onEmulators.filter((file) => !runsBesideOthers(file)),
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
