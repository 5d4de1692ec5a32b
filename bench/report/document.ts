/** docs/benchmark.md, written from results. */
import { sketchesLeftOut } from "../systems/sketches.ts";
import { pricesAsOf } from "../../functions/src/model/prices.ts";
import { faultShares } from "../contest/faults.ts";
import { count, percent } from "./markdown.ts";
import { countedTable, featureTable, layoutList, reasonsList } from "./feature-tables.ts";
import { driftTable, errorsTable, faultsTable, waitsTable } from "./model-tables.ts";
import { daysTable, evensTable, growthTable } from "./scale-tables.ts";
import { whereFirerankLoses, whyNot } from "./why-not.ts";
import type { Results } from "./results.ts";

/** The whole page. It is one function, as it is one text, in the order in which it is read. */
export function documentOf(results: Results): string {
  const { systems, counted, work, emulator, version, seed, scaled, leftOut, waits, errors, drift, faults } =
    results;
  return `# The benchmark

\`npm run bench\` writes this page. It runs every way to rank that people use or that was published, through one interface, on the same seeded work, and compares each answer with an exact sort and each bill with a formula.

## Why not just …

${whyNot(results)}

## Where Firerank loses

${whereFirerankLoses(results)}

## What each offers

${featureTable(systems)}

${reasonsList(systems)}

## What each operation is billed

**Counted** on ${emulator}: ${work}. r: documents read, w: written, d: deleted, f: functions called by triggers or schedules, c: commands to another server, each one, however many rows it goes through. An update includes the player's own document.

${countedTable(systems, counted)}

## As a board grows

**By formula**, which the counts above are held to. Reads for a rank:

![Documents read for one rank, against the number of players](benchmark-rank-reads.svg)

${growthTable(systems, scaled, "rank")}

An update:

${growthTable(systems, scaled, "update")}

A run of the job, with one update a second since the last one. Most jobs run every five minutes; the rank on every player and Redis's resync run hourly, the queues of the trees every 5 seconds, and the counter extension every minute:

${growthTable(systems, scaled, "run")}

## Dollars a day

**Priced**: the formulas and list prices of ${pricesAsOf}, in us-central1 / nam5. Firestore's operations and the functions' calls are in it; CPU time, storage and egress are not. Redis and PostgreSQL are servers, which are paid by the hour, and not here.

![Dollars a day against updates a second](benchmark-dollars.svg)

${daysTable(systems, scaled)}

With ${count(scaled.course.players)} players and one rank for each update:

${evensTable(systems, scaled)}

## Under load

**Simulated**: a document takes one commit at a time, for 1 s or for 0.1 s, and each commit holds all its documents. That is [a model](../bench/contest/waits.ts), which agrees with published figures; it is no measurement of Firestore. “Grows”: work piles up without end.

![Seconds until 99 of 100 updates are stored, against updates a second](benchmark-waits.svg)

${waitsTable(systems, waits)}

## How wrong the ranks are

**Computed** against a full sort of ${count(errors[0]?.players ?? 0)} players, on scores drawn between published points. The mean difference from the right rank, and the largest, as shares of all players; and the median among the first hundred ranks, as a share of the rank. Systems that are not here are exact.

${errorsTable(systems, errors)}

A sketch that gets each new score cannot take the old one out. Here every player's score falls from the upper half to the lower half; the largest difference from the right rank, as a share of the players:

${driftTable(systems, drift)}

KLL is not here: ${sketchesLeftOut.KLL}.

## When events are doubled, reordered or lost

**Counted** on the emulator. Triggers get their events at least once and in any order; here ${percent(faultShares.doubled)} come twice, ${percent(faultShares.reordered)} late and ${percent(faultShares.lost)} never, which is more than Firestore does, so that something is seen. Systems without events get as many requests twice. Then each player's rank is compared with the truth.

${faultsTable(systems, faults)}

## Method

${layoutList(systems)}

Firerank ${version}, seed ${seed}. ${leftOut.length === 0 ? "No system was left out." : leftOut.map(({ name, why }) => `${name} was left out: ${why}`).join(" ")}
`;
}
