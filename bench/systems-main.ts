/**
 * `npm run bench -- systems`: known ways to rank, side by side, on the same work. Writes docs/benchmark.md,
 * docs/benchmark.json and docs/benchmark-*.svg.
 *
 *     npm run bench -- systems
 *     npm run bench -- --compute                  keeps what was counted, and computes everything else of docs/benchmark.json again
 *     npm run bench -- --compare a.json b.json    how two results differ
 *
 * Fails if a system gives an answer that it claims not to give, or is billed something else than its formula says.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSuite } from "../scripts/suite.ts";
import { computedOf, contestOf } from "./contest/contest.ts";
import { comparison } from "./report/compare.ts";
import { reportFolder, storedResults, writeReport } from "./report/files.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { compute: { type: "boolean" }, compare: { type: "boolean" } },
});
const [first, second] = positionals;
if (options.compare) {
  if (first === undefined || second === undefined) throw new Error("--compare takes two files.");
  console.log(comparison(storedResults(first), storedResults(second)));
} else if (options.compute) {
  await writeReport({ ...storedResults(join(reportFolder, "benchmark.json")), ...computedOf() });
} else await play();

async function play(): Promise<void> {
  const suite = await startSuite({ ports: "tests" });
  try {
    process.env["FIRESTORE_EMULATOR_HOST"] = suite.env["FIRESTORE_EMULATOR_HOST"];
    const results = await contestOf(suite.emulator.name);
    await writeReport(results);
    const problems = results.counted.flatMap((one) => one.problems);
    if (problems.length === 0) return;
    console.error(`${problems.length} problems; they are in docs/benchmark.json.`);
    process.exitCode = 1;
  } finally {
    await suite.stop();
  }
}
