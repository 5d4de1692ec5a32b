/**
 * `npm run bench -- closing`: whether the end of a season, from its last submission to its clearing, keeps within the 512
 * MiB of a function. What it reads and writes is in test/functions/closing/closing-cost.test.ts.
 *
 *     npm run bench -- closing [--players 100000]
 *
 * Runs production's own code on an emulator. Memory is the peak of the process of the steps. Checks the number of players
 * in the standings and that nothing is left of the shards. The emulators walk through a collection for each query, so that
 * a million players take them hours.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startSuite } from "../../scripts/suite.ts";
import { randomOf } from "../generators/random.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { wholeNumbers } from "../options.ts";
import type { Told } from "./close-process.ts";
import { benchServices, fillSeason } from "./fill.ts";

const { players } = wholeNumbers("closing", { players: 100_000 });

/** V8's heap limit for a function of 512 MiB: without a limit it would take memory rather than collect garbage. */
const heapOptions = ["--max-old-space-size=256"];
const memoryMibMax = 512;

const suite = await startSuite({ ports: "tests" });
try {
  process.env["FIRESTORE_EMULATOR_HOST"] = suite.env["FIRESTORE_EMULATOR_HOST"];
  await fillSeason(benchServices(), drawScores(shapes.chess, players, 1), randomOf(2));
  console.log(`A season of ${players.toLocaleString("en-US")} players closes.`);
  // In a process of its own, whose memory is measured.
  const script = join(import.meta.dirname, "close-process.ts");
  const child = fork(script, [String(players)], { execArgv: heapOptions });
  const exit = once(child, "exit");
  const [told] = (await Promise.race([once(child, "message"), exit])) as [Told | number | null];
  if (told === null || typeof told === "number") throw new Error(`${script} ended with exit code ${told}`);
  await exit;
  const { steps, idleMib, peakMib, problems } = told;
  console.log(
    `${steps} steps; at most ${peakMib.toFixed(0)} MiB, of which ${idleMib.toFixed(0)} before it began.`,
  );
  if (peakMib > memoryMibMax) problems.push(`a function has ${memoryMibMax} MiB`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await suite.stop();
}
