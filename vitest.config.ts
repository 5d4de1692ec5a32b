import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testMsMax } from "./test/support/patience.ts";

// One seed for the whole run, so that one number repeats it; test/support/setup/fast-check.ts hands it to fast-check.
const seed = process.env["FIRERANK_SEED"] || String(Math.floor(Math.random() * 0x7fffffff));
if (process.env["VITEST_WORKER_ID"] === undefined) {
  console.log(`fast-check seed ${seed} (FIRERANK_SEED=${seed} repeats it)`);
}

const pure = ["functions/src", "client", "scripts", "cli", "demo", "bench", "simulate", "web/src"];

/**
 * Files on the emulators that change or look at what others do in the project of the suite, or slow it, though nothing that
 * they import shows it, with the reason.
 */
const oneByOne: Record<string, string> = {
  "test/browser/web.test.ts": "looks at the list of all boards, and fills it with a thousand",
  "test/browser/web-runs.test.ts":
    "writes ten thousand runs, which slow Google's emulator until the next turn empties it",
  "test/browser/web-looks.test.ts": "sees that nothing moves, also in the list of all boards",
};
/** Files on the emulators that are in nobody's way though they make their world by other means. */
const ofTheirOwn: Record<string, string> = {
  "test/bench/benchmark.test.ts": "its projects are of its own",
  "test/bench/composite-buckets.test.ts": "its projects are of its own",
  "test/bench/faults.test.ts": "its projects are of its own",
  "test/bench/partitions.test.ts": "its projects are of its own",
  "test/bench/systems.test.ts": "its projects are of its own",
  "test/cli/grant-admin.test.ts": "its accounts are of its own",
  "test/repository/install.test.ts": "its project is of its own, and so are its emulators",
  "test/repository/built.test.ts": "it loads the functions, and calls none",
  "test/repository/manifest.test.ts": "it discovers the functions, and calls none",
  "test/repository/release.test.ts": "its repository is a clone",
  "test/repository/rules.test.ts": "its project is of its own",
  "test/repository/serve.test.ts": "its project is of its own, and so are its functions",
};

const importsOf = (names: string) => new RegExp(`"(?:\\.|(?:\\.\\./)+support)/(?:${names})\\.ts"`);
const world = importsOf("world|rest-world|client-stage");
const board = importsOf("live|stage");

/**
 * Whom a file runs beside, by what it imports:
 * - `boards`: boards of its own (test/support/live.ts) in the project of the suite, which other such files do not touch.
 * - `worlds`: only worlds (test/support/world.ts), which are projects of their own, or the like. It runs beside any other.
 * - `other limits`: the same, with modules that it replaces.
 * - `all boards`: it starts the clock of the schedules, which act on every board there is, or looks at all of them. So it
 *   runs beside worlds, but neither beside boards nor beside another of these.
 * - `alone`: it stops processes; or none of the above can be seen. It runs beside pure tests only.
 */
function kindOf(file: string): "boards" | "worlds" | "other limits" | "all boards" | "alone" {
  const text = readFileSync(file, "utf8");
  if (text.includes("startKiller(")) return "alone";
  if (file in oneByOne || text.includes("startClock(")) return "all boards";
  if (text.includes("vi.mock(")) return "other limits";
  if (board.test(text)) return "boards";
  return file in ofTheirOwn || world.test(text) ? "worlds" : "alone";
}

const onEmulators = globSync("test/**/*.test.ts").sort();
const filesOf = (kind: ReturnType<typeof kindOf>) => onEmulators.filter((file) => kindOf(file) === kind);

/** Files that make worlds, but can only be on an emulator, with the reason. */
const notInMemory: Record<string, string> = {
  "test/cli/doctor.test.ts": "the command line, a process of its own, looks at the emulators",
  "test/cli/import.test.ts": "the command line, a process of its own, writes into the database and is killed",
  "test/functions/documents/enterprise.test.ts": "its emulator is of another edition",
  "test/functions/reading/top-memory.test.ts":
    "a process of its own, whose memory is measured, reads the database",
  "test/simulate/memory.test.ts": "simulate/memory/wire has the same cases in memory",
};
/** Files that hold large commits against limits that no emulator has: they are in memory only. */
const onlyInMemory = [
  "test/functions/closing/large-commits.test.ts",
  "test/functions/ranking/rush.test.ts",
  "test/functions/submit/commit-limits.test.ts",
];
/** All others that make worlds, unless apps connect to them. */
const inMemory = (kind: ReturnType<typeof kindOf>) =>
  filesOf(kind).filter((file) => {
    const text = readFileSync(file, "utf8");
    const isWorld = importsOf("world|rest-world").test(text) && !importsOf("client-stage").test(text);
    return isWorld && !(file in notInMemory);
  });
