/**
 * Runs all pure tests of the functions, then for each mutant the tests that reach it, the quickest first, until one
 * fails.
 *
 * StrykerJS's own runner starts a worker for each mutant, which takes a second or two; here a mutant takes only as long
 * as its tests, often a few milliseconds. This works because the tests are pure: none leaves anything behind.
 */
import { appendFileSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, type RunnerTask, type RunnerTestCase, test, TestRunner } from "vitest";
import { root } from "../project.ts";
import { linesFile, wantedFile } from "./files.ts";

/** What StrykerJS's instrumented code and its runner share. */
interface Stryker {
  activeMutant?: string | undefined;
  hitCount?: number;
  /** If the active mutant is reached more often, it throws: it would loop forever. */
  hitLimit?: number;
}

const globals = globalThis as { __stryker__?: Stryker; __reached__?: (...ids: string[]) => void };
const stryker = (globals.__stryker__ ??= {});

/** How often each mutant was reached since the last query, and all of them together. */
const hits = new Float64Array(100_000);
let steps = 0;
let stepsMax = Infinity;
globals.__reached__ = (...ids) => {
  if (stepsMax === Infinity) for (const id of ids) hits[Number(id)] = (hits[Number(id)] ?? 0) + 1;
  steps += 1;
  if (steps > stepsMax) throw new Error("the mutant goes round for ever");
};

function reachedSince(): Map<string, number> {
  const reached = new Map<string, number>();
  hits.forEach((count, id) => {
    if (count > 0) reached.set(String(id), count);
  });
  hits.fill(0);
  return reached;
}

const loaded = new Set<string>();
const reachedBy = new Map<string, Map<string, number>>();
const stepsOf = new Map<string, number>();

beforeEach(() => {
  for (const id of reachedSince().keys()) loaded.add(id);
  steps = 0;
});
afterEach(({ task }) => {
  reachedBy.set(task.id, reachedSince());
  stepsOf.set(task.id, steps);
});

// Each mutant runs the same examples, and there are thousands of mutants.
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 40 });

for (const file of globSync(join(root, "functions", "src", "**", "*.test.ts")).sort())
  await import(/* @vite-ignore */ file);

test("every mutant", async ({ task }) => {
  const tests = testsIn(task.file.tasks).filter(({ id }) => id !== task.id);
  const failed = tests.filter(({ result }) => result?.state === "fail");
  if (failed.length > 0) throw new Error(`Without a mutant, this fails already: ${failed[0]?.name}`);
  for (const id of JSON.parse(readFileSync(wantedFile, "utf8")) as string[]) {
    const reaching = tests
      .filter((one) => reachedBy.get(one.id)?.has(id))
      .sort((a, b) => (a.result?.duration ?? 0) - (b.result?.duration ?? 0));
    appendFileSync(linesFile, `begin ${id}\n`);
    const killer = await killerOf(id, reaching);
    const fate =
      killer !== undefined
        ? `Killed ${killer}`
        : reaching.length > 0
          ? "Survived"
          : loaded.has(id)
            ? "Static"
            : "NoCoverage";
    appendFileSync(linesFile, `end ${id} ${fate}\n`);
  }
});

/** The name of the first test that fails with a mutant. */
async function killerOf(id: string, reaching: readonly RunnerTestCase[]): Promise<string | undefined> {
  stryker.activeMutant = id;
  try {
    for (const one of reaching) {
      stryker.hitCount = 0;
      stryker.hitLimit = 20 * (reachedBy.get(one.id)?.get(id) ?? 0) + 1_000;
      steps = 0;
      stepsMax = 20 * (stepsOf.get(one.id) ?? 0) + 100_000;
      if ((one.result?.duration ?? 0) > 200) appendFileSync(linesFile, `begin ${id} ${one.name}\n`);
      try {
        await TestRunner.getTestFn(one)();
      } catch {
        return one.name;
      }
      // A test may catch what the mutant throws.
      if (stryker.hitCount > stryker.hitLimit || steps > stepsMax) return one.name;
    }
    return undefined;
  } finally {
    stryker.activeMutant = undefined;
  }
}

function testsIn(tasks: readonly RunnerTask[]): RunnerTestCase[] {
  return tasks.flatMap((task) => (task.type === "suite" ? testsIn(task.tasks) : [task]));
}
