import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testMsMax } from "./test/support/patience.ts";

/*
 * The folder of a test file says what it needs, and so in which of these projects it runs:
 *
 * - beside the source: nothing. It is pure.
 * - `test/functions`: worlds (test/support/world.ts), with databases in memory; with `npm test -- --all` on the emulator.
 * - `test/memory`, `test/limits`, `test/repository`: no emulator. Each file has its own modules, which it may replace.
 * - `test/emulator`: the emulators, beside other files: its boards, accounts or projects are of its own.
 * - `test/turns`: the emulators for itself. It starts the schedules, which act on all boards, looks at all boards, or
 *   stops processes.
 *
 * A folder `browser` in one of these needs a browser too. Only `npm test -- --all` runs files named `*.slow.test.ts`, and
 * the tests of `bench`; those in `bench/emulator` need the emulators.
 */

// One seed for the whole run, so that one number repeats it; test/support/setup/fast-check.ts hands it to fast-check.
const seed = process.env["FIRERANK_SEED"] || String(Math.floor(Math.random() * 0x7fffffff));
if (process.env["VITEST_WORKER_ID"] === undefined) {
  console.log(`fast-check seed ${seed} (FIRERANK_SEED=${seed} repeats it)`);
}

type Settings = NonNullable<TestProjectInlineConfiguration["test"]>;

const setUp = (...names: string[]) => names.map((name) => `test/support/setup/${name}.ts`);

/** Without an emulator, and while the emulators start. */
const memory: Settings = {
  setupFiles: setUp("fast-check"),
  // One more than cores, as some wait for what they install or start.
  maxWorkers: availableParallelism() + 1,
  sequence: { groupOrder: 1 },
};
const emulator: Settings = {
  setupFiles: setUp("fast-check", "suite"),
  // Only for a fault of Google's emulator; see test/support/client-listening.ts.
  retry: { count: 2, condition: /firebase-tools\/issues\/8654/ },
  // One more than a small machine has cores, as they wait for the functions half of the time.
  maxWorkers: 3,
  sequence: { groupOrder: 2 },
};
const turns: Settings = {
  ...emulator,
  setupFiles: setUp("fast-check", "suite", "turn"),
  maxWorkers: 1,
  sequence: { groupOrder: 3 },
};
/** Files share the modules that a worker has loaded, which took a third of their processor time. */
const shared: Settings = { isolate: false };

/** Files that take half a minute or more, and are too small for vitest to begin with them where it has no times yet. */
const longest =
  /\/(install\.slow|simulation|memory-cases\.slow|languages\.slow|client-groups|large-slots)\.test\.ts$/;

/** Begins each group with its longest files, so that none is left to one worker at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const isLong = ({ moduleId }: TestSpecification) => Number(longest.test(moduleId));
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || isLong(b) - isLong(a));
  }
}

const worldsOnEmulator = process.env["FIRERANK_WORLDS"] === "emulator";
const worlds = worldsOnEmulator ? emulator : memory;

const sources = ["functions/src", "client", "scripts", "cli", "demo", "simulate", "web/src"];
const testsIn = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.ts`);
const testFolder = (...names: string[]) => testsIn(...names.map((name) => `test/${name}`));

const project = (name: string, include: string[], ...settings: Settings[]) => ({
  extends: true as const,
  test: Object.assign({ name, include }, ...settings) as Settings,
});

export default defineConfig({
  test: {
    env: { FIRERANK_SEED: seed },
    // Whoever needs a shorter one says so.
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    sequence: { sequencer: LongestFirst },
    tags: [{ name: "big", description: "Takes seconds because of its size. Mutants are tried without it." }],
    projects: [
      project("unit", testsIn(...sources), memory, shared),
      project("bench", ["bench/!(emulator)/**/*.test.ts"], memory, shared),
      project(worldsOnEmulator ? "emulator-worlds" : "memory", testFolder("functions"), worlds, shared),
      project("memory-only", testFolder("memory", "limits", "repository"), memory),
      project("emulator", [...testFolder("emulator"), ...testsIn("bench/emulator")], emulator, shared),
      project("emulator-turns", testFolder("turns"), turns),
    ],
  },
});
