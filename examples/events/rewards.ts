/**
 * Pays the best of each week and of each tournament: the first three, and the top 10 %, each player once a season.
 *
 * A payment is a document, created in the transaction that adds to the player's balance. So it is there if and only if the
 * coins are, and whoever comes again, after a crash or with an event that is delivered twice, finds it and pays nothing.
 * Whoever dies in the middle leaves its progress, and the event, which is tried again, goes on from there.
 */
import { FieldValue, type Firestore } from "firebase-admin/firestore";
import type { EventDocument } from "./event.ts";

/** Whose seasons are paid; `custom` are tournaments. */
const paidSpans = ["weekly", "custom"];

/** Coins for a position among so many players. */
export function prizeOf(position: number, players: number): number {
  const first = [1_000, 500, 250][position - 1];
  return first ?? (position <= Math.ceil(players / 10) ? 50 : 0);
}

/**
 * Pays a season that has closed. May be repeated, and interrupted anywhere.
 *
 * A season that is revised later is not paid again, and nothing is taken back: `season_revised` has to be looked at by
 * somebody. Where a player is taken out while it is paid, those who are not paid yet get the prizes of their new positions.
 *
 * Cost: 2 reads and 2 writes, 1 of each more for each 1,000 players of those who are paid; for each payment 1 read and 2
 * writes. An event that comes again costs 2 reads.
 */
export async function payRewards(
  db: Firestore,
  { kind, leaderboard, season, span }: EventDocument,
): Promise<void> {
  if (kind !== "season_closed" || !paidSpans.includes(span)) return;
  // No id of a board or season has a dot, so two seasons never have one name.
  const name = `${leaderboard}.${season}`;
  const progress = db.doc(`reward_runs/${name}`);
  const standings = db.collection(`leaderboards/${leaderboard}/seasons/${season}/standings`);
  const begun = await db.runTransaction(async (transaction) => {
    const [found, summary] = await transaction.getAll(progress, standings.doc("summary"));
    if (summary?.exists !== true || found?.get("done") === true) return undefined; // not kept any more, or paid
    // How many are paid is decided when it begins, by one delivery of the event, also if somebody is taken out later.
    const players = (found?.get("players") ?? summary.get("players")) as number;
    if (found?.exists !== true) transaction.create(progress, { players, documents_paid: 0, done: false });
    const from = (found?.get("documents_paid") ?? 0) as number;
    const ranges = summary.get("ranges") as { first: number; documents: number }[];
    const numbers = ranges.flatMap(({ first, documents }) =>
      Array.from({ length: documents }, (_, i) => first + i),
    );
    return { players, from, numbers, counts: summary.get("counts") as number[] };
  });
  if (begun === undefined) return;

  const { players, from, numbers, counts } = begun;
  let position = counts.slice(0, from).reduce((sum, count) => sum + count, 0);
  for (let n = from; n < numbers.length && prizeOf(position + 1, players) > 0; n++) {
    const document = await standings.doc(String(numbers[n])).get();
    for (const player of (document.get("players") ?? []) as string[]) {
      position += 1;
      const coins = prizeOf(position, players);
      if (coins > 0) await pay(db, `${name}.${player}`, { leaderboard, season, player, position, coins });
    }
    await progress.update({ documents_paid: n + 1 });
  }
  await progress.update({ done: true });
}

/** Pays once, whoever asks how often. */
async function pay(
  db: Firestore,
  id: string,
  payment: { player: string; coins: number } & Record<string, unknown>,
): Promise<void> {
  const { player, coins } = payment;
  const ref = db.doc(`payments/${id}`);
  await db.runTransaction(async (transaction) => {
    if ((await transaction.get(ref)).exists) return;
    transaction.create(ref, { ...payment, paid_at: FieldValue.serverTimestamp() });
    transaction.set(db.doc(`wallets/${player}`), { coins: FieldValue.increment(coins) }, { merge: true });
  });
}
