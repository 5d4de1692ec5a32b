/**
 * `npm run bench -- load`: waits, writes, freshness and dollars under load, from a model (see model.ts), not from measuring
 * Firestore. Takes about two minutes. Draws docs/load-wait.svg, docs/load-rollover.svg and docs/load-cost.svg, and prints
 * the tables of docs/load-model.md.
 */
import { mkdirSync } from "node:fs";
import { table } from "../report/markdown.ts";
import { drawCosts, drawRollovers, drawWaits } from "./pictures.ts";
import {
  rates,
  runRollovers,
  runScenario,
  type Scenario,
  serviceTimes,
  starts,
  type Start,
} from "./scenarios.ts";
import { beginningTable, costTable, liveTable, restTable, rolloverTable } from "./tables.ts";

const seed = 1;
const scenarios: Scenario[] = [];
for (const start of Object.keys(starts) as Start[])
  for (const serviceSeconds of serviceTimes)
    for (const rate of rates) scenarios.push(await runScenario(rate, serviceSeconds, start, seed));
const lost = scenarios.reduce((sum, { result }) => sum + result.submissions - result.committed, 0);

console.log("A model, not a measurement of Firestore; see docs/load-model.md.");
console.log("\nAt rest:\n");
console.log(table(restTable(scenarios)));
console.log("\nThe first ten seconds:\n");
console.log(table(beginningTable(scenarios)));
console.log("\nNew collections by Firestore's rule:\n");
const rollovers = runRollovers(seed);
console.log(table(rolloverTable(rollovers)));
console.log("\nlive:\n");
console.log(table(liveTable()));
console.log(`\nSubmissions lost: ${lost}.\n\nDollars a day:\n`);
console.log(table(costTable()));

mkdirSync("docs", { recursive: true });
drawWaits(scenarios);
drawRollovers(rollovers);
drawCosts();
console.log("\nDrew docs/load-wait.svg, docs/load-rollover.svg and docs/load-cost.svg.");
if (lost > 0) process.exitCode = 1;
