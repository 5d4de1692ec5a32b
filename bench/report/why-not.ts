/** The answers to “why not just …?”, and where Firerank loses, with the numbers of the results. */
import { cost } from "../../cli/prices.ts";
import { type Bill, free } from "../contest/bill.ts";
import type { BreakEven } from "../contest/dollars.ts";
import type { Day } from "../contest/scaled.ts";
import type { Operation } from "../systems/system.ts";
import { ableTo, rateText } from "./best-ways.ts";
import { billText } from "./feature-tables.ts";
import { count, dollars } from "./markdown.ts";
import type { Results } from "./results.ts";
import { evenText, largeBoard } from "./scale-tables.ts";

/**
 * One answer for each way that people ask about; left out if the way was not played. It is one function, as it is one
 * list, with the numbers of the same bills.
 */
export function whyNot(results: Results): string {
  const { bill, players } = billsOf(results);
  const reads = (id: string) => count(bill(id, "rank").reads);
  const most = (id: string) => rateText(results, id);
  const answers: [id: string, question: string, answer: string][] = [
    [
      "count-better",
      "count the better ones with `count()`",
      `Do, while the board is small or ranks are asked for now and then. It is live, exact, and needs nothing but an index. A rank reads 1 for each 1,000 better players: ${reads("count-better")} on average with ${players} players, each time.`,
    ],
    [
      "count-better-reading",
      "read the better ones",
      `It reads every better player: ${reads("count-better-reading")} for a rank.`,
    ],
    [
      "regular-update",
      "write the rank to every player's document",
      `A rank is 1 read, and each run reads and writes everybody: ${billText(bill("regular-update", "run"))}.`,
    ],
    [
      "score-documents-sum",
      "keep a document for each score and sum the players with `sum()`",
      `Do, if your scores are few and spread. It is live and exact, and a rank reads 1 for each 1,000 better _scores_: ${reads("score-documents-sum")} here, where scores are 0 to 9,999, but as many as \`count()\` if everybody has another score. Players with the same score write the same document, so that work piles up above ${most("score-documents-sum")}; with 10 documents for each score, above ${most("score-documents-sharded")}.`,
    ],
    [
      "score-ranking",
      "fold that into a document for each score, now and then",
      `An update is ${billText(bill("score-ranking", "update"))}, and a run reads and writes all scores: ${billText(bill("score-ranking", "run"))} where Firerank's takes ${billText(bill("firerank", "run"))}. Work piles up above ${most("score-ranking")}. When it is cheaper than Firerank: ${cheaperText(results.scaled.evens["score-ranking"], "updates/s")}.`,
    ],
    [
      "rank-tree",
      "keep a tree of counts",
      `It is live and exact, and a rank takes few reads: ${reads("rank-tree")}. Every update writes the root, which is one document, so that work piles up above ${most("rank-tree")}.`,
    ],
    [
      "rank-tree-aggregated",
      "let a worker write to that tree",
      `Do, if you want to run a worker all the time. It takes ${most("rank-tree-aggregated")} by the model (200 were published), and a rank is seconds old.`,
    ],
    [
      "buckets-100",
      "estimate with buckets",
      "It is cheap, and wrong by as much as [the table of errors](#how-wrong-the-ranks-are) says, often most for the best players.",
    ],
    [
      "redis-sql",
      "use Redis",
      "It answers from memory, live and exact. It is a server that somebody runs, and a second place that has to agree with the first.",
    ],
    [
      "postgres-rank-count",
      "use PostgreSQL",
      "If your data is there, do. A rank counts the better rows, on a server that is always on and whose size you choose.",
    ],
  ];
  return answers
    .filter(([id]) => results.systems.some((system) => system.id === id))
    .map(([, question, answer]) => `- **… ${question}?** ${answer}`)
    .join("\n");
}

