/**
 * Gives seats to those who wait. One transaction after the other seats a hundred: it reads who waits, where they stood,
 * and the newest groups of their tiers, and writes groups and players. Two that overlap read the same groups, so one of
 * them begins again, and nobody gets two seats.
 *
 * Nobody is seated before the weeks before are settled: only then are their tiers known. The end of settling asks again.
 */
import { commitPlayers, type PlayersTransaction } from "../counting/commit-players.ts";
import {
  FieldValue,
  type QueryDocumentSnapshot,
  type QuerySnapshot,
  Timestamp,
} from "../documents/firestore.ts";
import { type Group, type LeagueSeat, readGroup, seatAfter, seatOwner } from "../documents/group.ts";
import { leagueStandingIn, outcomeToDrop, stoodIn } from "../documents/league-standing.ts";
import { groupPath, playerStatusPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { groupsShowing, newestGroups, openLeagues, waitingForSeats } from "../documents/queries.ts";
import { documentsAt } from "../documents/reads.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { readSeason, readSeasonIfValid, type Season } from "../documents/season.ts";
import { documentsPerCommitMax } from "../model/limits.ts";
import { type League, tierToBeginIn } from "../model/league.ts";
import { boardIfAny } from "../seasons/board.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import type { Services } from "../world/services.ts";
import { type GroupPlanned, planSeats } from "./plan-seats.ts";

/** Names that one query looks for in groups. */
const namesPerQuery = 30;

/**
 * Seats all who wait in a week, a hundred at a time.
 *
 * Cost: for each hundred 1 read for the season, 1 or 2 for leagues that are not settled, 1 for the newest group of each
 * tier that gets members, at least 1, and 1 for each 30 players, who might be seated already; for each player 2 reads,
 * document and standing, and 1 write; 1 write for each group, and 1 for the group before a new one. With the first seats
 * of a week 1 write for the season.
 * @returns whether nobody waits any more; false where the time is over, or an earlier week is not settled.
 */
export async function seatWaiting(
  services: Services,
  key: SeasonKey,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  for (;;) {
    const board = await boardIfAny(services, key);
    if (board?.definition.league === undefined || board.season === undefined) return true;
    const { league } = board.definition;
    const opened = { ...board, season: board.season };
    const found = await commitPlayers(services, [board], (players) =>
      seatSome(services, players, opened, league),
    );
    if (found === undefined) return false;
    if (found < documentsPerCommitMax) return true;
    if (isOver()) return false;
  }
}

/** @returns how many waited; undefined where an earlier week is not settled. */
async function seatSome(
  services: Services,
  players: PlayersTransaction,
  board: OpenedBoard,
  league: League,
): Promise<number | undefined> {
  const { db } = services;
  const { key } = board;
  const { transaction } = players;
  const [seasonFound] = await documentsAt(db, [seasonPath(key)], players);
  const season = seasonFound.exists ? readSeason(seasonFound.data()) : undefined;
  if (season === undefined || season.status === "deleting" || season.league === "settled") return 0;
  const { docs: waiting } = await transaction.get(waitingForSeats(db, key).limit(documentsPerCommitMax));
  if (waiting.length === 0) return 0;
  const leagues = await transaction.get(openLeagues(db, key.leaderboard));
  if (earlierWeek(leagues, season) !== undefined) return undefined;
  const seen = new Map(await shownIn(services, players, key, waiting));
  const kept = await documentsAt(
    db,
    waiting.map(({ id }) => playerStatusPath(key.leaderboard, id)),
    players,
  );
  const standings = new Map(kept.map((document) => [document.id, leagueStandingIn(document.data())]));
  const standingOf = (player: string) => standings.get(player) ?? {};
  const isToBeSeated = (document: QueryDocumentSnapshot) =>
    !seen.has(document.id) &&
    scoreIfRanked(document.data()) !== undefined &&
    standingOf(document.id).has_left !== true;
  const toSeat = waiting.filter(isToBeSeated).map(({ id }) => {
    const step = tierToBeginIn(league, stoodIn(standingOf(id)), season.opens_at.toMillis());
    return { player: id, step };
  });
  const newest = await newestOf(services, players, key, tiersOf(league, toSeat));
  const planned = planSeats(league, toSeat, newest);
  const seats = new Map<string, LeagueSeat>(seen);
  for (const { id, given } of planned)
    for (const { player, seat } of given) seats.set(player, { group: id, seat });
  const byId = new Map(waiting.map((document) => [document.id, document]));
  writeGroups(services, players, board, { season, planned, byId, newest });
  for (const document of waiting)
    players.writeUncounted(document, { league_seat: nextSeat(document, seats, standingOf(document.id)) });
  if (planned.length > 0 && season.league === undefined)
    transaction.update(db.doc(seasonPath(key)), { league: "open" });
  return waiting.length;
}

/** A week before a season, if one of a board's open leagues is: it is settled first. */
export function earlierWeek(
  { docs }: QuerySnapshot,
  { opens_at: opens }: Season,
): QueryDocumentSnapshot | undefined {
  return docs.find((document) => {
    const { data } = readSeasonIfValid(document.data());
    return data !== undefined && data.opens_at < opens;
  });
}

const tiersOf = ({ tiers }: League, waiting: readonly { step: number }[]) =>
  tiers.filter((_, step) => waiting.some((one) => one.step === step)).map(({ id }) => id);

/**
 * Seats that some who wait have already: a server may have replaced the documents that said so. Only a group counts that
 * lists a player.
 */
async function shownIn(
  { db }: Services,
  { transaction }: PlayersTransaction,
  key: SeasonKey,
  waiting: readonly QueryDocumentSnapshot[],
): Promise<[string, LeagueSeat][]> {
  const found: [string, LeagueSeat][] = [];
  for (let from = 0; from < waiting.length; from += namesPerQuery) {
    const names = waiting.slice(from, from + namesPerQuery).map(({ id }) => id);
    for (const document of (await transaction.get(groupsShowing(db, key, names))).docs)
      for (const [seat, { player }] of Object.entries(readGroup(document)?.seats ?? {}))
        if (player !== undefined && names.includes(player))
          found.push([player, { group: document.id, seat }]);
  }
  return found;
}

/** The newest groups of some tiers. */
async function newestOf(
  { db }: Services,
  { transaction }: PlayersTransaction,
  key: SeasonKey,
  tiers: readonly string[],
): Promise<Map<string, { id: string; group: Group }>> {
  if (tiers.length === 0) return new Map();
  const { docs } = await transaction.get(newestGroups(db, key, tiers));
  return new Map(
    docs.flatMap((document) => {
      const group = readGroup(document);
      return group?.newest_of === undefined ? [] : [[group.newest_of, { id: document.id, group }] as const];
    }),
  );
}

/** What a player's document says of the seat afterwards. */
function nextSeat(
  document: QueryDocumentSnapshot,
  seats: ReadonlyMap<string, LeagueSeat>,
  standing: ReturnType<typeof leagueStandingIn>,
): LeagueSeat | undefined {
  const seat = seats.get(document.id);
  const guestsAt = (document.get("league_seat") as LeagueSeat).guests_at;
  const drops = outcomeToDrop(standing);
  if (seat !== undefined)
    return { ...seat, ...(guestsAt && { guests_at: guestsAt }), ...(drops && { drops }) };
  return standing.has_left === true ? { has_left: true } : undefined;
}

interface GroupsToWrite {
  season: Season;
  planned: readonly GroupPlanned[];
  byId: ReadonlyMap<string, QueryDocumentSnapshot>;
  newest: ReadonlyMap<string, { id: string }>;
}

/** Adds new members to groups, and begins new ones: then the last one is the newest of its tier. */
function writeGroups(
  { db, now }: Services,
  { transaction }: PlayersTransaction,
  { key, definition }: OpenedBoard,
  { season, planned, byId, newest }: GroupsToWrite,
): void {
  const lastOf = new Map(planned.map(({ id, league }) => [league.tier, id]));
  const writtenAt = Timestamp.fromMillis(now());
  for (const [tier, { id }] of newest) {
    const isFull = lastOf.has(tier) && planned.every((group) => group.id !== id);
    if (isFull) transaction.update(db.doc(groupPath(key, id)), { newest_of: FieldValue.delete() });
  }
  for (const { id, found, league, given } of planned) {
    const path = groupPath(key, id);
    const isNewest = lastOf.get(league.tier) === id;
    const seats = Object.fromEntries(
      given.map(({ player, seat }) => {
        const document = byId.get(player);
        if (document === undefined) throw new Error(`${player} does not wait`);
        const member = { id: player, data: document.data(), version: document.updateTime };
        return [seat, seatAfter({ of: seatOwner(path, player) }, member, definition)];
      }),
    );
    const readers = given.map(({ player }) => player);
    const seated = (found?.seated ?? 0) + given.length;
    if (found !== undefined) {
      transaction.update(db.doc(path), {
        ...Object.fromEntries(Object.entries(seats).map(([name, seat]) => [`seats.${name}`, seat])),
        seated,
        readers: [...found.readers, ...readers],
        "pace.written_at": writtenAt,
        ...(isNewest ? {} : { newest_of: FieldValue.delete() }),
      });
      continue;
    }
    const begun: Group = {
      seats,
      seated,
      readers,
      ends_at: season.closes_at,
      unsettled: true,
      pace: { written_at: writtenAt },
      league,
      ...(isNewest && { newest_of: league.tier }),
    };
    transaction.create(db.doc(path), begun);
  }
}
