/**
 * `npm run bench -- load`: waits, retries, shards, freshness and dollars under load, from a model (see model.ts), not from
 * measuring Firestore. Takes about three minutes. Draws docs/load-wait.svg, docs/load-cold-start.svg,
 * docs/load-rollover.svg and docs/load-cost.svg, and prints the tables of docs/load-model.md.
 */
import { mkdirSync } from "node:fs";
import { drawColdStart, drawCosts, drawRollovers, drawWaits } from "./pictures.ts";
import {
  costTable,
  openingTable,
  printTable,
  rolloverTable,
  scenarioTable,
  shardsTable,
  variantTable,
} from "./tables.ts";
import {
  rates,
  runDocumentPerScore,
  runOpenings,
  runRollovers,
  runScenario,
  type Scenario,
  serviceTimes,
} from "./scenarios.ts";
import { runVariants } from "./variants.ts";

const seed = 1;
const scenarios: Scenario[] = [];
for (const start of ["rest", "cold"] as const) {
  for (const serviceSeconds of serviceTimes) {
    for (const rate of rates) scenarios.push(runScenario(rate, serviceSeconds, start, seed));
  }
}
const lost = scenarios.reduce(
  (sum, { result }) => sum + (result ? result.submissions - result.committed : 0),
  0,
);

console.log("A model, not a measurement of Firestore; see docs/load-model.md.\n\nAt rest:\n");
printTable(scenarioTable(scenarios.filter(({ start }) => start === "rest")));
console.log("\nCold start, 8 shards at first:\n");
printTable(scenarioTable(scenarios.filter(({ start }) => start === "cold")));
console.log("\nOver the edge of a day, 1,000 submissions a second; a season is opened:\n");
printTable(openingTable(runOpenings(seed)));
console.log("\nShards of the new season, and what the old one leaves to index:\n");
printTable(shardsTable(scenarios));
console.log("\nNew collections by Firestore's rule:\n");
const rollovers = runRollovers(seed);
printTable(rolloverTable(rollovers));
console.log(`\nSubmissions lost: ${lost}.\n\nDollars a day:\n`);
printTable(costTable());

console.log("\nOther choices of shards, at 1,000 submissions a second and 1 s a commit:\n");
printTable(variantTable(runVariants(seed)));

const perScore = serviceTimes.flatMap((serviceSeconds) =>
  (["even", "hot"] as const).flatMap((scores) =>
    [1, 1.5, 3, 10, 14, 30, 100, 200, 300, 400, 450, 1_000, 2_000, 3_000, 4_000, 4_500, 10_000].map(
      (rate) => ({
        rate,
        serviceSeconds,
        scores,
        ...runDocumentPerScore(rate, serviceSeconds, scores, seed),
      }),
    ),
  ),
);
mkdirSync("docs", { recursive: true });
drawWaits(scenarios, perScore);
drawColdStart(scenarios);
drawRollovers(rollovers);
drawCosts();
console.log(
  "\nDrew docs/load-wait.svg, docs/load-cold-start.svg, docs/load-rollover.svg and docs/load-cost.svg.",
);
if (lost > 0) process.exitCode = 1;
