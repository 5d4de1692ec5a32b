/** docs/benchmark.md, written from results. */
import { pricesAsOf } from "../../cli/prices.ts";
import { faultShares } from "../contest/faults.ts";
import { sketchesLeftOut } from "../systems/sketches.ts";
import { bestWaysTable } from "./best-ways.ts";
import { count, percent } from "./markdown.ts";
import { driftTable, errorsTable, faultsList, publishedTable } from "./model-tables.ts";
import { largeBoard, type Results } from "./results.ts";
import { layoutList, waysTable } from "./ways-table.ts";
import { whereFirerankLoses, whyNot } from "./why-not.ts";

/**
 * The whole page: first what it says, then what a critic looks up. The other loads, sizes and waits are in the results
 * alone. It is one function, as it is one text, in the order in which it is read.
 */
export function documentOf(results: Results): string {
  const { systems, work, emulator, scaled, leftOut, published, errors, drift, faults } = results;
  return `# The benchmark

\`npm run bench\` plays the known ways to rank players on the same seeded work. It compares each answer with an exact sort and each bill with a formula, and writes this page. Each number is one of these:

- **Counted**: operations that Firestore bills. Formulas give them for large boards; tests check the formulas on an emulator.
- **Priced**: those operations, times list prices of ${pricesAsOf}.
- **Simulated**: by a model in which updates of one document wait for each other.
- **Measured**: on our own code.

Nothing was measured on Firestore itself. [benchmark.json](benchmark.json) has every number: also boards of 1,000 to 10 million players, other loads, nam5, waits, and the source and limits of each way.

## Which way for which game

**Priced** in us-central1, dollars a day: the cheapest way of each kind that keeps up with the updates, if a commit takes 1 s. Scores are whole numbers from 0 to 9,999, and a player's latest counts. In brackets is how old ranks can be; for an estimate also its mean error, as a share of the players.

${bestWaysTable(results)}

More different scores make other ways dearer too: a document for each score reads more, a tree gets deeper, and a run of Firerank rewrites up to 256 pages, 9 cents a day. Redis and PostgreSQL are servers, which are paid by the hour.

![Dollars a day against updates a second](benchmark-dollars.svg)

![Dollars a day against players](benchmark-players.svg)

## Why not just …

${whyNot(results)}

## Where Firerank loses

${whereFirerankLoses(results)}

## All ways

With ${count(largeBoard(scaled))} players, 10 updates and 10 ranks a second. Bills are **counted** means:

- **r**: documents read. **w**: written. **d**: deleted.
- **f**: functions called by triggers or schedules, without the app's own calls.
- **c**: commands to another server, however many rows each goes through.
- **–**: the way doesn't have it, or nothing is known.

An update comes alone and includes the player's own document; where more arrive together, Firerank's share the write of a shard. A page is one from the middle of the board. Instances of Firerank have the page in memory, except in one row. A run follows five minutes of one update a second; some jobs run more often or hourly. For the pipelines, r and w are Enterprise edition's units.

**Updates at most** is the highest rate without a backlog, a second, **simulated** with 1 s a commit. **Dollars a day** are **priced** in us-central1: Firestore, and the functions that triggers and schedules call. The free quota, storage, traffic, the app's own calls, and Firerank's live top, events and audit are not in it ([Costs](costs.md) has them).

${waysTable(results)}

Each counts a player's latest score; ${systems
    .filter(({ keeps }) => keeps === "highest")
    .map(({ name }) => name)
    .join(" and ")} the highest.

![Documents read for one rank, against the number of players](benchmark-rank-reads.svg)

![Seconds until 99 of 100 updates are stored, against updates a second](benchmark-waits.svg)

## How wrong the ranks are

**Measured** on our own code, against a full sort of ${count(errors[0]?.players ?? 0)} players, with scores of four games' shapes, and even ones. Three numbers: the mean and the largest error, as shares of all players; and the median error among the first hundred players, as a share of the right rank (100 ×: a hundred times the rank). All other ways are exact.

${errorsTable(systems, errors)}

A sketch that is fed each new score cannot take the old one out. Here the even scores of ${count(drift[0]?.players ?? 0)} players fall from the upper half to the lower half. The largest error, as a share of the players:

${driftTable(systems, drift)}

KLL is left out: ${sketchesLeftOut.KLL}.

## When events are doubled, late or lost

**Counted** on the emulator: ${percent(faultShares.doubled)} of events come twice, ${percent(faultShares.reordered)} late and ${percent(faultShares.lost)} never, more than Firestore does. Ways without events get as many requests twice. Estimates are left out. Ranks are compared with the truth at the end, and again after what may heal them:

${faultsList(systems, faults)}

## How the numbers were made

**Counted** on ${emulator}: ${work}, in ten parts with a run of the job after each. For large boards scores have the same shape, within 0 to 9,999.

**Functions** are priced by request-based billing, which rounds up to 0.1 s. An event takes 0.1 s, alone, on a sixth of a processor and 256 MiB: the cheapest there is. A call of a schedule takes 0.1 s, and a job 1 s more for each 2,000 documents, on a processor and 512 MiB. Commits take 0.1 s, so at 10 updates a second Firerank's share 3 of 4 shard writes.

**The model of waits** lets a document take one commit at a time; a commit holds all its documents ([waits.ts](../bench/contest/waits.ts)). What comes out here, beside what others published in “Fast and Reliable Ranking in Datastore” (2013) and in [an answer about ranks in Firestore](https://stackoverflow.com/a/46732461):

${publishedTable(published)}

**What each way stores**:

${layoutList(systems)}

${versionsText(results)} ${leftOut.length === 0 ? "No way was left out." : leftOut.map(({ name, why }) => `${name} was left out: ${why}`).join(" ")}

## Firerank's own parts

| part | question | numbers are | page |
| --- | --- | --- | --- |
| \`npm run bench -- fold\` | How much CPU time and memory does a run take with a million different scores? | measured | prints them |
| \`npm run bench -- rank-error\` | How wrong can ranks get over a season, with ten million players? | measured | [rank-error.md](rank-error.md) |
| \`npm run bench -- load\` | How long do updates wait, and what does a day cost, up to 7,000 updates a second? | simulated, priced | [load-model.md](load-model.md) |
| \`npm run bench -- overhead\` | How much processor time does a score take, and a start, beside bare functions? | measured | [costs.md](costs.md#functions) |
| \`npm run bench -- serve\` | How much computing does an answer take, beside Redis and PostgreSQL? | measured | [serve.md](serve.md) |
| \`npm run bench -- closing\` | What does the end of a season cost? | counted, measured | [costs.md](costs.md#the-end-of-a-season) |
`;
}

/** What took part, for who wants to repeat it. */
function versionsText({ version, date, seed, emulator, versions }: Results): string {
  const others = Object.entries(versions).map(([name, of]) => `${name} ${of}`);
  return `Played on ${date} with seed ${seed}: ${[`Firerank ${version}`, emulator, ...others].join(", ")}. The same seed gives the same numbers. \`npm run bench -- --compare a.json b.json\` shows how two results differ.`;
}
