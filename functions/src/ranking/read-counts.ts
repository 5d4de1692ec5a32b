/** What a run of the source `count` reads, all at one read time. */
import type { Firestore, Transaction } from "../firestore.ts";
import type { Definition } from "../model/leaderboard.ts";
import { readConcurrencyMax, countRowsMax, countSplitsMax, scoreSizeMax } from "../model/limits.ts";
import type { SeasonKey } from "../model/paths.ts";
import { playersBetween } from "../model/queries.ts";
import { isScore, type Order } from "../model/score.ts";
import { type Counter, countRows } from "./count.ts";
import { readTopPlayers } from "../standings/top-document.ts";
import { mergeRows } from "./merge.ts";
import { unpackPages } from "./pages.ts";
import { readPublished, type Snapshot } from "./read.ts";
import { noRows } from "./rows.ts";
import type { Bill } from "./run-record.ts";
import { noSums } from "./shard-sums.ts";

/**
 * Counts the next ranking of a board, or finds that nobody has a score yet.
 *
 * Cost: the published pages, the top, its players and 1 for each 1,000 of these, about 1 read for each row and 1 for
 * each 1,000 players; for an interval that has grown too large 4 more at least. A first ranking, which finds its
 * thresholds, counts the players about ten times over. Before the season's first score 2 reads.
 */
export async function readCounts(
  db: Firestore,
  key: SeasonKey,
  definition: Definition,
  bill: Bill,
): Promise<Snapshot | undefined> {
  return db.runTransaction(
    async (transaction) => {
      const { order } = definition;
      const published = await readPublished(db, transaction, key, bill);
      if (!published.isOpened) return undefined;
      const top = await readTopPlayers(db, transaction, { key, definition }, bill);
      const best = top.listed.map(({ data }) => data["score"]).filter(isScore);
      const counter = createCounter(db, transaction, key, order, bill);
      const rows = await countRows(order, counter, best, unpackPages(order, published.pages), {
        rowsMax: countRowsMax,
        splitsMax: countSplitsMax,
        concurrencyMax: readConcurrencyMax,
      });
      return {
        readAt: top.readAt,
        rows: mergeRows(rows, countRowsMax),
        pending: noRows,
        generation: published.pages[0]?.generation ?? 0,
        firstPage: published.firstPage,
        shards: [],
        more: false,
        top,
        sums: noSums(),
      };
    },
    { readOnly: true },
  );
}

function createCounter(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  order: Order,
  bill: Bill,
): Counter {
  const best = order === "descending" ? scoreSizeMax : -scoreSizeMax;
  const worst = order === "descending" ? ascendingNext(-scoreSizeMax, -1) : ascendingNext(scoreSizeMax, 1);
  return {
    async count(from, until) {
      const { count } = (await transaction.get(playersBetween(db, key, order, from, until).count())).data();
      bill.reads += Math.max(1, Math.ceil(count / 1_000));
      return count;
    },
    async firstScore(from, until) {
      const found = await transaction.get(playersBetween(db, key, order, from, until).limit(1));
      bill.reads += 2;
      return found.docs[0]?.get("score") as number | undefined;
    },
    async worstScore() {
      const found = await transaction.get(playersBetween(db, key, order, best, worst).limitToLast(1));
      bill.reads += 2;
      return found.docs[0]?.get("score") as number | undefined;
    },
  };
}

/** Just beyond the worst score there can be. */
function ascendingNext(score: number, direction: 1 | -1): number {
  return score + direction * 2;
}
