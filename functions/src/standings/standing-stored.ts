/** What a final table holds of a player, for one who asks for all that is stored. */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import { type SeasonKey, standingsMetadataPath, standingsPath } from "../documents/paths.ts";
import { newestStandings, standingsWith } from "../documents/queries.ts";
import type { SeasonOfPlayer } from "../model/admin-answers.ts";
import { exactTime } from "../model/instant.ts";
import { indexOfStandings } from "./lookup.ts";
import { fieldsOf, placedIn } from "./pack.ts";
import { packedIn, readSummary } from "./summary.ts";

/**
 * The documents with the player, and the player's line; without the line where there is no summary, as while the standings are
 * being written; undefined for a player who is in none. Until a season is cleared, standings that were begun as of another
 * time may have the player too. Cost: 1 read for each document with the player, at least 1, and 1 where it has metadata; with
 * the player 1 for the summary.
 */
export async function standingStored(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  player: string,
): Promise<{ documents: string[]; standing?: SeasonOfPlayer["standing"] } | undefined> {
  const { docs } = await transaction.get(standingsWith(db, key, player));
  const found = await Promise.all(
    newestStandings(docs).map(async (document) => {
      const packed = await packedIn(transaction, document);
      return { n: Number(document.id), packed, from: packed.standings.players.indexOf(player) };
    }),
  );
  const [newest] = found;
  if (newest === undefined) return undefined;
  const documents = found.flatMap(({ n, packed: { metadata }, from }) => {
    const path = standingsPath(key, n);
    return metadata?.metadata[from] ? [path, standingsMetadataPath(key, n)] : [path];
  });
  const { n, packed, from } = newest;
  const { summary } = await readSummary(db, key, transaction);
  const index = summary && indexOfStandings(summary);
  const part = index?.parts.find((one) => one.n === n);
  const [line] = part === undefined ? [] : placedIn({ part, from, until: from + 1 }, packed);
  if (line === undefined || index === undefined) return { documents };
  const { status: _, achieved_at: achievedAt, ...fields } = fieldsOf(line);
  const place = { rank: line.rank, position: line.position, players: index.players };
  const standing = { ...place, ...fields, achieved_at: exactTime(achievedAt) };
  return { documents, standing };
}
