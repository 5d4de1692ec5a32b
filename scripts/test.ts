/**
 * `npm test`, with an emulator suite and a browser if the tests need them. Arguments are vitest's: `npm test -- fold`.
 *
 *     npm test               # what takes minutes: all but *.slow.test.ts and bench, the tests of functions in memory
 *     npm test -- --all      # everything, the tests of functions on the emulator
 *     npm test -- web-looks  # files with this in their path, wherever they are
 */
import { globSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  type parseCLI,
  type Reporter,
  startVitest,
  type TestModule,
  type TestSpecification,
} from "vitest/node";
import { findBrowser, noBrowser } from "./browser.ts";
import { answerHelp } from "./options.ts";
import { root, workFolder } from "./project.ts";
import { startSuite, type Suite } from "./suite.ts";
import { vitestOptions } from "./vitest-options.ts";

/** The environment for the tests on the emulators, once it is complete. */
const suiteFile = join(workFolder(), "suite.json");
const requiresBrowser = Boolean(process.env["FIRERANK_REQUIRE_BROWSER"]);
/** What only `--all` runs. */
const onlyInAll = ["test/**/*.slow.test.ts", "bench/**/*.test.ts"];

// Each file of test/memory loads the same modules in a process of its own, and so does each command that a test starts.
process.env["NODE_COMPILE_CACHE"] ||= workFolder("compiled");

const usage = `npm test -- [--all] [names] [vitest's options]

  --all              everything, the tests of functions on the emulator
  names              only files with one of them in their path, as in: npm test -- fold
  vitest's options   such as -t "words of a test's name", --update, --project unit`;

answerHelp(usage);
// Before the file of a run that goes on in this folder is removed: a wrong option ends here.
const chosen = chosenTests(process.argv.slice(2));
process.exit(await main());

/**
 * Returns the exit code. It is one function, as suite and browser are brought while tests run, and its end reports and
 * stops what came.
 */
async function main(): Promise<number> {
  let suite: Suite | undefined;
  let browser: string | undefined;
  let counts = "";
  const lastLines: string[] = [];
  rmSync(suiteFile, { force: true });
  process.env["FIRERANK_SUITE_FILE"] = suiteFile;
  const failure = Promise.withResolvers<never>();

  const bringSuite = async () => {
    suite = await startSuite({ ports: "tests" });
    suite.failure.catch(failure.reject);
    lastLines.push(
      `Firestore emulator: ${suite.emulator.name}, ready after ${suite.startedAfter.toFixed(1)} s.`,
    );
    return suite.env;
  };
  const bringBrowser = async () => ({ FIRERANK_CHROMIUM: (browser = await findBrowser()) });
  const bring = async (specifications: readonly TestSpecification[]) => {
    const environments = await Promise.all([
      specifications.some(({ project }) => project.name.startsWith("emulator")) ? bringSuite() : {},
      specifications.some(({ moduleId }) => needsBrowser(moduleId)) ? bringBrowser() : {},
    ]);
    // Under another name first, so that no test reads half of it.
    writeFileSync(`${suiteFile}.new`, JSON.stringify(Object.assign({}, ...environments)));
    renameSync(`${suiteFile}.new`, suiteFile);
  };
  const reporter: Reporter = {
    // Tests that need neither start at once; the others wait for the file, in test/support/setup/suite.ts.
    onTestRunStart(specifications) {
      bring(specifications).catch(failure.reject);
    },
    onTestRunEnd(modules) {
      counts = countsOf(modules);
    },
  };

  try {
    const failed = await Promise.race([runVitest(chosen, reporter), failure.promise]);
    if (browser === noBrowser) {
      lastLines.push(
        "Tests were skipped for want of a browser. To run them: npx playwright-core install --with-deps --only-shell " +
          "chromium, or set FIRERANK_CHROMIUM to a Chromium's program; then npm test again.",
      );
      if (requiresBrowser) return 1;
    }
    // A call that fails internally only tells its caller to look at the log.
    const errors = failed ? (suite?.errors() ?? []) : [];
    if (errors.length > 0) lastLines.push("The functions logged as errors:", ...errors);
    return failed ? 1 : 0;
  } catch (error) {
    lastLines.push((error as Error).message);
    return 1;
  } finally {
    await suite?.stop();
    console.log([...lastLines, chosen.leftOut, counts].filter((line) => line !== "").join("\n"));
  }
}

interface Chosen {
  filter: string[];
  options: ReturnType<typeof parseCLI>["options"];
  /** What is left out, for people. */
  leftOut: string;
}

/** Which tests the arguments ask for: names and projects look among all of them. */
function chosenTests(args: readonly string[]): Chosen {
  const isAll = args.includes("--all");
  process.env["FIRERANK_WORLDS"] = isAll ? "emulator" : "memory";
  const { filter, options } = vitestOptions(
    args.filter((arg) => arg !== "--all"),
    usage,
  );
  const { exclude = [], ...others } = options;
  // Like vitest's own command: `--exclude` adds to the configuration's exclusions.
  const cliExclude = [exclude].flat();
  if (isAll || filter.length > 0 || options.project !== undefined)
    return { filter, options: { ...others, cliExclude }, leftOut: "" };
  const files = globSync(onlyInAll, { cwd: root });
  return {
    filter,
    options: { ...others, cliExclude: [...cliExclude, ...onlyInAll] },
    leftOut:
      `Left out: ${files.length} files, the slow ones and those of bench, and the emulator for the tests of functions, ` +
      "which had databases in memory. npm test -- --all runs everything.",
  };
}

/** Runs vitest in this process; returns whether anything failed. */
async function runVitest({ filter, options }: Chosen, reporter: Reporter): Promise<boolean> {
  // In addition to the reporters in the arguments, which would otherwise replace it.
  let isAdded = false;
  const plugin = {
    name: "firerank",
    configureVitest({ vitest }: { vitest: { config: { reporters: unknown[] } } }) {
      if (!isAdded) vitest.config.reporters.push(reporter);
      isAdded = true;
    },
  };
  await startVitest(filter, { ...options, watch: false }, { plugins: [plugin] });
  return process.exitCode !== undefined && process.exitCode !== 0;
}

function needsBrowser(path: string): boolean {
  return relative(root, path).includes("/browser/");
}

/** "2,100 passed, 1 failed"; a file that did not load counts as failed. */
function countsOf(modules: readonly TestModule[]): string {
  const count = (state: "passed" | "failed" | "skipped") =>
    modules.reduce((sum, { children }) => sum + [...children.allTests(state)].length, 0);
  const unloaded = modules.filter((module) => module.errors().length > 0).length;
  const skipped = count("skipped");
  return (
    `${count("passed")} passed, ${count("failed") + unloaded} failed` +
    (skipped > 0 ? `, ${skipped} skipped` : "")
  );
}
