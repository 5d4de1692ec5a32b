/**
 * The inverted index with a periodic job: a document for each score counts its players, and the job writes
 * `scores_ranking/{score}` with the players above it, for each score that there is. The job also writes the document of
 * the best players. So a rank is the player's own document and one more read, and a run costs a read and a write for
 * each different score.
 *
 * A write costs as much as three reads, so a run costs four reads for each score. Where a rank without the job reads
 * all better scores, the job saves money if ranks are looked up more than four times between two runs.
 *
 * A query finds the nearest lower score, and so answers for a score that is new since the last run too: nobody was
 * between the two then. Updates need not read, as the job drops the scores that have lost their last player.
 */
import { grpc, grpcCode } from "../../functions/src/world/retryable.ts";
import type {
  CollectionReference,
  Firestore,
  QueryDocumentSnapshot,
} from "../../functions/src/documents/firestore.ts";
import { FieldValue } from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import type { Change, Truth } from "../contest/truth.ts";
import { scoresOf } from "./histogram.ts";
import { aroundBill, isChange, skippingBill } from "./player-bills.ts";
import { bestPlayers, playersAround, scoreOf, storeScore } from "./players.ts";
import type { Bills, Opened, Place, System } from "./system.ts";
import { readTop, topSize, writeTop } from "./top-document.ts";

export const scoreRanking: System = {
  id: "score-ranking",
  name: "Document per score, ranked periodically",
  layout: `A document for each player; for each score one with the number of its players, and one with the players above it; one with the best ${topSize}.`,
  source:
    "the inverted index with a periodic update, in the answer about ranks in Firestore (https://stackoverflow.com/a/46732461)",
  rank: "exact at the last run",
  keeps: "latest",
  cannot: {},
  asOfRun: ["top"],
  load: {
    kind: "documents",
    commits: (change) => (isChange(change) ? [changesOf(change).map(({ score }) => String(score))] : []),
  },
  open,
  bills: billsOf,
};

async function open({ db, meter }: Place): Promise<Opened> {
  const scores = db.collection("scores");
  const ranking = db.collection("scores_ranking");
  return {
    async submit(submission) {
      await storeScore(db, submission, "latest", (transaction, change) => {
        for (const { score, by } of changesOf(change)) {
          const counted = { score, player_count: FieldValue.increment(by) };
          transaction.set(scores.doc(String(score)), counted, { merge: true });
        }
      });
      return undefined;
    },
    async rank(player) {
      const score = await scoreOf(db, player);
      if (score === undefined) return null;
      const found = await ranking.where("score", "<=", score).orderBy("score", "desc").limit(1).get();
      const above = found.docs[0]?.get("players_above") as number | undefined;
      return above === undefined ? null : above + 1;
    },
    top: (count) => readTop(db, count),
    around: (player, before, after) => playersAround(db, player, before, after),
    page: (from, size) => bestPlayers(db, size, from),
    async run() {
      meter.invoked();
      await rankScores(db, scores, ranking);
      await writeTop(db, await bestPlayers(db, topSize));
    },
  };
}

/** What a change counts. */
function changesOf({ before, after }: Change): { score: number; by: 1 | -1 }[] {
  return [...(before === null ? [] : [{ score: before, by: -1 as const }]), { score: after, by: 1 }];
}

/** Writes the players above each score, and drops scores without players. */
async function rankScores(
  db: Firestore,
  scores: CollectionReference,
  ranking: CollectionReference,
): Promise<void> {
  const batchSize = 500;
  const found = (await scores.orderBy("score", "desc").get()).docs;
  const playersIn = (document: QueryDocumentSnapshot) => document.get("player_count") as number;
  const kept = found.filter((document) => playersIn(document) > 0);
  let players_above = 0;
  for (let i = 0; i < kept.length; i += batchSize) {
    const batch = db.batch();
    for (const document of kept.slice(i, i + batchSize)) {
      batch.set(ranking.doc(document.id), { score: document.get("score") as number, players_above });
      players_above += playersIn(document);
    }
    await batch.commit();
  }
  for (const document of found.filter((score) => playersIn(score) <= 0)) {
    await ranking.doc(document.id).delete();
    await deleteUnchanged(document);
  }
}

/** Deletes a document unless it was written since it was read. */
async function deleteUnchanged({ ref, updateTime }: QueryDocumentSnapshot): Promise<void> {
  await ref.delete({ lastUpdateTime: updateTime }).catch((error: unknown) => {
    if (grpcCode(error) !== grpc.failedPrecondition) throw error;
  });
}

function billsOf(start: Truth): Bills {
  /** Scores that have a document. */
  const known = new Set(scoresOf(start));
  return {
    update(_, change) {
      if (!isChange(change)) return bill({ reads: 1 });
      known.add(change.after);
      return bill({ reads: 1, writes: 1 + changesOf(change).length });
    },
    rank: () => bill({ reads: 2 }),
    top: () => bill({ reads: 1 }),
    around: aroundBill,
    page: skippingBill,
    run(truth) {
      const reads = Math.max(1, known.size) + Math.max(1, Math.min(topSize, truth.players));
      const empty = [...known].filter((score) => truth.equals(score) === 0);
      for (const score of empty) known.delete(score);
      return bill({ reads, writes: known.size + 1, deletes: 2 * empty.length, invocations: 1 });
    },
  };
}
