/**
 * The inverted index: a document for each score that anybody has, with the number of its players. The rank is one more
 * than the players of all better scores, by one `sum()`: a read for each 1,000 better scores.
 *
 * The answer that describes it has the writer do it, one or two writes with each new score, and names no trigger. Here
 * they are in the transaction that stores the score, so that none can be lost or done twice. That transaction waits for
 * both scores at once. By the model of waits it carries a third of the 500 new scores a second that the answer names,
 * which two independent writes do carry. A score that loses its last player is deleted, for which the transaction has
 * to read it.
 */
import {
  AggregateField,
  type CollectionReference,
  FieldValue,
  type Firestore,
  type Transaction,
} from "../../functions/src/documents/firestore.ts";
import { hashOf } from "../../functions/src/model/hash.ts";
import { bill } from "../contest/bill.ts";
import { type Change, distinctScores, type Truth } from "../contest/truth.ts";
import { billPlayers, countsOf, isChange, openPlayers } from "./players.ts";
import { type Bills, type Opened, scoreMax, type System } from "./system.ts";

const sumIndex =
  "A sum() with a filter needs a composite index of score and player_count, for which the emulators do not ask.";

export const scoreDocumentsSum = systemOf(
  {
    id: "score-documents-sum",
    name: "Document per score, sum()",
    layout: "A document for each player, and one for each score with the number of its players.",
    source:
      "“Inverted index” in the answer about ranks in Firestore (https://stackoverflow.com/a/46732461), with Firestore's sum(), which came in 2023 (Firebase's documentation of aggregation queries)",
    limit: `Everybody with a score writes its document. One commit changes both scores, so that none is lost; two independent writes would carry about three times as many updates. ${sumIndex}`,
  },
  1,
);

/** Ten documents for each score, for scores that many players get at the same time. */
export const scoreDocumentsSharded = systemOf(
  {
    id: "score-documents-sharded",
    name: "10 documents per score, sum()",
    layout: "A document for each player, and up to 10 for each score that share the number of its players.",
    source: "the same with Firebase's distributed counters, as the answer advises for more new scores",
    limit: sumIndex,
  },
  10,
);

/** @param shards documents that share the count of a score. */
function systemOf(
  about: Pick<System, "id" | "name" | "layout" | "source" | "limit">,
  shards: number,
): System {
  return {
    ...about,
    rank: "exact",
    updatesPerSecondMax: (change) =>
      isChange(change) ? [countsOf(change).map(({ score }) => idOf(score, change.player, shards))] : [],
    open: ({ db }) => open(db, shards),
    bills: (start) => billsOf(start, shards),
  };
}

function open(db: Firestore, shards: number): Opened {
  const scores = db.collection("scores");
  return openPlayers(db, {
    count: (transaction, change) => storeCounts(scores, transaction, change, shards),
    async rank(score) {
      // The count is for the meter, and is billed nothing more.
      const sums = { players: AggregateField.sum("player_count"), documents: AggregateField.count() };
      return 1 + (await scores.where("score", ">", score).aggregate(sums).get()).data().players;
    },
  });
}

/** Beside the player: 1 read of the score before, and 2 writes, or 1 for a new player. */
async function storeCounts(
  scores: CollectionReference,
  transaction: Transaction,
  { player, before, after }: Change,
  shards: number,
): Promise<void> {
  if (before !== null) {
    const left = await transaction.get(scores.doc(idOf(before, player, shards)));
    if ((left.get("player_count") as number) > 1)
      transaction.update(left.ref, { player_count: FieldValue.increment(-1) });
    else transaction.delete(left.ref);
  }
  const counted = { score: after, player_count: FieldValue.increment(1) };
  transaction.set(scores.doc(idOf(after, player, shards)), counted, { merge: true });
}

function billsOf(start: Truth, shards: number): Bills {
  const documents = scoreDocumentsOf(start, shards);
  return billPlayers({
    count({ before, after, player }) {
      const shard = shardOf(player, shards);
      const isDropped = before !== null && documents.change(before, shard, -1) <= 0;
      documents.change(after, shard, 1);
      if (before === null) return { writes: 1 };
      return isDropped ? { reads: 1, writes: 1, deletes: 1 } : { reads: 1, writes: 2 };
    },
    rank: (_, score) =>
      bill({ reads: 1 + Math.max(1, Math.ceil(Math.round(documents.above(score)) / 1_000)) }),
  });
}

/**
 * Which documents there are.
 * @param start players who are there at the beginning. Nobody knows which shards they are in, so their documents are as
 *   many as are expected if they chose them at random. Everything afterwards is exact.
 */
export function scoreDocumentsOf(start: Truth, shards: number) {
  /** Documents of each score, and the players in each of these at the beginning. */
  const documents = new Float64Array(scoreMax + 1);
  const startPlayers = new Float64Array(scoreMax + 1);
  for (const score of distinctScores(start)) {
    const players = start.equals(score);
    documents[score] = shards * (1 - (1 - 1 / shards) ** players);
    startPlayers[score] = players / shards;
  }
  /** Players of documents that changed. */
  const changed = new Map<string, number>();
  return {
    /** Documents of better scores. */
    above: (score: number) => documents.subarray(score + 1).reduce((sum, count) => sum + count, 0),
    /** @returns the players of the document afterwards. */
    change(score: number, shard: number, by: 1 | -1): number {
      const key = `${score}_${shard}`;
      const before = changed.get(key) ?? startPlayers[score] ?? 0;
      changed.set(key, before + by);
      documents[score] = (documents[score] ?? 0) + exists(before + by) - exists(before);
      return before + by;
    },
  };
}

/** Whether a document with so many players is there; a part of one for less than a player expected. */
function exists(players: number): number {
  return Math.max(0, Math.min(1, players));
}

function idOf(score: number, player: string, shards: number): string {
  return shards === 1 ? String(score) : `${score}_${shardOf(player, shards)}`;
}

/**
 * A player is always counted in the same shard of a score. At random, as is usual for distributed counters, players
 * would leave other shards than they entered, and no shard could ever be dropped.
 */
function shardOf(player: string, shards: number): number {
  return hashOf(player).readUInt32BE() % shards;
}
