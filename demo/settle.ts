/** Waits until the inverted index has caught up with the players' documents. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Firestore } from "../functions/src/firestore.ts";
import { playersPath, seasonPath, type SeasonKey } from "../functions/src/model/paths.ts";

const secondsMax = 90;

/**
 * Returns when all teams have a document, and an index entry with the same score.
 * @param waiting told how many have not, when that changes.
 * @throws if some still have not after 90 seconds, naming the first of them.
 */
export async function settle(
  db: Firestore,
  key: SeasonKey,
  teams: number,
  waiting: (behind: number) => void,
): Promise<void> {
  const deadline = Date.now() + secondsMax * 1_000;
  let shown: number | undefined;
  for (;;) {
    const [players, entries] = await Promise.all([
      db.collection(playersPath(key)).get(),
      db.collection(`${seasonPath(key)}/index_entries`).get(),
    ]);
    const indexed = new Map(entries.docs.map((entry) => [entry.id, entry.get("score") as unknown]));
    const behind = players.docs.filter((player) => indexed.get(player.id) !== player.get("score"));
    const open = teams - players.size + behind.length;
    if (open === 0) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `After ${secondsMax} seconds the index still disagrees with ${behind.length} of ${players.size} players' documents ` +
          `(of ${teams} teams)${behind[0] === undefined ? "" : `, first ${behind[0].id}`}. The trigger indexPlayer must ` +
          "have failed; .firerank/emulators-default.log says why.",
      );
    }
    if (open !== shown) {
      waiting(open);
      shown = open;
    }
    await sleep(300);
  }
}
