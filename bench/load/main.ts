/**
 * `npm run bench -- load`: waits, writes, freshness and dollars under load, from a model (see model.ts), not from measuring
 * Firestore. Takes about two minutes. Prints the tables of docs/load-model.md.
 */
import { optionsOf } from "../../scripts/options.ts";
import { rates, runScenario, type Scenario, serviceTimes, starts, type Start } from "./scenarios.ts";
import { beginningTable, costTable, liveTable, restTable } from "./tables.ts";

optionsOf("npm run bench -- load", {});

const scenarios: Scenario[] = [];
for (const serviceSeconds of serviceTimes)
  for (const rate of rates)
    for (const start of Object.keys(starts) as Start[])
      scenarios.push(await runScenario(rate, serviceSeconds, start, 1));
const lost = scenarios.reduce((sum, { result }) => sum + result.submissions - result.committed, 0);

console.log(`A model, not a measurement of Firestore; see docs/load-model.md.

At rest:

${restTable(scenarios)}

The first ten seconds:

${beginningTable(scenarios)}

Live ranks:

${liveTable()}

Dollars a day:

${costTable()}

Submissions lost: ${lost}.`);
if (lost > 0) process.exitCode = 1;
