/** The seasons of a board that a player is in, for what an admin does to a player. */
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { documentsAt, inChunks } from "../documents/reads.ts";
import { playerPath, type SeasonKey, seasonsPath, topPath } from "../documents/paths.ts";
import { byId, openSeasons, standingsWith } from "../documents/queries.ts";
import { formOfSeason } from "../documents/season.ts";
import { linesInTop } from "../documents/top.ts";
import { FirerankError } from "../model/errors.ts";
import { documentsPerReadMax, readConcurrencyMax } from "../model/limits.ts";
import { inPool } from "../world/pool.ts";
import { currentSeasons } from "./current.ts";
import type { Services } from "../world/services.ts";

/** A season with its document of a player. */
export interface PlayerSeason {
  key: SeasonKey;
  span: string;
  /** As it was listed; `open` for a season that has not been opened yet. */
  status: string;
  /** What the season's document was. */
  form: ReturnType<typeof formOfSeason>;
  player: DocumentSnapshot;
}

type SeasonListed = Omit<PlayerSeason, "player">;

/**
 * All seasons of a board but those being deleted, each with the player's document, found or not; closed ones last. Cost:
 * for each 2 reads, at least 1.
 */
export async function seasonsOfPlayer(
  services: Services,
  leaderboard: string,
  player: string,
): Promise<PlayerSeason[]> {
  // A trusted server's document may exist before the trigger opens its season.
  const { db } = services;
  const current = await currentSeasons(services, leaderboard);
  const unopened = new Map(current.map((spanSeason) => [spanSeason.key.season, asOpen(spanSeason)]));
  const found: PlayerSeason[] = [];
  const all = byId(db, seasonsPath(leaderboard), documentsPerReadMax);
  for await (const seasons of inChunks(all, documentsPerReadMax)) {
    for (const { id } of seasons) unopened.delete(id);
    const listed = seasons
      .filter((season) => season.get("status") !== "deleting")
      .map((season) => ({
        key: { leaderboard, season: season.id },
        span: String(season.get("span")),
        status: String(season.get("status")),
        form: formOfSeason(season.data()),
      }));
    found.push(...(await withPlayer(db, listed, player)));
  }
  // Seasons that are being played come first: a closed one is published again, and there may be hundreds.
  found.sort((a, b) => Number(a.status === "closed") - Number(b.status === "closed"));
  const others = await withPlayer(db, [...unopened.values()], player);
  return [...found, ...others.filter(({ player: document }) => document.exists)];
}

/**
 * The seasons of a board that take scores now or will, not yet known, in which a player has a document. Cost: 1 read
 * for each open season, at least 1, and 1 for each that is not known.
 * @param others seasons to look into too, which were open a while ago.
 */
export async function openSeasonsOfPlayer(
  services: Services,
  leaderboard: string,
  player: string,
  known: ReadonlySet<string>,
  others: readonly Pick<PlayerSeason, "key" | "span">[] = [],
): Promise<PlayerSeason[]> {
  const { db } = services;
  const current = await currentSeasons(services, leaderboard);
  const listed = (await openSeasons(db, leaderboard).get()).docs.map((season) => {
    return { key: { leaderboard, season: season.id }, span: String(season.get("span")) };
  });
  const open = new Map([...others, ...current, ...listed].map((one) => [one.key.season, asOpen(one)]));
  const wanted = [...open.values()].filter(({ key }) => !known.has(key.season));
  return (await withPlayer(db, wanted, player)).filter((found) => found.player.exists);
}

/**
 * Those of some seasons that a player has to be taken out of, or may have to: not a closed one, or what is no season,
 * that has neither a document, nor a line in the standings or in the top. An earlier call that died may have left each of these alone.
 * Change them one after the other: of a closed one all standings may be read.
 * Cost: 2 reads for each closed season without a document of the player.
 */
export async function thatMayHavePlayer(
  { db }: Pick<Services, "db">,
  seasons: readonly PlayerSeason[],
): Promise<PlayerSeason[]> {
  const found = await inPool(seasons, readConcurrencyMax, async (season) => {
    const { key, status, form, player } = season;
    // Only its own release knows where else a season of another form may have players.
    if (form === "unknown" || player.exists || (form === "known" && status !== "closed")) return season;
    const [standings, top] = await Promise.all([
      standingsWith(db, key, player.id).get(),
      db.doc(topPath(key)).get(),
    ]);
    return !standings.empty || linesInTop(top.data(), player.id).length > 0 ? season : [];
  });
  return found.flat();
}

/** How often to look for documents that were created meanwhile: each is created beside another that is still there. */
const looksMax = 5;

/**
 * Takes a player out of the seasons of a board, one after the other. A submission may create a document in a season that
 * was done already, as long as another has one: so it looks again until none is left.
 *
 * Cost: {@link thatMayHavePlayer}; then 1 read for each open season, and for each of those that were not closed.
 * @param listed all seasons of the board, as {@link seasonsOfPlayer} finds them. @param from takes the player out of one.
 * @param isLeft whether a document that is found again is still to be taken out; by default each is.
 * @throws `contention` where they keep coming
 */
export async function takeOut(
  services: Services,
  listed: readonly PlayerSeason[],
  player: string,
  from: (season: PlayerSeason) => Promise<unknown>,
  isLeft: (season: PlayerSeason) => boolean = () => true,
): Promise<void> {
  for (const season of await thatMayHavePlayer(services, listed)) await from(season);
  const [first] = listed;
  if (first === undefined) return;
  const { leaderboard } = first.key;
  const others = listed.filter(({ status }) => status !== "closed");
  for (let look = 1; look <= looksMax; look++) {
    const found = await openSeasonsOfPlayer(services, leaderboard, player, new Set(), others);
    const left = found.filter(isLeft);
    if (left.length === 0) return;
    for (const season of left) await from(season);
  }
  const message = `Scores of player "${player}" keep coming on leaderboard "${leaderboard}"; call again.`;
  throw new FirerankError("contention", message);
}

function asOpen({ key, span }: Pick<PlayerSeason, "key" | "span">): SeasonListed {
  return { key, span, status: "open", form: "known" };
}

async function withPlayer(
  db: Firestore,
  seasons: readonly SeasonListed[],
  player: string,
): Promise<PlayerSeason[]> {
  const paths = seasons.map(({ key }) => playerPath(key, player));
  const found = await documentsAt(db, paths);
  return found.flatMap((document, i) => (seasons[i] ? [{ ...seasons[i], player: document }] : []));
}
