/**
 * The inverted index: a document for each score that anybody has, with the number of its players. The rank is one more
 * than the players of all better scores.
 *
 * The answer that describes it has the writer do it, one or two writes with each new score, and names no trigger. Here
 * they are in the transaction that stores the score, so that none can be lost or done twice. That transaction waits for
 * both scores at once. By the model of waits it carries a third of the 500 new scores a second that the answer names,
 * which two independent writes do carry. A score that loses its last player is deleted, for which the transaction has
 * to read it.
 */
import type {
  CollectionReference,
  DocumentReference,
  Firestore,
  Query,
} from "../../functions/src/documents/firestore.ts";
import { AggregateField, FieldValue } from "../../functions/src/documents/firestore.ts";
import { hashOf } from "../../functions/src/model/hash.ts";
import { bill } from "../contest/bill.ts";
import { aroundBill, isChange, skippingBill, topBill } from "./player-bills.ts";
import { bestPlayers, playersAround, scoreOf, storeScore } from "./players.ts";
import { scoreDocumentsOf } from "./score-documents-count.ts";
import type { Bills, Opened, Place, Submission, System } from "./system.ts";

interface Form {
  keeps: System["keeps"];
  /** Documents that share the count of a score. */
  shards: number;
  /** Adds up the players of better scores. */
  sum: "by reading" | "by query";
}

const answer =
  "“Inverted index” in the answer about ranks in Firestore (https://stackoverflow.com/a/46732461); its numbers are known from notes on it";

/** The limits of the forms. */
const hotScores =
  "Everybody with a score writes its document. One commit changes both scores, so that none is lost; two independent writes would carry about three times as many updates.";
const sumIndex =
  "A sum() with a filter needs a composite index of score and player_count, for which the emulators do not ask.";

/** The rank reads all better scores. */
export const scoreDocuments = systemOf(
  { id: "score-documents", name: "Document per score", source: answer },
  { keeps: "latest", shards: 1, sum: "by reading" },
);

/** The same for the highest score of each player: most submissions only read. */
export const scoreDocumentsHighest = systemOf(
  { id: "score-documents-highest", name: "Document per score, highest score counts", source: answer },
  { keeps: "highest", shards: 1, sum: "by reading" },
);

/** The rank is one `sum()`: a read for each 1,000 better scores. */
export const scoreDocumentsSum = systemOf(
  {
    id: "score-documents-sum",
    name: "Document per score, sum()",
    source:
      "the same with Firestore's sum(), which came in 2023 (Firebase's documentation of aggregation queries)",
  },
  { keeps: "latest", shards: 1, sum: "by query" },
);

/** Ten documents for each score, for scores that many players get at the same time. */
export const scoreDocumentsSharded = systemOf(
  {
    id: "score-documents-sharded",
    name: "10 documents per score, sum()",
    source: "the same with Firebase's distributed counters, as the answer advises for more new scores",
  },
  { keeps: "latest", shards: 10, sum: "by query" },
);

function systemOf(names: Pick<System, "id" | "name" | "source">, form: Form): System {
  return {
    ...names,
    layout:
      form.shards === 1
        ? "A document for each player, and one for each score with the number of its players."
        : `A document for each player, and up to ${form.shards} for each score that share the number of its players.`,
    rank: "exact",
    keeps: form.keeps,
    cannot: { run: "nothing is left to do" },
    limit: [...(form.shards === 1 ? [hotScores] : []), ...(form.sum === "by query" ? [sumIndex] : [])].join(
      " ",
    ),
    load: {
      kind: "documents",
      commits: (change) =>
        isChange(change, form.keeps)
          ? [
              [change.before, change.after].flatMap((score) =>
                score === null ? [] : idOf(score, change.player, form),
              ),
            ]
          : [],
    },
    open: (place) => open(place, form),
    bills: (start) => billsOf(form, scoreDocumentsOf(start, form.shards)),
  };
}

function billsOf({ keeps, shards, sum }: Form, documents: ReturnType<typeof scoreDocumentsOf>): Bills {
  return {
    update(_, change) {
      if (!isChange(change, keeps)) return bill({ reads: 1 });
      const { before, after, player } = change;
      const shard = shardOf(player, shards);
      const isDropped = before !== null && documents.leave(before, shard);
      documents.enter(after, shard);
      return before === null
        ? bill({ reads: 1, writes: 2 })
        : bill({ reads: 2, writes: isDropped ? 2 : 3, deletes: isDropped ? 1 : 0 });
    },
    rank(_, score) {
      const above = Math.round(documents.above(score));
      return bill({ reads: 1 + Math.max(1, sum === "by query" ? Math.ceil(above / 1_000) : above) });
    },
    top: topBill,
    around: aroundBill,
    page: skippingBill,
  };
}

async function open({ db }: Place, form: Form): Promise<Opened> {
  const playersIn = form.sum === "by query" ? sumByQuery : sumByReading;
  return {
    async submit(submission) {
      await storeCounted(db, submission, form);
      return undefined;
    },
    async rank(player) {
      const score = await scoreOf(db, player);
      return score === undefined ? null : 1 + (await playersIn(scoresOf(db).where("score", ">", score)));
    },
    top: (count) => bestPlayers(db, count),
    around: (player, before, after) => playersAround(db, player, before, after),
    page: (from, size) => bestPlayers(db, size, from),
  };
}

/** Stores a score and counts its player: 1 read, and 1 for the score before; 3 writes, or 2 for a new player. */
function storeCounted(db: Firestore, submission: Submission, form: Form): Promise<unknown> {
  return storeScore(db, submission, form.keeps, async (transaction, { player, before, after }) => {
    const documentOf = (score: number): DocumentReference => scoresOf(db).doc(idOf(score, player, form));
    if (before !== null) {
      const left = await transaction.get(documentOf(before));
      if ((left.get("player_count") as number) > 1)
        transaction.update(left.ref, { player_count: FieldValue.increment(-1) });
      else transaction.delete(left.ref);
    }
    transaction.set(
      documentOf(after),
      { score: after, player_count: FieldValue.increment(1) },
      { merge: true },
    );
  });
}

function scoresOf(db: Firestore): CollectionReference {
  return db.collection("scores");
}

function idOf(score: number, player: string, { shards }: Form): string {
  return shards === 1 ? String(score) : `${score}_${shardOf(player, shards)}`;
}

/**
 * A player is always counted in the same shard of a score. At random, as is usual for distributed counters, players
 * would leave other shards than they entered, and no shard could ever be dropped.
 */
function shardOf(player: string, shards: number): number {
  return hashOf(player) % shards;
}

async function sumByReading(better: Query): Promise<number> {
  const found = await better.select("player_count").get();
  return found.docs.reduce((sum, document) => sum + (document.get("player_count") as number), 0);
}

/** The count is for the meter, and is billed nothing more. */
async function sumByQuery(better: Query): Promise<number> {
  const found = await better
    .aggregate({ players: AggregateField.sum("player_count"), documents: AggregateField.count() })
    .get();
  return found.data().players;
}
