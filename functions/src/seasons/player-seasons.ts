/** The seasons of a board that a player is in, for what an admin does to a player. */
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { inChunks } from "../documents/reads.ts";
import { playerPath, type SeasonKey, seasonsPath } from "../documents/paths.ts";
import { byId, openSeasons } from "../documents/queries.ts";
import { formOfSeason } from "../documents/season.ts";
import { documentsPerReadMax } from "../model/limits.ts";
import type { SeasonServices } from "./board.ts";
import { currentSeasons } from "./current.ts";

/** A season with its document of a player. */
export interface PlayerSeason {
  key: SeasonKey;
  span: string;
  /** As it was listed; `open` for a season that has not been opened yet. */
  status: string;
  /** Whether the season's document was damaged. */
  isDamaged: boolean;
  player: DocumentSnapshot;
}

type SeasonListed = Pick<PlayerSeason, "span" | "status"> & { id: string; isDamaged?: boolean };

/** All seasons of a board, each with the player's document, found or not. Cost: for each 2 reads, at least 1. */
export async function* seasonsOfPlayer(
  services: SeasonServices,
  leaderboard: string,
  player: string,
): AsyncGenerator<PlayerSeason> {
  // A trusted server's document may exist before the trigger opens its season.
  const { db } = services;
  const current = await currentSeasons(services, leaderboard);
  const unopened = new Map(current.map(({ key, span }) => [key.season, span]));
  const all = byId(db, seasonsPath(leaderboard), documentsPerReadMax);
  for await (const seasons of inChunks(all, documentsPerReadMax)) {
    for (const { id } of seasons) unopened.delete(id);
    const listed = seasons
      .filter((season) => season.get("status") !== "deleting")
      // Seasons that are being played come first: a closed one is published again, and there may be hundreds.
      .sort((a, b) => Number(a.get("status") === "closed") - Number(b.get("status") === "closed"))
      .map((season) => ({
        id: season.id,
        span: String(season.get("span")),
        status: String(season.get("status")),
        isDamaged: formOfSeason(season.data()) === "damaged",
      }));
    yield* playerIn(db, leaderboard, listed, player);
  }
  const listed = [...unopened].map(([id, span]) => ({ id, span, status: "open" }));
  for await (const found of playerIn(db, leaderboard, listed, player)) if (found.player.exists) yield found;
}

/**
 * The seasons of a board that take scores now or will, not yet known, in which a player has a document. Cost: 1 read
 * for each open season, at least 1, and 1 for each that is not known.
 * @param others seasons to look into too, which were open a while ago.
 */
export async function* openSeasonsOfPlayer(
  services: SeasonServices,
  leaderboard: string,
  player: string,
  known: ReadonlySet<string>,
  others: readonly Pick<PlayerSeason, "key" | "span">[] = [],
): AsyncGenerator<PlayerSeason> {
  const { db } = services;
  const current = await currentSeasons(services, leaderboard);
  const open = new Map<string, string>([...others, ...current].map(({ key, span }) => [key.season, span]));
  const found = (await openSeasons(db, leaderboard).get()).docs;
  for (const season of found) open.set(season.id, String(season.get("span")));
  const listed = [...open].flatMap(([id, span]) => (known.has(id) ? [] : [{ id, span, status: "open" }]));
  for await (const one of playerIn(db, leaderboard, listed, player)) if (one.player.exists) yield one;
}

async function* playerIn(
  db: Firestore,
  leaderboard: string,
  seasons: readonly SeasonListed[],
  player: string,
): AsyncGenerator<PlayerSeason> {
  const keys = seasons.map(({ id }) => ({ leaderboard, season: id }));
  const refs = keys.map((key) => db.doc(playerPath(key, player)));
  const found = refs.length === 0 ? [] : await db.getAll(...refs);
  for (const [i, key] of keys.entries()) {
    const document = found[i];
    if (document === undefined) throw new Error("there is no answer for a document");
    const { span = key.season, status = "open", isDamaged = false } = seasons[i] ?? {};
    yield { key, span, status, isDamaged, player: document };
  }
}
