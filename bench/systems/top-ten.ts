/**
 * The ten best of all time in one document, with read repair. top-ten-repair.ts has its form.
 *
 * An update looks at the document beside its transaction, as one that is read within is locked for all others. If
 * meanwhile the lowest score rises, an entry too many gets in, and the next reader takes it out.
 */
import { bill } from "../contest/bill.ts";
import { FieldValue } from "../../functions/src/documents/firestore.ts";
import { isChange } from "./player-bills.ts";
import { storeScore } from "./players.ts";
import type { Bills, Opened, Place, System } from "./system.ts";
import { added, enters, needsRepair, repaired, type TopDocument, topSize } from "./top-ten-repair.ts";
import type { Truth } from "../contest/truth.ts";

const unknown = "it knows only the ten best";

/**
 * An update costs a read and a write of the player, a read of the top, and a write of it if the score enters: about
 * 10 (1 + ln(players / 10)) times while players arrive. The top and a rank cost 1 read; a top with something to repair,
 * another read and a write.
 */
export const topTen: System = {
  id: "top-ten",
  name: "Top ten in one document, with read repair",
  layout: "Players; a document with the ten best and the lowest of their scores.",
  source:
    "D. Kerrigan, “Massive Distributed Sorted Sets”, solution 1 (https://drew.kerrigan.io/portfolio/2014-11-05-massive-distributed-sorted-sets.html)",
  rank: "top only",
  keeps: "highest",
  cannot: { around: unknown, page: unknown, run: "nothing is left to do" },
  // Hardly any update gets into the top.
  load: { kind: "own document" },
  limit: "Between two readers, the document grows with each score that is above its lowest.",
  open: (place) => Promise.resolve(open(place)),
  bills,
};

function open({ db }: Place): Opened {
  const document = db.doc("ranking/top");
  return {
    async submit(submission) {
      await storeScore(db, submission, "highest", async (transaction, { player, after }) => {
        const top = (await document.get()).data() as TopDocument | undefined;
        if (!enters(top, after)) return;
        const scores = FieldValue.arrayUnion({ player, score: after });
        transaction.set(document, { scores }, { merge: true });
      });
      return undefined;
    },
    async rank(player) {
      const top = (await document.get()).data() as TopDocument | undefined;
      const { scores } = repaired(top ?? empty);
      const own = scores.find((entry) => entry.player === player);
      return own === undefined ? null : 1 + scores.filter(({ score }) => score > own.score).length;
    },
    async top(count) {
      const top = (await document.get()).data() as TopDocument | undefined;
      if (top === undefined || !needsRepair(top)) return (top ?? empty).scores.slice(0, count);
      const right = await db.runTransaction(async (transaction) => {
        const now = repaired((await transaction.get(document)).data() as TopDocument);
        transaction.set(document, now);
        return now;
      });
      return right.scores.slice(0, count);
    },
  };
}

const empty: TopDocument = { lowest_score: null, scores: [] };

/** It remembers what the document holds. */
function bills(start: Truth): Bills {
  const scores = Array.from({ length: Math.min(topSize, start.players) }, (_, i) => ({
    player: `#${i}`,
    score: start.scoreAt(i),
  }));
  let top = repaired({ ...empty, scores });
  return {
    update(_, change) {
      if (!isChange(change, "highest")) return bill({ reads: 1 });
      const isIn = enters(top, change.after);
      if (isIn) top = added(top, { player: change.player, score: change.after });
      return bill({ reads: 2, writes: isIn ? 2 : 1 });
    },
    rank: () => bill({ reads: 1 }),
    top() {
      const isWrong = needsRepair(top);
      top = repaired(top);
      return isWrong ? bill({ reads: 2, writes: 1 }) : bill({ reads: 1 });
    },
  };
}