/** Where another way is better, as plainly as where it is worse. It is one function, as it is one list. */
export function whereFirerankLoses(results: Results): string {
  const isThere = (id: string) => results.counted.some((one) => one.id === id);
  if (!isThere("firerank") || !isThere("count-better")) {
    return "Without Firerank and `count()` beside it, this cannot be said.";
  }
  const { bill } = billsOf(results);
  const own = bill("firerank", "update");
  const plain = bill("count-better", "update");
  const times = count(cost(own, "us-central1") / cost(plain, "us-central1"));
  const { load } = results.scaled.sizes;
  const bytes = (id: string) =>
    count(Math.round(results.counted.find((one) => one.id === id)?.billed.rank?.bytes ?? NaN));
  return [
    `- **An update is dearer**: ${billText(own)}, where the player's own document alone is ${billText(plain)}. That is ${times} times the price.`,
    ...cheaperExactWays(results),
    "- **Published ranks are as old as the last run**, 5 minutes by default. `live` ones are 5 seconds old, and [older on a busy board](load-model.md#live-ranks): some 11 at 10 updates a second in one instance. `count()`, `sum()`, the tree, Redis and PostgreSQL are live after each update.",
    `- **Small boards are cheaper with \`count()\`**: with ${count(load.updatesPerSecond)} update and ${count(load.ranksPerSecond)} rank a second, ${cheaperText(results.scaled.sizeEvens["count-better"], "players")}. With more ranks for each update, the board has to be smaller.`,
    `- **Many updates**: ${rateText(results, "firerank")} are what [the model of load](load-model.md) shows to be carried and published. Ways that write only the player's own document have no such limit.`,
    `- **Bytes**: an instance that has no page in memory reads ${bytes("firerank-cold")} bytes for a rank on the small board below, and \`count()\` ${bytes("count-better")}.`,
    "- **A score goes through a function**, so that it can be checked. The tables leave the app's own call out for every way, but with security rules alone, an app could write its score and count the better ones without any function: $0.40 a million calls and their processor time less.",
    "- **The trigger is called after each score**, though it does nothing after Firerank's own writes. A game whose servers write no player's document leaves it out.",
    "- **A lost event of a direct write leaves a rank wrong** until the player's next score, or, if it replaced a counted document, until a repair. The daily audit tells of it. Scores that come by calls have no event to lose.",
    "- **Milliseconds**: a page comes from Firestore or from memory. Redis answers faster than Firestore; [serve.md](serve.md) has what was measured.",
  ].join("\n");
}

/** The load that ways are compared at: a million players, 10 updates and 10 ranks a second. */
export function comparedDay({ scaled }: Results): Day | undefined {
  return scaled.days.find(
    ({ players, load: { updatesPerSecond, ranksPerSecond }, region }) =>
      region === "us-central1" && players === 1_000_000 && updatesPerSecond === 10 && ranksPerSecond === 10,
  );
}

/** The exact ways that cost less than Firerank, for one of the loads. */
function cheaperExactWays(results: Results): string[] {
  const day = comparedDay(results);
  const own = results.systems.find(({ id }) => id === "firerank");
  const price = day?.dollars["firerank"];
  if (day === undefined || price == null) return [];
  const ways = (["live", "run"] as const)
    .flatMap((group) => ableTo(results, day, group))
    .filter(({ id, rank }) => (day.dollars[id] ?? Infinity) < price && rank.startsWith("exact"));
  if (ways.length === 0) return [];
  const list = ways.map(
    ({ id, name, staleness }) => `${name} ${dollars(day.dollars[id] ?? NaN)} (${staleness.rank})`,
  );
  return [
    `- **Other exact ways can be cheaper**, at ${gameText(day)}, where Firerank is ${dollars(price)} a day (${own?.staleness.rank ?? ""}): ${list.join("; ")}.`,
  ];
}

/** For example "1,000,000 players, 10 updates and 10 ranks a second". */
function gameText({ players, load }: Day): string {
  return `${count(players)} players, ${count(load.updatesPerSecond)} updates and ${count(load.ranksPerSecond)} ranks a second`;
}

function cheaperText(found: BreakEven | undefined, unit: "updates/s" | "players"): string {
  return found === undefined ? "" : evenText(found, unit);
}

/** Mean bills at the largest board that all tables show. */
function billsOf({ scaled }: Results) {
  const size = largeBoard(scaled);
  const bill = (id: string, operation: Operation): Bill =>
    scaled.growth.find((one) => one.id === id)?.sizes.find(({ players }) => players === size)?.billed[
      operation
    ] ?? free;
  return { bill, players: count(size) };
}
