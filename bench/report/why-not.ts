/** The answers to “why not just …?”, and where Firerank loses, with the numbers of the results. */
import { cost } from "../../functions/src/model/prices.ts";
import type { Bill } from "../contest/bill.ts";
import { breakEven } from "../contest/dollars.ts";
import type { Operation } from "../systems/system.ts";
import { billText } from "./feature-tables.ts";
import { count } from "./markdown.ts";
import type { Results } from "./results.ts";

/**
 * One answer for each way that people ask about; left out if the way was not played. It is one function, as it is one
 * list, with the numbers of the same bills.
 */
export function whyNot(results: Results): string {
  const { bill, players } = billsOf(results);
  const reads = (id: string, operation: Operation = "rank") => count(bill(id, operation)?.reads ?? NaN);
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
      `A rank is 1 read, and each run reads and writes everybody: ${billText(bill("regular-update", "run") ?? noBill)}.`,
    ],
    [
      "score-documents-sum",
      "keep a document for each score and sum the players with `sum()`",
      `It is live and exact. A rank reads 1 for each 1,000 better scores: ${reads("score-documents-sum")}. But everybody with the same score writes the same document, so that a popular score has to wait.`,
    ],
    [
      "score-ranking",
      "fold that into a document for each score, now and then",
      `A rank then costs as much as here. A run reads and writes all scores: ${billText(bill("score-ranking", "run") ?? noBill)} where Firerank's takes ${billText(bill("firerank-index", "run") ?? noBill)}.`,
    ],
    [
      "rank-tree",
      "keep a tree of counts",
      `It is live and exact, and a rank takes few reads: ${reads("rank-tree")}. Every update writes the root, which is one document.`,
    ],
    [
      "buckets-100",
      "estimate with buckets",
      "It is cheap, and wrong by as much as the table of errors says, most of all for the best players.",
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

const noBill: Bill = { reads: 0, writes: 0, deletes: 0, invocations: 0, commands: 0 };

/** Where another way is better, as plainly as where it is worse. */
export function whereFirerankLoses(results: Results): string {
  const { bill } = billsOf(results);
  const own = bill("firerank-index", "update") ?? noBill;
  const plain = bill("count-better", "update") ?? noBill;
  const times = count(cost(own, "us-central1") / cost(plain, "us-central1"));
  const small = countCheaperUpTo(results);
  return [
    `- **An update is dearer**: ${billText(own)} with the source \`index\`, where the player's own document alone is ${billText(plain)}. That is ${times} times the price. The source \`count\` adds only a call.`,
    `- **Ranks are as old as the last run.** \`count()\`, \`sum()\`, the tree, Redis and PostgreSQL are live. (Firerank's \`live\` ranks read the pending shards too, and are not in these tables.)`,
    `- **Small boards are cheaper with \`count()\`**${small === undefined ? "" : `: with one rank for each update, up to about ${count(small)} players`}.`,
    "- **A lost event leaves a rank wrong** until the player's next score, or until a sweep. The daily audit tells of it. Ways that store everything in one transaction lose nothing.",
    "- **Milliseconds**: a page comes from Firestore or from memory. Redis answers faster than Firestore; [serve.md](serve.md) has what was measured.",
  ].join("\n");
}

/**
 * Players up to which an update and a rank are cheaper with `count()` than with Firerank's index, to two digits;
 * `undefined` if none of the sizes is on the other side.
 */
function countCheaperUpTo({ scaled }: Results): number | undefined {
  const sizes = scaled.growth[0]?.sizes.map(({ players }) => players) ?? [];
  const costs = (id: string) =>
    (scaled.growth.find((one) => one.id === id)?.sizes ?? []).map(
      ({ billed: { update = noBill, rank = noBill } }) =>
        cost(update, "us-central1") + cost(rank, "us-central1"),
    );
  const { at } = breakEven(sizes, costs("count-better"), costs("firerank-index"));
  return at === undefined ? undefined : Number(at.toPrecision(2));
}

/** Mean bills at the largest board that all tables show. */
function billsOf({ scaled }: Results) {
  const sizes = scaled.growth[0]?.sizes.map(({ players }) => players) ?? [];
  const size = sizes.includes(1_000_000) ? 1_000_000 : Math.max(...sizes);
  const bill = (id: string, operation: Operation) =>
    scaled.growth.find((one) => one.id === id)?.sizes.find(({ players }) => players === size)?.billed[
      operation
    ];
  return { bill, players: count(size) };
}
