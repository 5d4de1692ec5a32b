/**
 * The inverted index with a periodic job: a document for each score counts its players, and the job writes
 * `scores_ranking/{score}` with the players above it, for each score that there is. The job also writes the document of
 * the best players. So a rank is the player's own document and one more read, and a run costs a read and a write for
 * each different score.
 *
 * A query finds the nearest lower score, and so answers for a score that is new since the last run too: nobody was
 * between the two then. Updates need not read, as the job drops the scores that have lost their last player.
 */
import {
  type CollectionReference,
  FieldValue,
  type Firestore,
  type QueryDocumentSnapshot,
} from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import { distinctScores, type Truth } from "../contest/truth.ts";
import {
  bestPlayers,
  billPlayers,
  countsOf,
  entriesOf,
  isChange,
  openPlayers,
  readTop,
  topSize,
  writeTop,
} from "./players.ts";
import type { Bills, Opened, Place, System } from "./system.ts";

export const scoreRanking: System = {
  id: "score-ranking",
  name: "Document per score, ranked periodically",
  layout: `A document for each player; for each score one with the number of its players, and one with the players above it; one with the best ${topSize}.`,
  source:
    "the inverted index with a periodic update, in the answer about ranks in Firestore (https://stackoverflow.com/a/46732461)",
  rank: "exact at the last run",
  asOfRun: ["top"],
  updatesPerSecondMax: (change) =>
    isChange(change) ? [countsOf(change).map(({ score }) => String(score))] : [],
  open,
  bills,
};

function open({ db, meter }: Place): Opened {
  const scores = db.collection("scores");
  const ranking = db.collection("scores_ranking");
  return openPlayers(db, {
    count(transaction, change) {
      for (const { score, by } of countsOf(change)) {
        const counted = { score, player_count: FieldValue.increment(by) };
        transaction.set(scores.doc(String(score)), counted, { merge: true });
      }
    },
    async rank(score) {
      const found = await ranking.where("score", "<=", score).orderBy("score", "desc").limit(1).get();
      const above = found.docs[0]?.get("players_above") as number | undefined;
      return above === undefined ? null : above + 1;
    },
    top: (count) => readTop(db, count),
    async run() {
      meter.invoked();
      await rankScores(db, scores, ranking);
      await writeTop(db, await entriesOf(bestPlayers(db).limit(topSize)));
    },
  });
}

/** Writes the players above each score, and drops scores without players. */
async function rankScores(
  db: Firestore,
  scores: CollectionReference,
  ranking: CollectionReference,
): Promise<void> {
  const writer = db.bulkWriter();
  const empty: QueryDocumentSnapshot[] = [];
  let players_above = 0;
  for (const document of (await scores.orderBy("score", "desc").get()).docs) {
    const players = document.get("player_count") as number;
    if (players <= 0) empty.push(document);
    else void writer.set(ranking.doc(document.id), { score: document.get("score") as number, players_above });
    players_above += players;
  }
  await writer.close();
  for (const { id, ref, updateTime } of empty) {
    await ranking.doc(id).delete();
    // If it was written since it was read, the run fails, and the next one finds it.
    await ref.delete({ lastUpdateTime: updateTime });
  }
}

function bills(start: Truth): Bills {
  /** Scores that have a document. */
  const known = new Set(distinctScores(start));
  return billPlayers({
    count(change) {
      known.add(change.after);
      return { writes: countsOf(change).length };
    },
    rank: () => bill({ reads: 2 }),
    top: () => bill({ reads: 1 }),
    run(truth) {
      const reads = Math.max(1, known.size) + Math.max(1, Math.min(topSize, truth.players));
      const empty = [...known].filter((score) => truth.equals(score) === 0);
      for (const score of empty) known.delete(score);
      return bill({ reads, writes: known.size + 1, deletes: 2 * empty.length, invocations: 1 });
    },
  });
}
