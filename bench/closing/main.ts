/**
 * `npm run bench:closing`: what the end of a season takes, from its last submission to its clearing: reads, writes and
 * deletes for each player, dollars, time and memory.
 *
 *     npm run bench:closing -- [--players 100000]
 *
 * By production's own code on an emulator of its own, whose time is not Firestore's. Operations are exact, as Firestore
 * bills them. Checks the number of players in the standings and that nothing is left of the index. Up to a million.
 */
import { parseArgs } from "node:util";
import { startSuite } from "../../scripts/suite.ts";
import { randomOf } from "../generators/random.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { closeAll, populate } from "./season.ts";

const { values: options } = parseArgs({ options: { players: { type: "string", default: "100000" } } });
const players = Number(options.players);
if (!(Number.isInteger(players) && players >= 1 && players <= 1_000_000)) {
  console.error("Usage: npm run bench:closing -- [--players N], 1 to 1000000");
  process.exit(2);
}

const suite = await startSuite({ ports: "tests" });
try {
  process.env["FIRESTORE_EMULATOR_HOST"] = suite.env["FIRESTORE_EMULATOR_HOST"];
  const scores = drawScores(shapes.chess, players, 1);
  const world = await populate(scores, randomOf(2));
  console.log(`A season of ${players.toLocaleString("en-US")} players closes.`);
  const { phases, memoryMib, problems } = await closeAll(world, players);
  console.log(
    "| phase | reads a player | writes per 1,000 | deletes a player | dollars a million | seconds |",
  );
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const { name, reads, writes, deletes, dollars, seconds } of phases) {
    const share = (count: number) => (count / players).toFixed(3);
    console.log(
      `| ${name} | ${share(reads)} | ${((1_000 * writes) / players).toFixed(2)} | ${share(deletes)} | ` +
        `${((dollars / players) * 1e6).toFixed(2)} | ${seconds.toFixed(1)} |`,
    );
  }
  console.log(
    `At most ${memoryMib.toFixed(0)} MiB, of which the bench itself is ${world.idleMib.toFixed(0)}.`,
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await suite.stop();
}
