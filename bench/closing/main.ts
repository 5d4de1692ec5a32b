/**
 * `npm run bench -- closing`: what the end of a season takes, from its last submission to its clearing: reads, writes and
 * deletes for each player, dollars, steps and memory.
 *
 *     npm run bench -- closing [--players 100000] [--documents-per-read N]
 *
 * Runs production's own code on a separate emulator. Operations are exact, as Firestore bills them, and memory is the
 * peak of the process of the steps; the seconds are the emulator's and say nothing about Firestore. Checks the number
 * of players in the standings and that nothing is left of the shards. Up to a million.
 *
 * The emulators walk through a collection for each query, so that a million players, 500 or 1,000 to a query, take them
 * hours; with `--documents-per-read 10000` it is a tenth. That needs more memory than production does, never less. And
 * where a step's five minutes end while the standings are written, the chunk that was on its way is read again.
 */
import { fork } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSuite } from "../../scripts/suite.ts";
import type { Told } from "./close-process.ts";

const { values: options } = parseArgs({
  options: { players: { type: "string", default: "100000" }, "documents-per-read": { type: "string" } },
});
const players = Number(options.players);
const perRead = options["documents-per-read"];
const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max;
if (!isCount(players, 1_000_000) || (perRead !== undefined && !isCount(Number(perRead), 100_000))) {
  console.error(
    "Usage: npm run bench -- closing [--players N], 1 to 1000000, [--documents-per-read M], 1 to 100000",
  );
  process.exit(2);
}

/** V8's heap limit for a function of 512 MiB: without a limit it would take memory rather than collect garbage. */
const heapOptions = ["--max-old-space-size=256"];

const suite = await startSuite({ ports: "tests" });
try {
  process.env["FIRESTORE_EMULATOR_HOST"] = suite.env["FIRESTORE_EMULATOR_HOST"];
  await runProcess("fill-process.ts", [String(players)]);
  console.log(`A season of ${players.toLocaleString("en-US")} players closes.`);
  const args = [String(players), ...(perRead === undefined ? [] : [perRead])];
  const told = (await runProcess("close-process.ts", args, heapOptions)) as Told;
  report(told);
  if (told.problems.length > 0) process.exitCode = 1;
} finally {
  await suite.stop();
}

function report({ phases, steps, idleMib, peakMib, problems }: Told): void {
  console.log(
    "| phase | reads a player | writes per 1,000 | deletes a player | dollars a million | seconds |",
  );
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const { name, reads, writes, deletes, dollars, seconds } of phases) {
    const share = (count: number) => (count / players).toFixed(4);
    console.log(
      `| ${name} | ${share(reads)} | ${((1_000 * writes) / players).toFixed(3)} | ${share(deletes)} | ` +
        `${((dollars / players) * 1e6).toFixed(3)} | ${seconds.toFixed(1)} |`,
    );
  }
  console.log(
    `${steps} steps; at most ${peakMib.toFixed(0)} MiB, of which ${idleMib.toFixed(0)} before it began.`,
  );
  for (const problem of problems) console.error(problem);
}

/** Runs a script of this folder; returns its message, if it sends one. @throws if it fails. */
function runProcess(script: string, args: string[], execArgv: string[] = []): Promise<unknown> {
  const child = fork(join(import.meta.dirname, script), args, { execArgv });
  return new Promise((resolve, reject) => {
    let told: unknown;
    child.on("message", (message) => {
      told = message;
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === 0) resolve(told);
      else reject(new Error(`${script} ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}
