/** docs/benchmark.md, written from results. */
import { sketchesLeftOut } from "../systems/sketches.ts";
import { pricesAsOf } from "../../cli/prices.ts";
import { faultShares } from "../contest/faults.ts";
import { bestWaysTable } from "./best-ways.ts";
import { countedTable, featureTable, layoutList, reasonsList } from "./feature-tables.ts";
import { count, percent } from "./markdown.ts";
import {
  driftTable,
  errorsTable,
  faultsTable,
  publishedTable,
  unlimitedNames,
  waitsTable,
} from "./model-tables.ts";
import { daysTable, evensTable, functionsTable, growthTable, largeBoard, sizeTable } from "./scale-tables.ts";
import { comparedDay, whereFirerankLoses, whyNot } from "./why-not.ts";
import type { Results } from "./results.ts";

/** The whole page. It is one function, as it is one text, in the order in which it is read. */
export function documentOf(results: Results): string {
  const { systems, counted, work, emulator, scaled, leftOut, waits, published, errors, drift, faults } =
    results;
  const { course, sizes } = scaled;
  const compared = comparedDay(results);
  return `# The benchmark

\`npm run bench\` writes this page. It plays the ways to rank that people use or that were published, through one interface, on the same seeded work, and compares each answer with an exact sort and each bill with a formula. Four words say where a number comes from:

- **Counted**: operations that Firestore bills, on an emulator. What no emulator holds comes from the formulas that the counts are held to.
- **Priced**: those operations, times list prices of ${pricesAsOf}.
- **Simulated**: by a model of documents in which updates wait for each other.
- **Measured**: on our own code.

Nothing here was measured on Firestore itself.

## Which way for which game

**Priced** in us-central1, dollars a day. Of each kind it shows the cheapest of all ways below that carries the updates, by the [model](#under-load) with 1 s a commit. All count a player's latest score, a whole number from 0 to 9,999, and know everybody's rank. Beside each is how old its ranks can be; beside an estimate also how wrong they are, in the mean, as a share of the players.

${bestWaysTable(results)}

With more different scores, a rank by a document for each score reads more, a tree gets deeper, and a run of Firerank's index rewrites more pages: at most 256, which is 9 cents a day. Redis and PostgreSQL are servers, which are paid by the hour.

## Why not just …

${whyNot(results)}

## Where Firerank loses

${whereFirerankLoses(results)}

## What each offers

**Counted**: every answer was compared with an exact sort. “How old” is the time to the last run; [Method](#method) has what is known beyond.

${featureTable(systems)}

${reasonsList(systems)}

## What each operation is billed

**Counted** on ${emulator}: ${work}, in ten parts with a run of the job after each. All are means. Some updates repeat the score that the player has, and change nothing. Pages are asked from five places, from the first player to behind the last.

- **r**: documents read. **w**: written. **d**: deleted.
- **f**: functions called by triggers or schedules; not the call that the app itself makes.
- **c**: commands to another server, each one, however many rows it goes through.
- **bytes**: of the documents that an answer reads, by Firestore's rules for their size.
- **–**: the way doesn't have it, or nothing is known.

An update includes the player's own document. Each comes alone here; where more arrive in an instance of Firerank, they share the write of a shard. Its questions go to an instance that has the page in memory, except in one row.

${countedTable(systems, counted)}

With ${count(largeBoard(scaled))} players, by the formulas, and a page from the middle of the board. A run follows one update a second since the last one, in one instance. Most jobs run every five minutes; the rank on every player and Redis's resync run hourly, the queues of the trees every 5 seconds, and the counter extension every minute. For the pipelines, r and w are units of Enterprise edition: 4 KiB read, 1 KiB or an index entry written.

${sizeTable(systems, scaled, largeBoard(scaled))}

## As a board grows

**Counted**, by the formulas. What is not in a table is the same for all sizes. A rank:

![Documents read for one rank, against the number of players](benchmark-rank-reads.svg)

${growthTable(systems, scaled, "rank")}

An update:

${growthTable(systems, scaled, "update")}

A run of the job:

${growthTable(systems, scaled, "run")}

## Dollars a day

**Priced**: us-central1 / nam5, Firestore's operations and the functions that triggers and schedules call. The free quota, storage, egress and the app's own calls are not in it. What a way reads by the clock is, with one instance of each function: schedules, boards, and the pages and pending changes that an instance of Firerank keeps for all who ask. Its live top, events and daily audit are off here; [costs](costs.md) has their prices. Pipelines are priced as Enterprise edition in us-central1, the least that they can cost.

**Functions** are priced by request-based billing, which rounds up to 0.1 s. An event takes 0.1 s, alone, on a sixth of a processor and 256 MiB: the cheapest there is, and as Firerank's trigger is deployed. A call of a schedule takes 0.1 s, and a job 1 s more for each 2,000 documents that it reads, writes or deletes, on a processor and 512 MiB. Commits are taken to last 0.1 s, so at 10 updates a second Firerank's share 3 of 4 shard writes.

![Dollars a day against updates a second](benchmark-dollars.svg)

![Dollars a day against players](benchmark-players.svg)

${daysTable(systems, scaled)}

${compared === undefined ? "" : `In parts, with ${count(compared.players)} players, ${count(compared.load.updatesPerSecond)} updates and ${count(compared.load.ranksPerSecond)} ranks a second, in us-central1:\n\n${functionsTable(systems, compared)}`}

Where each is cheaper than ${systems[0]?.name ?? ""}, from ${count(course.rates[0] ?? NaN)} to ${count(course.rates.at(-1) ?? NaN)} updates/s and from ${count(sizes.players[0] ?? NaN)} to ${count(sizes.players.at(-1) ?? NaN)} players:

${evensTable(systems, scaled)}

## Under load

**Simulated**: a document takes one commit at a time, for 1 s or for 0.1 s, and each commit holds all its documents. That is [a model](../bench/contest/waits.ts), which was compared with published figures; it is no measurement of Firestore. The times are from an update to its last commit: half of the updates / 99 of 100 take less. “Grows”: work piles up without end.

![Seconds until 99 of 100 updates are stored, against updates a second](benchmark-waits.svg)

${waitsTable(systems, waits)}

In these, no update waits for another player's at any rate, by the model; each takes one commit: ${unlimitedNames(systems, waits)}.

Figures that others published, and what comes out here:

${publishedTable(published)}

## How wrong the ranks are

**Measured** on our own code, against a full sort of ${count(errors[0]?.players ?? 0)} players, with scores drawn between published points of four games, and even ones. Three numbers: the mean difference from the right rank and the largest, as shares of all players; and the median among the first hundred players, as a share of the right rank (100 ×: a hundred times the rank). Ways that are not here are exact.

${errorsTable(systems, errors)}

A sketch that gets each new score cannot take the old one out. Here the even scores of ${count(drift[0]?.players ?? 0)} players fall from the upper half to the lower half; the largest difference from the right rank, as a share of the players:

${driftTable(systems, drift)}

KLL is not here: ${sketchesLeftOut.KLL}.

## When events are doubled, reordered or lost

**Counted** on the emulator. Triggers get their events at least once and in any order; here ${percent(faultShares.doubled)} come twice, ${percent(faultShares.reordered)} late and ${percent(faultShares.lost)} never, which is more than Firestore does, so that something is seen. Ways without events get as many requests twice. Scores are even, 0 to 999. Then each player's rank is compared with the truth. A later score of the player heals a lost event. Estimates are left out, as they are wrong without faults too. “–”: there is no run or no repair.

${faultsTable(systems, faults)}

## Firerank's own parts

The same command runs them. All but \`fold\` have a page.

| part | question | numbers are | page |
| --- | --- | --- | --- |
| \`npm run bench -- fold\` | How much CPU time and memory does a run take with a million different scores? | measured | prints them |
| \`npm run bench -- rank-error\` | How wrong can ranks get over a season, with ten million players? | measured | [rank-error.md](rank-error.md) |
| \`npm run bench -- load\` | How long do updates wait, and what does a day cost, up to 7,000 updates a second? | simulated, priced | [load-model.md](load-model.md) |
| \`npm run bench -- overhead\` | How much processor time does a score take, and a start, beside bare functions? | measured | [costs.md](costs.md#functions) |
| \`npm run bench -- serve\` | How much computing does an answer take, beside Redis and PostgreSQL? | measured | [serve.md](serve.md) |
| \`npm run bench -- closing\` | What does the end of a season cost? | counted, measured | [costs.md](costs.md#the-end-of-a-season) |

## Method

Scores of chess.com's shape, rounded and kept within 0 to 9,999, where nothing else is said. Each way's layout and source:

${layoutList(systems)}

${versionsText(results)} ${leftOut.length === 0 ? "No system was left out." : leftOut.map(({ name, why }) => `${name} was left out: ${why}`).join(" ")}
`;
}

/** What took part, for who wants to repeat it. */
function versionsText({ version, date, seed, emulator, versions }: Results): string {
  const others = Object.entries(versions).map(([name, of]) => `${name} ${of}`);
  return `Played on ${date} with seed ${seed}: ${[`Firerank ${version}`, emulator, ...others].join(", ")}. The same seed gives the same numbers. [benchmark.json](benchmark.json) has all of them; \`npm run bench -- --compare a.json b.json\` shows how two results differ.`;
}
