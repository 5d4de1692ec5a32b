/**
 * A document for each score, counted as Firebase's extension firestore-counter counts: an update only writes shards that
 * belong to its client, one for each of the two scores, so no two clients write the same document. A function, then
 * workers, add the shards up (counter-extension-worker.ts). The rank is one more than the players in the counters of
 * better scores.
 *
 * The shards are in the transaction that stores the score; the extension's clients give out their references for this.
 * The extension never deletes a counter, so a rank reads every better score that anybody ever had.
 */
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { FieldPath, FieldValue } from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import type { Change, Truth } from "../contest/truth.ts";
import { countersOf, install, shardOf, shardsPerRound, sumShards } from "./counter-extension-worker.ts";
import { sumBill } from "./counter-extension-bill.ts";
import { scoresOf } from "./histogram.ts";
import { aroundBill, isChange, skippingBill, topBill } from "./player-bills.ts";
import { bestPlayers, playersAround, scoreOf, storeScore } from "./players.ts";
import { type Bills, type Opened, type Place, scoreMax, type System } from "./system.ts";

export const counterExtension: System = {
  id: "counter-extension",
  name: "Document per score, counter extension",
  layout:
    "A document for each player, one for each score with the number of its players, and shards of this, one for each client, until they are summed.",
  source:
    "Firebase's extension firestore-counter (https://github.com/firebase/extensions/tree/master/firestore-counter)",
  rank: "exact at the last run",
  keeps: "latest",
  cannot: {},
  // Its page names 10,000 updates a second. A worker takes 499 shards a round, which are the two of 249 updates.
  load: { kind: "queue", workers: 40, batch: Math.floor(shardsPerRound / 2) },
  runSeconds: 60,
  lag: "The extension also sums about a second after a write, while few clients write; that is left out here.",
  limit:
    "The function that the extension calls when a shard is written, one instance of it, is left out. Where it sums the two shards of each update at once, an update costs 9 reads, 6 writes and 2 deletes, which is dearer than here.",
  // Its schedule runs once a minute, also if nothing is to be done.
  clock: ({ updatesPerSecond }) => {
    const idlePerSecond = 1 / 60 - Math.min(1 / 60, updatesPerSecond);
    return bill({ reads: 2 * idlePerSecond, writes: idlePerSecond, invocations: idlePerSecond });
  },
  open,
  bills: billsOf,
};

async function open({ db, meter }: Place): Promise<Opened> {
  await install(db);
  return {
    async submit(submission) {
      await storeScore(db, submission, "latest", (transaction, change) => {
        for (const { score, by } of shardsOf(change)) {
          const shard = shardOf(db, idOf(score), change.player);
          transaction.set(shard, { player_count: FieldValue.increment(by) }, { merge: true });
        }
      });
      return undefined;
    },
    async rank(player) {
      const score = await scoreOf(db, player);
      return score === undefined ? null : 1 + (await playersAbove(db, score));
    },
    top: (count) => bestPlayers(db, count),
    around: (player, before, after) => playersAround(db, player, before, after),
    page: (from, size) => bestPlayers(db, size, from),
    run: () => sumShards(db, meter),
  };
}

/** Reads the counters of all better scores. */
async function playersAbove(db: Firestore, score: number): Promise<number> {
  const better = await countersOf(db).where(FieldPath.documentId(), ">", idOf(score)).get();
  return better.docs.reduce((sum, counter) => sum + (counter.get("player_count") as number), 0);
}

function shardsOf({ before, after }: Change): { score: number; by: number }[] {
  return [...(before === null ? [] : [{ score: before, by: -1 }]), { score: after, by: 1 }];
}

/** The id of a counter. Ids follow the scores: a counter has no other fields than its count. */
function idOf(score: number): string {
  return String(score).padStart(String(scoreMax).length, "0");
}

function billsOf(start: Truth): Bills {
  const counters = new Set([...scoresOf(start)].map(idOf));
  const waiting = new Set<string>();
  return {
    update(_, change) {
      if (!isChange(change)) return bill({ reads: 1 });
      const shards = shardsOf(change);
      for (const { score } of shards) waiting.add(`${idOf(score)}/${change.player}`);
      return bill({ reads: 1, writes: 1 + shards.length });
    },
    rank(_, score) {
      const better = [...counters].filter((counter) => counter > idOf(score)).length;
      return bill({ reads: 1 + Math.max(1, better) });
    },
    top: topBill,
    around: aroundBill,
    page: skippingBill,
    run() {
      const summed = [...waiting].sort().map((shard) => shard.split("/", 1)[0] ?? "");
      waiting.clear();
      for (const counter of summed) counters.add(counter);
      return sumBill(summed);
    },
  };
}
