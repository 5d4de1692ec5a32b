/**
 * `npm test`: all tests, with an emulator suite and a browser as far as the tests asked for need them. Arguments are
 * vitest's: `npm test -- fold`.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { parseCLI, type Reporter, startVitest, type TestModule, type TestSpecification } from "vitest/node";
import { skippedReport, variableFor, type Outcome } from "./browser-choice.ts";
import { browserCommand, findBrowser } from "./browser-probe.ts";
import { root } from "./project.ts";
import { startSuite, type Suite } from "./suite.ts";

const requiresBrowser = Boolean(process.env["FIRERANK_REQUIRE_BROWSER"]);

process.exit(await main());

async function main(): Promise<number> {
  let suite: Suite | undefined;
  let outcome: Outcome | undefined;
  const lastLines: string[] = [];
  const failure = Promise.withResolvers<never>();

  const bringSuite = async () => {
    suite = await startSuite({ ports: "tests" });
    suite.failure.catch(failure.reject);
    lastLines.push(
      `Firestore emulator: ${suite.emulator.name}, ready after ${suite.startedAfter.toFixed(1)} s.`,
    );
    Object.assign(process.env, suite.env);
  };
  const bringBrowser = async () => {
    outcome = await findBrowser();
    console.log(`Browser: ${outcome.browser?.name ?? "none"}.`);
    process.env["FIRERANK_CHROMIUM"] = variableFor(outcome.browser);
  };
  const reporter: Reporter = {
    async onTestRunStart(specifications) {
      await Promise.all([
        specifications.some(needsEmulators) && bringSuite(),
        specifications.some(({ moduleId }) => needsBrowser(moduleId)) && bringBrowser(),
      ]).catch(failure.reject);
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
  // Beside the reporters that the arguments ask for, which would otherwise replace it.
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

function needsEmulators({ project }: TestSpecification): boolean {
  return project.name.startsWith("emulator");
}

/** Whether a test file has tests in a browser: `test` comes from test/chromium.ts then. */
function needsBrowser(path: string): boolean {
  return readFileSync(path, "utf8").includes('from "./chromium.ts"');
}

/** The names of the tests that were skipped for want of a browser, by file. */
function skippedIn(modules: readonly TestModule[]): Map<string, string[]> {
  const inBrowser = modules.filter(({ moduleId }) => needsBrowser(moduleId));
  return new Map(
    inBrowser.map((module) => [
      relative(root, module.moduleId),
      [...module.children.allTests("skipped")].map(({ fullName }) => fullName),
    ]),
  );
}
