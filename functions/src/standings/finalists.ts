/** The best players of a final table, for the top of a season that has closed. */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import { type SeasonKey, standingsMetadataPath, standingsPath } from "../documents/paths.ts";
import { documentsAt } from "../documents/reads.ts";
import { numbersOf } from "../documents/standings.ts";
import type { ListedPlayer } from "../documents/top.ts";
import { fieldsOf, playersOf, unpack } from "./pack.ts";
import { readSummary } from "./summary.ts";

/**
 * The best players of a closed season, as documents of the players would be. Cost: 1 read for the summary, and 2 for each
 * 1,000 players.
 */
export async function readFinalists(db: Firestore, transaction: Transaction, key: SeasonKey, limit: number) {
  const { summary, found } = await readSummary(db, key, transaction);
  const listed: ListedPlayer[] = [];
  for (const n of summary === undefined ? [] : numbersOf(summary)) {
    if (listed.length === limit) break;
    const paths = [standingsPath(key, n), standingsMetadataPath(key, n)] as const;
    const [document, beside] = await documentsAt(db, paths, transaction);
    const packed = unpack(document.data(), beside.data());
    for (const standing of playersOf(packed, 0, limit - listed.length))
      listed.push({ id: standing.player, data: fieldsOf(standing) });
  }
  return { listed, readAt: found.readTime };
}
