/** Waits for the inverted index, which the trigger keeps, to catch up with the players' documents. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Firestore } from "../functions/src/documents/firestore.ts";
import { playersPath, seasonPath, type SeasonKey } from "../functions/src/documents/paths.ts";

const secondsMax = 90;

/**
 * Returns when no more than `behindMax` players have an index entry that disagrees with their document, or none yet.
 * @param waiting told, again and again, how many have.
 * @throws if it takes longer than 90 seconds, naming the first that is behind.
 */
export async function settle(
  db: Firestore,
  key: SeasonKey,
  behindMax: number,
  waiting: (behind: number) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + secondsMax * 1_000;
  for (;;) {
    const { players, behind } = await compareIndex(db, key);
    if (behind.length <= behindMax) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `After ${secondsMax} seconds the index still disagrees with ${behind.length} of ${players} players' documents, ` +
          `${behind[0] ?? ""} for one. The trigger indexPlayer seems to fail; .firerank/emulators-default.log says why.`,
      );
    }
    await waiting(behind.length);
    await sleep(200);
  }
}

async function compareIndex(db: Firestore, key: SeasonKey): Promise<{ players: number; behind: string[] }> {
  const [players, entries] = await Promise.all([
    db.collection(playersPath(key)).select("score").get(),
    db.collection(`${seasonPath(key)}/index_entries`).get(),
  ]);
  const indexed = new Map(entries.docs.map((entry) => [entry.id, entry.get("score") as unknown]));
  const behind = players.docs.filter((player) => indexed.get(player.id) !== player.get("score"));
  return { players: players.size, behind: behind.map(({ id }) => id) };
}
