/** docs/benchmark.md, written from results. */
import { cost, pricesAsOf } from "../../cli/prices.ts";
import { segmentRowsMax } from "../../functions/src/model/limits.ts";
import { type BreakEven, breakEven } from "../contest/dollars.ts";
import { count } from "./markdown.ts";
import { billOf, rateText, type Results } from "./results.ts";
import { bestWaysTable, billText, countriesTable, errorsTable, layoutList, waysTable } from "./tables.ts";

/**
 * The whole page: first what it says, then what a critic looks up. Other loads and sizes are in the results alone. It is
 * one function, as it is one text, in the order in which it is read.
 */
export function documentOf(results: Results): string {
  const { systems, work, emulator, errors, version, date, seed, node, countryDay } = results;
  return `# The benchmark

\`npm run bench\` plays the known ways to rank players on the same seeded work. It compares each answer with an exact sort and each bill with a formula, and writes this page. Each number is one of these:

- **Counted**: operations that Firestore bills. Formulas give them for large boards; tests check the formulas on an emulator.
- **Priced**: those operations, times list prices of ${pricesAsOf}.
- **Simulated**: by a model in which updates of one document wait for each other.
- **Measured**: on our own code.

Nothing was measured on Firestore itself. [benchmark.json](benchmark.json) has every number: also boards of 1,000 to 10 million players, other loads, and the source and limits of each way.

## Which way for which game

**Priced** in us-central1, dollars a day: the cheapest way of each kind that keeps up with the updates, if a commit takes 1 s. Scores are whole numbers from 0 to 9,999, and a player's latest counts. In brackets is how old ranks can be; for an estimate also its mean error, as a share of the players.

${bestWaysTable(results)}

More different scores make other ways dearer too: a document for each score reads more, a tree gets deeper, and a run of Firerank rewrites up to 256 pages, 9 cents a day.

![Dollars a day against updates a second](benchmark-dollars.svg)

![Dollars a day against players](benchmark-players.svg)

## Why not just …

${whyNot(results)}

## Where Firerank loses

${whereFirerankLoses(results)}

## All ways

With 1,000,000 players, 10 updates and 10 ranks a second. Bills are **counted** means:

- **r**: documents read. **w**: written. **d**: deleted.
- **f**: functions called by triggers or schedules, without the app's own calls.
- **–**: the way doesn't have it, or nothing is known.

An update comes alone and includes the player's own document; where more arrive together, Firerank's share the write of a shard. A page is one from the middle of the board. Instances of Firerank have the page in memory, except in one row. A run follows five minutes of one update a second; some jobs run more often or hourly.

**Updates at most** is the highest rate without a backlog, a second, **simulated** with 1 s a commit. **Dollars a day** are **priced** in us-central1: Firestore, and the functions that triggers and schedules call. The free quota, storage, traffic, the app's own calls, and Firerank's live top, events and audit are not in it ([Costs](costs.md) has them).

${waysTable(results)}

![Documents read for one rank, against the number of players](benchmark-rank-reads.svg)

## Ranks in countries too

Players also ask for their rank in their country. Firerank counts it in the same commit, as a [segment](segments.md) of the board. Without segments, a game has a board for each country beside the one of all, and sends each score to both. With ${count(countryDay.players)} players, as many in each of ${countryDay.countries} countries, ${countryDay.load.updatesPerSecond} updates and ${countryDay.load.ranksPerSecond} ranks a second; a rank is the one among all and the one in the country. **Counted** and **priced** as above.

${countriesTable(results)}

So many countries have more rows than the pages of segments. Most ranks in a country are then in a merged row, which a count closes: 1 read more, and the rank is exact. With up to ${count(segmentRowsMax)} different scores in all countries together it is not needed.

## How wrong the ranks are

**Measured** on our own code, against a full sort of ${count(errors[0]?.players ?? 0)} players, with scores of four games' shapes, and even ones. Three numbers: the mean and the largest error, as shares of all players; and the median error among the first hundred players, as a share of the right rank (100 ×: a hundred times the rank). All other ways are exact.

${errorsTable(results)}

## How the numbers were made

**Counted** on ${emulator}: ${work}, in ten parts with a run of the job after each. For large boards scores have the same shape, within 0 to 9,999.

**Functions** are priced by request-based billing, which rounds up to 0.1 s. An event takes 0.1 s, alone, on a sixth of a processor and 256 MiB: the cheapest there is. A call of a schedule takes 0.1 s, and a job 1 s more for each 2,000 documents, on a processor and 512 MiB. Commits take 0.1 s, so at 10 updates a second Firerank's share 3 of 4 shard writes.

**The model of waits** lets a document take one commit at a time; a commit holds all its documents ([waits.ts](../bench/contest/waits.ts)).

**What each way stores**:

${layoutList(systems)}

Played on ${date} with seed ${seed}: Firerank ${version}, ${emulator}, Node ${node}. The same seed gives the same numbers.

## Firerank's own parts

| part | question | numbers are | page |
| --- | --- | --- | --- |
| \`npm run bench -- rank-error\` | How wrong can ranks get over a season, with ten million players? | measured | [rank-error.md](rank-error.md) |
| \`npm run bench -- load\` | How long do updates wait, and what does a day cost, up to 7,000 updates a second? | simulated, priced | [load-model.md](load-model.md) |
| \`npm run bench -- serve\` | How much computing does an answer take, beside Redis and PostgreSQL? | measured | [serve.md](serve.md) |
`;
}

