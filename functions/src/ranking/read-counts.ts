/** What a run of the source `count` reads, all at one read time. */
import { type Firestore, type Query, Timestamp, type Transaction } from "../documents/firestore.ts";
import { leaderboardPath, playersPath, type SeasonKey } from "../documents/paths.ts";
import { byId, listedPlayers, type ListPlace, playersBetween } from "../documents/queries.ts";
import type { ListedPlayer } from "../documents/top.ts";
import type { Definition } from "../model/definition.ts";
import { nextKey } from "../model/keys.ts";
import {
  countHeadMax,
  countRefineEvery,
  countRoundsMax,
  countSplitsMax,
  readConcurrencyMax,
  rowsMax,
  samplePlayersPerQuery,
  sampleQueries,
  scoreSizeMax,
} from "../model/limits.ts";
import { isScore, scoreOfKey, sortKey } from "../model/score.ts";
import { readTopPlayers } from "../top/document.ts";
import type { Counter } from "./ask-counts.ts";
import { countRows, type Head } from "./count.ts";
import { idBetween } from "./id-between.ts";
import { mergeRows } from "./merge.ts";
import { unpackPages } from "./pack-pages.ts";
import { createPool } from "./pool.ts";
import { readPublished, type Snapshot } from "./read.ts";
import { areSame, noRows } from "./rows.ts";
import { noSums } from "./shard-sums.ts";

interface What {
  key: SeasonKey;
  definition: Definition;
  random: () => number;
}

/**
 * Counts the next ranking of a board. The result may be that no player has a score yet, or that the numbers are the
 * same as those that are published.
 *
 * Cost: the definition, the published pages, the top, its players and 1 for each 1,000 of these, those of the best 512
 * players who are not in the top, and about as many as `countReads` says (thresholds.ts) for the others. A first
 * ranking samples 2,048 players to find its thresholds, and may then split: at ten million players it reads 1.4 to 2.2
 * times that (docs/rank-error.md). Before the season's first score 3 reads.
 */
export async function readCounts(db: Firestore, what: What): Promise<Snapshot | undefined> {
  return db.runTransaction((transaction) => readInTransaction({ ...what, db, transaction }), {
    readOnly: true,
  });
}

/** What all parts of one reading share. */
interface Reading extends What {
  db: Firestore;
  transaction: Transaction;
}

async function readInTransaction(reading: Reading): Promise<Snapshot | undefined> {
  const { db, transaction, key, definition } = reading;
  // The definition in memory may be from before the board got its index back: counts must not replace the index.
  const definitionNow = await transaction.get(db.doc(leaderboardPath(key.leaderboard)));
  if (definitionNow.get("source") !== "count") return undefined;
  const published = await readPublished(db, transaction, key);
  if (!published.isOpened || published.hasEnded) return undefined;
  const top = await readTopPlayers(db, transaction, { key, definition });
  const head = await readHead(reading, top.listed);
  const [firstPage] = published.pages;
  const generation = firstPage?.generation ?? 0;
  const before = unpackPages(definition.order, published.pages);
  const rows = await countRows(
    definition.order,
    createCounter(
      reading,
      top.listed.map(({ id }) => id),
    ),
    head,
    before,
    {
      mayRefine: firstPage?.source === "index" || generation % countRefineEvery === 1,
      roundsMax: countRoundsMax,
      splitsMax: countSplitsMax,
      concurrencyMax: readConcurrencyMax,
    },
  );
  const merged = mergeRows(rows, rowsMax);
  if (firstPage?.source === "count" && areSame(merged, before)) return undefined;
  return {
    readAt: top.readAt,
    rows: merged,
    pending: noRows,
    generation,
    firstPage: published.firstPage,
    seasonTime: published.seasonTime,
    shards: [],
    taken: [],
    more: false,
    isOverfull: false,
    top,
    sums: noSums(),
  };
}

/** The scores of the best players: those listed in the top, and as many of those below them as are needed. */
async function readHead(
  { db, transaction, key, definition }: Reading,
  listed: readonly ListedPlayer[],
): Promise<Head> {
  const scores = listed.map(({ data }) => data["score"]).filter(isScore);
  const last = listed.at(-1);
  if (last === undefined || listed.length < definition.top_size) return { scores, isAll: true };
  const more = countHeadMax - listed.length;
  if (more <= 0) return { scores, isAll: false };
  const after: ListPlace = [last.data["score"] as number, last.data["achieved_at"], last.id];
  const query = listedPlayers(db, key, definition, { after }).limit(more).select("score");
  const found = await transaction.get(query);
  const others = found.docs.map((player) => player.get("score") as unknown).filter(isScore);
  return { scores: [...scores, ...others], isAll: found.size < more };
}

/** Asks Firestore, all at the transaction's read time. @param ids of some players, at least one. */
// eslint-disable-next-line max-lines-per-function -- a list of short questions, all of one transaction
export function createCounter(
  { db, transaction, key, definition, random }: Reading,
  ids: readonly string[],
): Counter {
  const { order } = definition;
  const best = order === "descending" ? scoreSizeMax : -scoreSizeMax;
  const beyond = order === "descending" ? -scoreSizeMax - 2 : scoreSizeMax + 2;

  async function countOf(query: Query): Promise<number> {
    const { count } = (await transaction.get(query.count())).data();
    return count;
  }

  /** One document of a query with a range and another order, which is billed for its index entry too. */
  async function oneOf(query: Query, field: string): Promise<unknown> {
    const found = await transaction.get(query);
    return found.docs[0]?.get(field);
  }

  const equals = (score: number) =>
    playersBetween(db, key, order, score, scoreOfKey(order, nextKey(sortKey(order, score))));

  return {
    count: (from, until) => countOf(playersBetween(db, key, order, from, until)),
    firstScore: async (from, until) =>
      (await oneOf(playersBetween(db, key, order, from, until).limit(1), "score")) as number | undefined,
    worstScore: async () =>
      (await oneOf(playersBetween(db, key, order, best, beyond).limitToLast(1), "score")) as
        number | undefined,
    async timesOf(score) {
      const [first, last] = await Promise.all([
        oneOf(equals(score).limit(1), "achieved_at"),
        oneOf(equals(score).limitToLast(1), "achieved_at"),
      ]);
      const firstMs = first instanceof Timestamp ? first.toMillis() : 0;
      return { firstMs, lastMs: last instanceof Timestamp ? Math.max(firstMs, last.toMillis()) : firstMs };
    },
    countEqual(score, fromMs, untilMs) {
      const at = (ms: number): ListPlace => [score, Timestamp.fromMillis(ms)];
      const behind = scoreOfKey(order, nextKey(sortKey(order, score)));
      // Always in the same direction of time, whatever the order among equals.
      const stretch = {
        from: fromMs === undefined ? ([score] as const) : at(fromMs),
        before: untilMs === undefined ? ([behind] as const) : at(untilMs),
      };
      return countOf(listedPlayers(db, key, { order, ties: "first" }, stretch));
    },
    async sample() {
      const scores = await createPool(readConcurrencyMax)(
        Array.from({ length: sampleQueries }, () => idBetween(ids, random)),
        async (after) => {
          const query = byId(db, playersPath(key), samplePlayersPerQuery, { after }).select(
            "score",
            "status",
          );
          const found = await transaction.get(query);
          return found.docs
            .filter((player) => player.get("status") === "active")
            .map((player) => player.get("score") as unknown);
        },
      );
      return scores.flat().filter(isScore);
    },
  };
}