/** One more than a small machine has cores, as they wait for the functions half of the time. */
const emulatorWorkers = 3;

/** Those that take the longest. Without the times of an earlier run, vitest would begin some of them last. */
const longest = [
  "test/browser/web-failures.test.ts",
  "test/browser/web-seasons.test.ts",
  "test/client/client.test.ts",
  "test/browser/web-season.test.ts",
  "test/client/client-seasons.test.ts",
  "test/suite/live-top-listener.test.ts",
  "test/repository/install.test.ts",
  "test/bench/systems.test.ts",
  "test/functions/operations/merge-players.test.ts",
  "test/functions/closing/closing.test.ts",
  "test/bench/benchmark.test.ts",
  "test/cli/import.test.ts",
  "test/functions/closing/revising.test.ts",
  "test/functions/crash.test.ts",
  "test/bench/faults.test.ts",
  "test/functions/reading/lists/lists-order.test.ts",
  "test/repository/release.test.ts",
  "test/functions/ranking/whole-generations.test.ts",
  "test/functions/events/season-events.test.ts",
  "test/functions/events/examples.test.ts",
  "test/functions/repair/repair.test.ts",
];

/**
 * vitest's own order, the longest first, with the files that wait for each other's end spread among the worlds. In a clone
 * without times of an earlier run, that would be the largest first.
 */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isOf = (kind: string) => (file: TestSpecification) => file.project.name === `emulator-${kind}`;
    const placeOf = (file: TestSpecification) => {
      const place = longest.findIndex((name) => file.moduleId.endsWith(`/${name}`));
      return place === -1 ? longest.length : place;
    };
    const sorted = (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
    const turns = sorted.filter(isOf("all-boards"));
    const worlds = sorted.filter(isOf("worlds"));
    const stretch = Math.ceil(worlds.length / Math.max(1, turns.length));
    const spread = turns.flatMap((file, i) => [file, ...worlds.slice(i * stretch, (i + 1) * stretch)]);
    if (turns.length === 0) return sorted;
    const before = sorted.findIndex((file) => file === turns[0] || file === worlds[0]);
    const others = sorted.filter((file) => !spread.includes(file));
    return [...others.slice(0, before), ...spread, ...others.slice(before)];
  }
}

/** Tests that load every module with other limits, and so share none with other files. */
const withOtherLimits = ["simulate/small-limits.test.ts", "simulate/seasons/seasons.test.ts"];

/**
 * Files of boards and of worlds share the modules that a worker has loaded: their state is in boards and worlds of their
 * own, and loading took a third of their processor time. The others have processes of their own: a turn ends with its
 * process.
 */
const emulator = {
  setupFiles: ["test/support/setup/fast-check.ts", "test/support/setup/suite.ts"],
  // Only for a fault of Google's emulator; see test/support/torn-streams.ts.
  retry: { count: 2, condition: /firebase-tools\/issues\/8654/ },
} satisfies TestProjectInlineConfiguration["test"];

/** Worlds whose databases are in memory: no emulator is needed, nor waited for. */
const memory = {
  setupFiles: ["test/support/setup/fast-check.ts"],
  maxWorkers: availableParallelism(),
  sequence: { groupOrder: 1 },
} satisfies TestProjectInlineConfiguration["test"];

export default defineConfig({
  test: {
    env: { FIRERANK_SEED: seed },
    // Whoever needs a shorter one says so.
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    sequence: { sequencer: Sequencer },
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
        test: { ...memory, name: "memory", include: inMemory("worlds"), isolate: false },
      },
      {
        extends: true,
        test: { ...memory, name: "memory-other-limits", include: inMemory("other limits") },
      },
      {
        extends: true,
        test: {
          ...emulator,
          name: "emulator",
          include: filesOf("boards"),
          isolate: false,
          maxWorkers: emulatorWorkers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...emulator,
          name: "emulator-worlds",
          include: filesOf("worlds").filter((file) => !onlyInMemory.includes(file)),
          isolate: false,
          maxWorkers: emulatorWorkers,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          ...emulator,
          name: "emulator-other-limits",
          include: filesOf("other limits"),
          maxWorkers: emulatorWorkers,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          ...emulator,
          name: "emulator-all-boards",
          include: filesOf("all boards"),
          setupFiles: [...emulator.setupFiles, "test/support/setup/turn.ts"],
          maxWorkers: emulatorWorkers,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          ...emulator,
          name: "emulator-alone",
          include: filesOf("alone"),
          setupFiles: [...emulator.setupFiles, "test/support/setup/turn.ts"],
          maxWorkers: availableParallelism(),
          // Beside pure tests, and before any other on the emulators.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