/** One answer for each way that people ask about. */
function whyNot(results: Results): string {
  const reads = (id: string) => count(billOf(results, id, "rank").reads);
  const bill = (id: string, operation: "update" | "run") => billText(billOf(results, id, operation));
  const most = (id: string) => rateText(results, id);
  const { rates, dollars } = results.scaled.course;
  const folded = breakEven(rates, dollars["score-ranking"] ?? [], dollars["firerank"] ?? []);
  return `- **… count the better ones with \`count()\`?** Do, while the board is small or ranks are rarely asked for. It is live and exact, and needs only an index. A rank reads 1 for each 1,000 better players: ${reads("count-better")} on average with 1,000,000 players, each time.
- **… write the rank to every player's document?** A rank is 1 read, and each run reads and writes everybody: ${bill("regular-update", "run")}.
- **… keep a document for each score and sum the players with \`sum()\`?** Do, if your scores are few and spread. It is live and exact, and a rank reads 1 for each 1,000 better _scores_: ${reads("score-documents-sum")} here, where scores are 0 to 9,999, but as many as \`count()\` if everybody has another score. Players with the same score write the same document, so updates pile up above ${most("score-documents-sum")}; with 10 documents for each score, above ${most("score-documents-sharded")}.
- **… fold that into a document for each score, now and then?** An update is ${bill("score-ranking", "update")}, and a run reads and writes all scores: ${bill("score-ranking", "run")}. Firerank's takes ${bill("firerank", "run")}. Updates pile up above ${most("score-ranking")}. Cheaper than Firerank: ${evenText(folded, "updates/s")}.
- **… keep a tree of counts?** It is live and exact, and a rank takes only ${reads("rank-tree")} reads. But every update writes the root document, so updates pile up above ${most("rank-tree")}.
- **… let a worker write to that tree?** Do, if you want to run a worker all the time. It takes ${most("rank-tree-aggregated")} by the model (200 were published), and a rank is seconds old.
- **… estimate with buckets or a sketch?** Buckets are cheap, but [wrong](#how-wrong-the-ranks-are), and often most wrong for the best players. A sketch such as t-digest can't take an old score out, so each run reads everybody.
- **… use Redis?** It [answers from memory](serve.md), live and exact. But somebody has to run the server by the hour, and keep it in step with the database.
- **… use PostgreSQL?** Do, if your data is there. A rank [counts the better rows](serve.md), on a server that is always on and whose size you choose.`;
}

/** Where another way is better, as plainly as where it is worse. */
function whereFirerankLoses(results: Results): string {
  const own = billOf(results, "firerank", "update");
  const plain = billOf(results, "count-better", "update");
  const times = count(cost(own, "us-central1") / cost(plain, "us-central1"));
  const { players, load, dollars } = results.scaled.sizes;
  const counting = breakEven(players, dollars["count-better"] ?? [], dollars["firerank"] ?? []);
  return `- **An update is dearer**: ${billText(own)}, where the player's own document alone is ${billText(plain)}. That is ${times} times the price.
- **Published ranks are as old as the last run**, 5 minutes by default. \`live\` ones are 5 seconds old, and [older on a busy board](load-model.md#live-ranks): some 11 at 10 updates a second in one instance. \`count()\`, \`sum()\`, the tree, Redis and PostgreSQL are live after each update.
- **Small boards are cheaper with \`count()\`**: with ${count(load.updatesPerSecond)} update and ${count(load.ranksPerSecond)} rank a second, ${evenText(counting, "players")}. With more ranks for each update, the board has to be smaller.
- **Many updates**: ${rateText(results, "firerank")} is the highest rate that [the model of load](load-model.md) carries and publishes. Ways that write only the player's own document have no such limit.
- **A score goes through a function**, which checks it. With security rules alone, an app could write its score and count the better ones without a function, and save $0.40 a million calls and their processor time. The tables leave out the app's own calls, for every way.
- **The trigger is called after each score**, though it does nothing after Firerank's own writes. Leave it out if your servers write no players' documents.
- **A lost event of a direct write leaves a rank wrong** until the player's next score, or until a repair if the write replaced a counted document. The daily audit reports it. Scores that come by calls have no event to lose.
- **Milliseconds**: Redis answers faster than Firestore. [What answering costs](serve.md) compares Redis with pages in memory.`;
}

/** For example "up to 2.3 updates/s", "from 9.8 updates/s", or "up to 0.06 and from 5 updates/s". */
function evenText({ cheaperBelow, at }: BreakEven, unit: string): string {
  const isFirst = cheaperBelow === "first";
  if (at.length === 0) return isFirst ? "always" : "never";
  const parts = at.map((value, i) => {
    const rounded = Number(value.toPrecision(2));
    return `${(i % 2 === 0) === isFirst ? "up to" : "from"} ${count(rounded)}`;
  });
  return `${parts.join(" and ")} ${unit}`;
}
