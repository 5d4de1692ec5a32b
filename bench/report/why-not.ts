/** The answers to “why not just …?”, and where Firerank loses, with the numbers of the results. */
import { cost } from "../../cli/prices.ts";
import type { BreakEven } from "../contest/dollars.ts";
import type { Day } from "../contest/scaled.ts";
import type { Operation } from "../systems/system.ts";
import { ableTo, rateText } from "./best-ways.ts";
import { count, dollars } from "./markdown.ts";
import { comparedDay, largeBoard, type Results } from "./results.ts";
import { billOf, billText } from "./ways-table.ts";

/**
 * One answer for each way that people ask about; left out if the way was not played. It is one function, as it is one
 * list, with the numbers of the same bills.
 */
export function whyNot(results: Results): string {
  const bill = (id: string, operation: Operation) => billOf(results, id, operation);
  const players = count(largeBoard(results.scaled));
  const reads = (id: string) => count(bill(id, "rank").reads);
  const most = (id: string) => rateText(results, id);
  const answers: [id: string, question: string, answer: string][] = [
    [
      "count-better",
      "count the better ones with `count()`",
      `Do, while the board is small or ranks are rarely asked for. It is live and exact, and needs only an index. A rank reads 1 for each 1,000 better players: ${reads("count-better")} on average with ${players} players, each time.`,
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
      `Do, if your scores are few and spread. It is live and exact, and a rank reads 1 for each 1,000 better _scores_: ${reads("score-documents-sum")} here, where scores are 0 to 9,999, but as many as \`count()\` if everybody has another score. Players with the same score write the same document, so updates pile up above ${most("score-documents-sum")}; with 10 documents for each score, above ${most("score-documents-sharded")}.`,
    ],
    [
      "score-ranking",
      "fold that into a document for each score, now and then",
      `An update is ${billText(bill("score-ranking", "update"))}, and a run reads and writes all scores: ${billText(bill("score-ranking", "run"))}. Firerank's takes ${billText(bill("firerank", "run"))}. Updates pile up above ${most("score-ranking")}. Cheaper than Firerank: ${cheaperText(results.scaled.evens["score-ranking"], "updates/s")}.`,
    ],
    [
      "rank-tree",
      "keep a tree of counts",
      `It is live and exact, and a rank takes only ${reads("rank-tree")} reads. But every update writes the root document, so updates pile up above ${most("rank-tree")}.`,
    ],
    [
      "rank-tree-aggregated",
      "let a worker write to that tree",
      `Do, if you want to run a worker all the time. It takes ${most("rank-tree-aggregated")} by the model (200 were published), and a rank is seconds old.`,
    ],
    [
      "buckets-100",
      "estimate with buckets",
      "It is cheap, but [wrong](#how-wrong-the-ranks-are), and often most wrong for the best players.",
    ],
    [
      "redis-sql",
      "use Redis",
      "It answers from memory, live and exact. But somebody has to run the server, and keep it in step with the database.",
    ],
    [
      "postgres-rank-count",
      "use PostgreSQL",
      "Do, if your data is there. A rank counts the better rows, on a server that is always on and whose size you choose.",
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
  const own = billOf(results, "firerank", "update");
  const plain = billOf(results, "count-better", "update");
  const times = count(cost(own, "us-central1") / cost(plain, "us-central1"));
  const { load } = results.scaled.sizes;
  const bytes = (id: string) =>
    count(Math.round(results.counted.find((one) => one.id === id)?.billed.rank?.bytes ?? NaN));
  return [
    `- **An update is dearer**: ${billText(own)}, where the player's own document alone is ${billText(plain)}. That is ${times} times the price.`,
    ...cheaperExactWays(results),
    "- **Published ranks are as old as the last run**, 5 minutes by default. `live` ones are 5 seconds old, and [older on a busy board](load-model.md#live-ranks): some 11 at 10 updates a second in one instance. `count()`, `sum()`, the tree, Redis and PostgreSQL are live after each update.",
    `- **Small boards are cheaper with \`count()\`**: with ${count(load.updatesPerSecond)} update and ${count(load.ranksPerSecond)} rank a second, ${cheaperText(results.scaled.sizeEvens["count-better"], "players")}. With more ranks for each update, the board has to be smaller.`,
    `- **Many updates**: ${rateText(results, "firerank")} is the highest rate that [the model of load](load-model.md) carries and publishes. Ways that write only the player's own document have no such limit.`,
    `- **Bytes**: an instance that has no page in memory reads ${bytes("firerank-cold")} bytes for a rank on a board of 400 players; \`count()\` reads ${bytes("count-better")}.`,
    "- **A score goes through a function**, which checks it. With security rules alone, an app could write its score and count the better ones without a function, and save $0.40 a million calls and their processor time. The tables leave out the app's own calls, for every way.",
    "- **The trigger is called after each score**, though it does nothing after Firerank's own writes. Leave it out if your servers write no players' documents.",
    "- **A lost event of a direct write leaves a rank wrong** until the player's next score, or until a repair if the write replaced a counted document. The daily audit reports it. Scores that come by calls have no event to lose.",
    "- **Milliseconds**: Redis answers faster than Firestore. [What answering costs](serve.md) compares Redis with pages in memory.",
  ].join("\n");
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
