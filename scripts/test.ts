/**
 * `npm test`: all tests, with an emulator suite and a browser if the requested tests need them. Arguments are vitest's:
 * `npm test -- fold`.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseCLI, type Reporter, startVitest, type TestModule, type TestSpecification } from "vitest/node";
import { skippedReport, variableFor, type Outcome } from "./browser-choice.ts";
import { browserCommand, findBrowser } from "./browser-probe.ts";
import { root, workFolder } from "./project.ts";
import { startSuite, type Suite } from "./suite.ts";
import { giveTurns } from "./turns.ts";

/** The environment for the tests on the emulators, once it is complete. */
const suiteFile = join(workFolder(), "suite.json");
const requiresBrowser = Boolean(process.env["FIRERANK_REQUIRE_BROWSER"]);

process.exit(await main());

/**
 * Returns the exit code. It is one function, as suite and browser are brought while tests run, and its end reports and
 * stops what came.
 */
async function main(): Promise<number> {
  let suite: Suite | undefined;
  let outcome: Outcome | undefined;
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
    return { ...suite.env, ...(await giveTurns()) };
  };
  const bringBrowser = async () => {
    outcome = await findBrowser();
    console.log(`Browser: ${outcome.browser?.name ?? "none"}.`);
    return { FIRERANK_CHROMIUM: variableFor(outcome.browser) };
  };
  const bring = async (specifications: readonly TestSpecification[]) => {
    const environments = await Promise.all([
      specifications.some(needsEmulators) ? bringSuite() : {},
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
      if (outcome === undefined || outcome.browser !== undefined) return;
      lastLines.push(skippedReport(skippedIn(modules), outcome.reasons, browserCommand()));
    },
  };

  try {
    const failed = await Promise.race([runVitest(reporter), failure.promise]);
    if (requiresBrowser && outcome !== undefined && outcome.browser === undefined) {
      lastLines.push("This is a failure, as FIRERANK_REQUIRE_BROWSER is set.");
      return 1;
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
    console.log(lastLines.join("\n"));
  }
}

/** Runs vitest in this process; returns whether anything failed. */
async function runVitest(reporter: Reporter): Promise<boolean> {
  const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);
  // In addition to the reporters in the arguments, which would otherwise replace it.
  let isAdded = false;
  const plugin = {
    name: "firerank",
    configureVitest({ vitest }: { vitest: { config: { reporters: unknown[] } } }) {
      if (!isAdded) vitest.config.reporters.push(reporter);
      isAdded = true;
    },
  };
  // Like vitest's own command: `--exclude` adds to the configuration's exclusions.
  const { exclude, ...others } = options;
  const excluded = exclude === undefined ? {} : { cliExclude: exclude };
  // What runs in memory runs here on an emulator.
  const chosen = { project: "!memory*", ...others, ...excluded };
  await startVitest(filter, { ...chosen, watch: false }, { plugins: [plugin] });
  return process.exitCode !== undefined && process.exitCode !== 0;
}

function needsEmulators({ project }: TestSpecification): boolean {
  return project.name.startsWith("emulator");
}

/** Whether a test file has tests in a browser: it then imports `test` from test/support/chromium.ts. */
function needsBrowser(path: string): boolean {
  return readFileSync(path, "utf8").includes('/support/chromium.ts"');
}

/** The names of the tests that were skipped without a browser, by file. */
function skippedIn(modules: readonly TestModule[]): Map<string, string[]> {
  const inBrowser = modules.filter(({ moduleId }) => needsBrowser(moduleId));
  return new Map(
    inBrowser.map((module) => [
      relative(root, module.moduleId),
      [...module.children.allTests("skipped")].map(({ fullName }) => fullName),
    ]),
  );
}
