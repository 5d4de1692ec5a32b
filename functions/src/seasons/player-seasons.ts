/** The seasons of a board that have a player, for calls with which an admin changes or removes the player. */
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { documentsAt, inChunks } from "../documents/reads.ts";
import { playerPath, type SeasonKey, seasonsPath, topPath } from "../documents/paths.ts";
import { byId, openSeasons, standingsWith } from "../documents/queries.ts";
import { groupsWith } from "../documents/groups-with.ts";
import { formOfSeason, readSeason, type Season } from "../documents/season.ts";
import { linesInTop } from "../documents/top.ts";
import { FirerankError } from "../model/errors.ts";
import { documentsPerReadMax, readConcurrencyMax } from "../model/limits.ts";
import { inPool } from "../world/pool.ts";
import { presentAndNextSeasons } from "./current.ts";
import type { Services } from "../world/services.ts";

/** A season with a player's document in it. */
export interface PlayerSeason {
  key: SeasonKey;
  span: string;
  /** The season's stored status; `open` for a season that has not been opened yet. */
  status: string;
  /** Whether the season's document could be read; `none` for a season that has not been opened yet. */
  form: ReturnType<typeof formOfSeason> | "none";
  /** Whether it has groups of a league. */
  hasGroups: boolean;
  player: DocumentSnapshot;
  /** The season as it is stored, if it was listed and can be read. */
  season?: Season | undefined;
}

type SeasonOfBoard = Omit<PlayerSeason, "player">;

/**
 * All seasons of a board, each with the player's document, whether it exists or not. Seasons of spans that nobody has opened
 * yet are among them: a score may open the running one, which may end before the caller looks again, and a trusted server
 * may write into the next one. A tournament before it is opened is not: finding it would cost a read more for each season.
 * Closed seasons come last but for these; seasons that are being deleted are left out. Cost: 2 reads for each season, at
 * least 1, and 1 for each of these.
 */
export async function seasonsOfPlayer(
  services: Services,
  leaderboard: string,
  player: string,
): Promise<PlayerSeason[]> {
  // A trusted server's document may exist before the trigger opens its season.
  const { db } = services;
  const current = await presentAndNextSeasons(services, leaderboard);
  const unopened = new Map(current.map((one) => [one.key.season, { ...asOpen(one), form: "none" as const }]));
  const found: PlayerSeason[] = [];
  const all = byId(db, seasonsPath(leaderboard), documentsPerReadMax);
  for await (const seasons of inChunks(all, documentsPerReadMax)) {
    for (const { id } of seasons) unopened.delete(id);
    const listed = seasons
      .filter((season) => season.get("status") !== "deleting")
      .map((document) => {
        const form = formOfSeason(document.data());
        return {
          key: { leaderboard, season: document.id },
          span: String(document.get("span")),
          status: String(document.get("status")),
          form,
          hasGroups: document.get("league") !== undefined,
          season: form === "known" ? readSeason(document.data()) : undefined,
        };
      });
    found.push(...(await withPlayer(db, listed, player)));
  }
  // Running seasons come first: a closed season is published again, and there may be hundreds of closed seasons.
  found.sort((a, b) => Number(a.status === "closed") - Number(b.status === "closed"));
  return [...found, ...(await withPlayer(db, [...unopened.values()], player))];
}

/**
 * The seasons of a board that take scores now or later, the next one of each span too, and in which a player has a
 * document. Cost: 1 read for each open season, at least 1, and 1 for each season that is not in `known`.
 * @param known ids of seasons to leave out. @param others further seasons to look into, which were open a while ago.
 */
export async function openSeasonsOfPlayer(
  services: Services,
  leaderboard: string,
  player: string,
  known: ReadonlySet<string>,
  others: readonly Pick<PlayerSeason, "key" | "span" | "hasGroups">[] = [],
): Promise<PlayerSeason[]> {
  const { db } = services;
  const current = await presentAndNextSeasons(services, leaderboard);
  const listed = (await openSeasons(db, leaderboard).get()).docs.map((season) => {
    const hasGroups = season.get("league") !== undefined;
    return { key: { leaderboard, season: season.id }, span: String(season.get("span")), hasGroups };
  });
  const open = new Map([...others, ...current, ...listed].map((one) => [one.key.season, asOpen(one)]));
  const wanted = [...open.values()].filter(({ key }) => !known.has(key.season));
  return (await withPlayer(db, wanted, player)).filter((found) => found.player.exists);
}

/**
 * The seasons that may have a player, of some seasons of a board. A season that nobody has opened is left out if it has no
 * document of the player; a closed or damaged one if it has no such document, no line in its standings or its top, and no
 * seat in a group. It may have any one of these: an earlier call may have died after it removed the others. Callers change
 * the seasons one after the other, as all standings of a closed season may be read. Cost: 2 reads for each closed season
 * without a document of the player, 3 for a week of a league.
 */
async function seasonsThatMayHavePlayer(
  { db }: Pick<Services, "db">,
  seasons: readonly PlayerSeason[],
): Promise<PlayerSeason[]> {
  const found = await inPool(seasons, readConcurrencyMax, async (season) => {
    const { key, status, form, player, hasGroups } = season;
    if (form === "none" && !player.exists) return [];
    // Only the release that stored a season in another form knows where else the season may have players.
    if (form === "unknown" || player.exists || (form === "known" && status !== "closed")) return season;
    const [standings, top, groups] = await Promise.all([
      standingsWith(db, key, player.id).get(),
      db.doc(topPath(key)).get(),
      hasGroups ? groupsWith(db, key, [player.id]).get() : undefined,
    ]);
    const isInTop = linesInTop(top.data(), player.id).length > 0;
    return !standings.empty || isInTop || groups?.empty === false ? season : [];
  });
  return found.flat();
}

/** How often to look again for documents of the player that were created meanwhile. */
const looksMax = 5;

/**
 * Takes a player out of the seasons of a board, one after the other. While another season still has a document of the
 * player, a submission may create a document again in a season that was done. So this looks again until no document is
 * left.
 *
 * Cost: {@link seasonsThatMayHavePlayer}; then 1 read for each open season, and for each season that was not closed, the next
 * one of each span too.
 * @param listed all seasons of the board, as {@link seasonsOfPlayer} finds them. @param from takes the player out of a
 * season.
 * @param isLeft whether a document that is found again must be taken out; by default every document must.
 * @throws `contention` if documents keep coming
 */
export async function takeOut(
  services: Services,
  listed: readonly PlayerSeason[],
  player: string,
  from: (season: PlayerSeason) => Promise<unknown>,
  isLeft: (season: PlayerSeason) => boolean = () => true,
): Promise<void> {
  for (const season of await seasonsThatMayHavePlayer(services, listed)) await from(season);
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

function asOpen({
  key,
  span,
  hasGroups = false,
}: Pick<PlayerSeason, "key" | "span"> & { hasGroups?: boolean }): SeasonOfBoard {
  return { key, span, status: "open", form: "known", hasGroups };
}

async function withPlayer(
  db: Firestore,
  seasons: readonly SeasonOfBoard[],
  player: string,
): Promise<PlayerSeason[]> {
  const paths = seasons.map(({ key }) => playerPath(key, player));
  const found = await documentsAt(db, paths);
  return found.flatMap((document, i) => (seasons[i] ? [{ ...seasons[i], player: document }] : []));
}
