/**
 * `npm run bench -- systems`: known ways to rank, side by side, on the same work. Writes docs/benchmark.md,
 * docs/benchmark.json and docs/benchmark-*.svg.
 *
 *     npm run bench -- systems
 *     npm run bench -- --compute     keeps what was counted, and computes everything else of docs/benchmark.json again
 *
 * Fails if a system gives an answer that it claims not to give, or is billed something else than its formula says.
 */
import { optionsOf } from "../scripts/options.ts";
import { startSuite } from "../scripts/suite.ts";
import { computeAll, playAll } from "./contest/contest.ts";
import { storedResults, writeReport } from "./report/files.ts";

const usage = "npm run bench -- [systems] [--compute]";
const { values: options } = optionsOf(usage, { options: { compute: { type: "boolean" } } });
if (options.compute) await writeReport({ ...storedResults(), ...computeAll() });
else await play();

async function play(): Promise<void> {
  const suite = await startSuite({ ports: "tests" });
  try {
    process.env["FIRESTORE_EMULATOR_HOST"] = suite.env["FIRESTORE_EMULATOR_HOST"];
    const played = await playAll(suite.emulator.name);
    await writeReport({ ...played, ...computeAll() });
    const problems = played.counted.flatMap((one) => one.problems);
    if (problems.length === 0) return;
    console.error(`${problems.length} problems; they are in docs/benchmark.json.`);
    process.exitCode = 1;
  } finally {
    await suite.stop();
  }
}
