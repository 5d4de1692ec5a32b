/**
 * `npm run bench -- closing`: what the end of a season takes, from its last submission to its clearing: reads, writes and
 * deletes for each player, dollars, steps and memory.
 *
 *     npm run bench -- closing [--players 100000]
 *
 * Runs production's own code on a separate emulator. Operations are exact, as Firestore bills them, and memory is the
 * peak of the process of the steps; the seconds are the emulator's and say nothing about Firestore. Checks the number
 * of players in the standings and that nothing is left of the shards. The emulators walk through a collection for each
 * query, so that a million players take them hours.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startSuite } from "../../scripts/suite.ts";
import { randomOf } from "../generators/random.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { wholeNumbers } from "../options.ts";
import { table } from "../report/markdown.ts";
import type { Told } from "./close-process.ts";
import { benchServices, fillSeason } from "./fill.ts";

const { players } = wholeNumbers("closing", { players: 100_000 });

/** V8's heap limit for a function of 512 MiB: without a limit it would take memory rather than collect garbage. */
const heapOptions = ["--max-old-space-size=256"];

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
  report(told);
  if (told.problems.length > 0) process.exitCode = 1;
} finally {
  await suite.stop();
}

function report({ phases, steps, idleMib, peakMib, problems }: Told): void {
  const head = "phase|reads a player|writes per 1,000|deletes a player|dollars a million|seconds";
  const rows = phases.map(({ name, reads, writes, deletes, dollars, seconds }) => [
    name,
    (reads / players).toFixed(4),
    ((1_000 * writes) / players).toFixed(3),
    (deletes / players).toFixed(4),
    ((dollars / players) * 1e6).toFixed(3),
    seconds.toFixed(1),
  ]);
  console.log(table(head, rows));
  console.log(
    `${steps} steps; at most ${peakMib.toFixed(0)} MiB, of which ${idleMib.toFixed(0)} before it began.`,
  );
  for (const problem of problems) console.error(problem);
}
