/**
 * A weekly league in two ways: Firerank's; and by hand, with a collection for each cohort, as a game has it that has no
 * leaderboard service. What each is billed for a player, by formulas; ways.test.ts counts both.
 */
import { FieldValue, type Firestore } from "../../functions/src/documents/firestore.ts";
import { zonesOf } from "../../functions/src/model/league-zones.ts";
import { cost } from "../../cli/prices.ts";
import { type Bill, bill, mapBill, sumOf } from "../contest/bill.ts";

/** Members of a group or cohort. */
export const groupSize = 30;

/** First scores that come together. */
export const seatedTogether = 3 * groupSize;

/** What is billed for one player. */
export interface LeagueBills {
  /** A first score of the week, with the seat. */
  first: Bill;
  /** A better score, while nothing else happens to the group. */
  score: Bill;
  /** A look at all members. */
  look: Bill;
  /** The end of the week: who goes up and down. */
  end: Bill;
}

const perMember = (all: Partial<Bill>, members = groupSize) =>
  mapBill(bill(all), (amount) => amount / members);

/** What a league adds to a board of Firerank's. A final table of the board is read from the players once more. */
export const firerankAdds: LeagueBills = {
  first: sumOf(
    { reads: 2, writes: 1 },
    // The season, leagues that are not settled, the newest group; for each 30 whether they have seats; and the groups.
    perMember({ reads: 3 + seatedTogether / 30, writes: seatedTogether / groupSize }, seatedTogether),
  ),
  score: bill({ reads: 1, writes: 1 }),
  look: bill({ reads: 3 }),
  end: sumOf({ reads: 1, writes: 1 }, perMember({ reads: 2, writes: 2 })),
};

const update = { reads: 1, writes: 2 };

export const byHand: LeagueBills = {
  first: bill({ reads: 2, writes: 3 }),
  score: bill({ reads: 1, writes: 1 }),
  look: bill({ reads: groupSize }),
  end: bill({ reads: 1, writes: 1 }),
};

/** What a week costs that a player plays. */
export interface LeagueWeek {
  /** Better scores after the first, and looks at the group, of each player. */
  scores: number;
  looks: number;
  ways: { name: string; billed: LeagueBills; dollars: number }[];
  /** Looks from which on Firerank's way is cheaper. */
  looksEven: number;
}

/** A week of a million players, in us-central1, without calls of functions. */
export function leagueWeekOf({ scores, looks } = { scores: 10, looks: 14 }): LeagueWeek {
  const firerank = {
    ...firerankAdds,
    first: sumOf(update, firerankAdds.first),
    score: sumOf(update, firerankAdds.score),
    end: sumOf({ reads: 1 }, firerankAdds.end),
  };
  const dollarsOf = (billed: LeagueBills, count: number) => {
    const times = (one: Bill, n: number) => mapBill(one, (amount) => n * amount);
    const all = sumOf(billed.first, times(billed.score, scores), times(billed.look, count), billed.end);
    return 1e6 * cost(all, "us-central1");
  };
  const named = [
    { name: "Firerank, a league of the board", billed: firerank },
    { name: "By hand, a collection for each cohort", billed: byHand },
  ];
  const more = dollarsOf(firerank, 0) - dollarsOf(byHand, 0);
  const less =
    dollarsOf(byHand, 1) - dollarsOf(byHand, 0) - (dollarsOf(firerank, 1) - dollarsOf(firerank, 0));
  return {
    scores,
    looks,
    ways: named.map((way) => ({ ...way, dollars: dollarsOf(way.billed, looks) })),
    looksEven: more / less,
  };
}

/**
 * A league by hand. `players/{player}` has the tier; `cohorts/{cohort}/members/{player}` the score; `newest/{tier}` the
 * cohort that still takes players, which everybody writes who comes.
 */
export function openByHand(db: Firestore) {
  const cohortOf = (tier: number, number: number) => db.collection(`cohorts/${tier}-${number}/members`);
  return {
    /** @returns the cohort, which the app remembers */
    first: (player: string, score: number) =>
      db.runTransaction(async (transaction) => {
        const own = db.doc(`players/${player}`);
        const tier = Number((await transaction.get(own)).get("tier") ?? 0);
        const newest = db.doc(`newest/${tier}`);
        const seated = Number((await transaction.get(newest)).get("seated") ?? 0);
        const number = Math.floor(seated / groupSize);
        const members = cohortOf(tier, number);
        transaction.set(newest, { seated: seated + 1 });
        transaction.set(own, { tier, cohort: members.path }, { merge: true });
        transaction.create(members.doc(player), { score });
        return members.path;
      }),
    score: (cohort: string, player: string, score: number) =>
      db.runTransaction(async (transaction) => {
        const member = db.collection(cohort).doc(player);
        const best = Number((await transaction.get(member)).get("score"));
        if (score > best) transaction.update(member, { score });
      }),
    async look(cohort: string) {
      const { docs } = await db.collection(cohort).orderBy("score", "desc").get();
      return docs.map(({ id }) => id);
    },
    /** One commit a cohort. Nothing says which cohorts are done: whoever starts again after a crash moves players twice. */
    async end(cohort: string, rules: { promote: number; demote: number }) {
      const { docs } = await db.collection(cohort).orderBy("score", "desc").get();
      const { up, down } = zonesOf({ size: groupSize, min_size: 5, ...rules }, docs.length);
      const batch = db.batch();
      docs.forEach(({ id }, i) => {
        const step = i < up ? 1 : i >= docs.length - down ? -1 : 0;
        batch.update(db.doc(`players/${id}`), { tier: FieldValue.increment(step) });
      });
      await batch.commit();
    },
  };
}
