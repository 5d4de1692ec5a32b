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
import {
  type Group,
  guestsIn,
  heldSeat,
  type LeagueSeat,
  leagueSeatIn,
  type MemberVersion,
  readGroup,
  type Seat,
  seatAfter,
  seatByWish,
  seatOwner,
  seatsListed,
} from "../documents/group.ts";
import {
  type LeagueStanding,
  leagueStandingIn,
  outcomeToDrop,
  stoodIn,
} from "../documents/league-standing.ts";
import { groupPath, groupsPath, playerStatusPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { newestGroups, openLeagues, waitingForSeats } from "../documents/queries.ts";
import { groupsWith } from "../documents/groups-with.ts";
import { documentsAt, idsIn } from "../documents/reads.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { readSeason, readSeasonIfValid, type Season } from "../documents/season.ts";
import { documentSize } from "../model/document-size.ts";
import { commitBytesMax, documentBytesMax, documentsPerCommitMax } from "../model/limits.ts";
import { type League, tierToBeginIn } from "../model/league.ts";
import { boardIfAny } from "../seasons/board.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { grpc, grpcCode } from "../world/retryable.ts";
import type { Services } from "../world/services.ts";
import { memberIn } from "./keep-group.ts";
import { type GroupPlanned, lastNumbers, planSeats } from "./plan-seats.ts";

/** Names that one query looks for in groups. */
const namesPerQuery = 30;

/**
 * Seats all who wait in a week, a hundred at a time; after those whom this instance is seating in it already, as far as
 * that ends within ten seconds.
 *
 * Cost: for each hundred 1 read for the season, 1 or 2 for leagues that are not settled, 1 for the newest group of each
 * tier that gets members, at least 1, and 1 for each 30 players, who might be seated already; for each player 2 reads,
 * document and standing, and 1 write; 1 write for each group, and 1 for the group before a new one. With the first seats
 * of a week that has begun without the league 1 write for the season. Once 1 read for each group, where the newest of a tier
 * was deleted. Those who wait for a tier whose newest group is damaged cost their 2 reads each time.
 * @returns whether nobody waits any more; false where the time is over, or an earlier week is not settled.
 * @throws where the newest group of a tier is damaged; the other tiers have got seats then, unless the time is over.
 */
export async function seatWaiting(
  services: Services,
  key: SeasonKey,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  const seating = services.memory(createSeating);
  const path = seasonPath(key);
  const before = seating.get(path);
  const own = (async () => {
    if (before !== undefined) await whileAlive(services, before);
    return seatAll(services, key, isOver);
  })();
  seating.set(path, own);
  try {
    return await own;
  } finally {
    if (seating.get(path) === own) seating.delete(path);
  }
}

/** By season, the seating that this instance does, or will do last. */
const createSeating = () => new Map<string, Promise<boolean>>();

/** How long a seating waits for the one before it: a call may have died in the middle of that. */
const aheadMsMax = 10_000;

/** Waits for a seating, whether it fails or not; if it takes too long, the two go on side by side. */
async function whileAlive({ deadline }: Services, before: Promise<boolean>): Promise<void> {
  const limit = deadline(aheadMsMax);
  try {
    await Promise.race([before, limit.passed]);
  } catch {
    // Its own caller is told.
  } finally {
    limit.cancel();
  }
}

async function seatAll(services: Services, key: SeasonKey, isOver: () => boolean): Promise<boolean> {
  let last: ReadonlyMap<string, number> | undefined;
  let damaged: string | undefined;
  let after: QueryDocumentSnapshot | undefined;
  for (;;) {
    const board = await boardIfAny(services, key);
    if (board?.definition.league === undefined || board.season === undefined) return true;
    const { league } = board.definition;
    const opened = { ...board, season: board.season };
    const done = await commitPlayers(services, [board], (players) =>
      seatSome(services, players, opened, { ...league, last, after }),
    ).catch(async (error: unknown) => {
      // The newest group of a tier was deleted, or has lost what says so: another one has the name of a new group.
      if (last !== undefined || grpcCode(error) !== grpc.alreadyExists) throw error;
      last = lastNumbers(await idsIn(services.db, groupsPath(key)));
      return { ...nobody, areAllRead: false };
    });
    if (done === undefined) return false;
    for (const path of done.full) services.log.error("a player's document has no room for a seat", { path });
    // Those who wait for the damaged group would be read again, and nobody behind them.
    if (done.damaged !== undefined) ({ damaged, lastRead: after } = done);
    if (!done.areAllRead && !isOver()) continue;
    if (damaged !== undefined)
      throw new Error(`${damaged} is damaged; give it the fields of a group again, or delete it`);
    return done.areAllRead;
  }
}

interface Seated {
  /** Whether nobody else waits. */
  areAllRead: boolean;
  /** The path of a group that can't be read; who would sit in it goes on waiting. */
  damaged: string | undefined;
  /** The last one of those who waited, by id. */
  lastRead: QueryDocumentSnapshot | undefined;
  /** Paths of documents that have no room for a seat. */
  full: string[];
}

const nobody: Seated = { areAllRead: true, damaged: undefined, lastRead: undefined, full: [] };

/** What a seating knows from the hundreds before. */
interface SeatsBegun {
  /** The number of the last group of each tier, where the groups had to be looked through. */
  last: ReadonlyMap<string, number> | undefined;
  /** Those who wait are read from behind this one on. */
  after: QueryDocumentSnapshot | undefined;
}

/** @returns undefined where an earlier week is not settled. */
async function seatSome(
  services: Services,
  players: PlayersTransaction,
  board: OpenedBoard,
  { last, after, ...league }: League & SeatsBegun,
): Promise<Seated | undefined> {
  const { db } = services;
  const { key } = board;
  const { transaction } = players;
  const [seasonFound] = await documentsAt(db, [seasonPath(key)], players);
  const season = seasonFound.exists ? readSeason(seasonFound.data()) : undefined;
  if (season === undefined || season.status === "deleting" || season.league === "settled") return nobody;
  const next = waitingForSeats(db, key).limit(documentsPerCommitMax);
  const found = (await transaction.get(after === undefined ? next : next.startAfter(after))).docs;
  const waiting = withinCommit(found);
  if (waiting.length === 0) return nobody;
  const leagues = await transaction.get(openLeagues(db, key.leaderboard));
  if (earlierWeek(leagues, season) !== undefined) return undefined;
  const held = await seatsHeld(services, players, key, waiting);
  const statusPaths = waiting.map(({ id }) => playerStatusPath(key.leaderboard, id));
  const kept = await documentsAt(db, statusPaths, players);
  const asked = waiting.map((document, i): SeatSeeker => {
    const data = kept[i]?.data();
    const standing = leagueStandingIn(data);
    return { document, member: memberIn(document, data), standing, held: held.get(document.id) };
  });
  const toSeat = asked
    .filter((one) => one.held === undefined && isToBeSeated(one))
    .map(({ document: { id }, standing }) => {
      return { player: id, step: tierToBeginIn(league, stoodIn(standing), season.opens_at.toMillis()) };
    });
  const { newest, damaged } = await newestOf(services, players, key, tiersOf(league, toSeat));
  const isSeatable = ({ step }: { step: number }) => !damaged.has(league.tiers[step]?.id ?? "");
  const planned = planSeats(league, toSeat.filter(isSeatable), newest, last);
  const goOnWaiting = new Set(toSeat.filter((one) => !isSeatable(one)).map(({ player }) => player));
  writeGroups(services, players, board, { season, planned, asked, newest });
  const given = seatsGiven(planned);
  for (const one of asked)
    if (!goOnWaiting.has(one.document.id))
      players.writeUncounted(one.document, { league_seat: nextSeat(one, given.get(one.document.id)) });
  if (planned.length > 0 && season.league === undefined)
    transaction.update(db.doc(seasonPath(key)), { league: "open" });
  return {
    areAllRead: found.length < documentsPerCommitMax && waiting.length === found.length,
    damaged: [...damaged.values()][0],
    lastRead: waiting.at(-1),
    full: waiting.filter((document) => !hasRoom(document)).map(({ ref }) => ref.path),
  };
}

/** The seats of a plan, by player. */
function seatsGiven(planned: readonly GroupPlanned[]): Map<string, LeagueSeat> {
  return new Map(
    planned.flatMap(({ id, given }) =>
      given.map(({ player, seat }): [string, LeagueSeat] => [player, { group: id, seat }]),
    ),
  );
}

/** A player who waits. */
interface SeatSeeker {
  document: QueryDocumentSnapshot;
  member: MemberVersion;
  standing: LeagueStanding;
  /** The seat that the player has already. */
  held: HeldIn | undefined;
}

interface HeldIn {
  id: string;
  group: Group;
  name: string;
  seat: Seat;
}

const isToBeSeated = ({ document, member, standing }: SeatSeeker) =>
  scoreIfRanked(member.data) !== undefined && standing.has_left !== true && hasRoom(document);

/** Bytes of a seat in a player's document, at most. */
const seatBytesMax = 400;

/** Whether a player's document has room for a seat, whatever a server keeps in it. */
const hasRoom = (document: QueryDocumentSnapshot) =>
  documentSize(document.ref.path, document.data()) + seatBytesMax <= documentBytesMax;

/** The first documents whose commit Firestore takes: it weighs whole documents. Groups and index entries have the other half. */
function withinCommit(documents: readonly QueryDocumentSnapshot[]): QueryDocumentSnapshot[] {
  let bytes = 0;
  const end = documents.findIndex((document, i) => {
    bytes += documentSize(document.ref.path, document.data());
    return i > 0 && bytes > commitBytesMax / 2;
  });
  return documents.slice(0, end === -1 ? documents.length : end);
}

/** A week before a season, if one of a board's open leagues is: it is settled first. */
export function earlierWeek(
  { docs }: QuerySnapshot,
  { opens_at: opens }: Season,
): QueryDocumentSnapshot | undefined {
  return docs.find((document) => {
    const { data } = readSeasonIfValid(document.data());
    return data !== undefined && data.status !== "deleting" && data.opens_at < opens;
  });
}

const tiersOf = ({ tiers }: League, waiting: readonly { step: number }[]) =>
  tiers.filter((_, step) => waiting.some((one) => one.step === step)).map(({ id }) => id);

/**
 * Seats that some who wait have already: a server may have replaced the documents that said so, or the player was away.
 * Only a group counts that has a seat for the player.
 */
async function seatsHeld(
  { db }: Services,
  { transaction }: PlayersTransaction,
  key: SeasonKey,
  waiting: readonly QueryDocumentSnapshot[],
): Promise<Map<string, HeldIn>> {
  const held = new Map<string, HeldIn>();
  for (let from = 0; from < waiting.length; from += namesPerQuery) {
    const names = waiting.slice(from, from + namesPerQuery).map(({ id }) => id);
    for (const document of (await transaction.get(groupsWith(db, key, names))).docs) {
      const group = readGroup(document);
      for (const player of names) {
        const found = heldSeat(key, group, player);
        if (group !== undefined && found !== undefined)
          held.set(player, { id: document.id, group, ...found });
      }
    }
  }
  return held;
}

/** The newest groups of some tiers; and by tier, the paths of those that are damaged. */
async function newestOf(
  { db }: Services,
  { transaction }: PlayersTransaction,
  key: SeasonKey,
  tiers: readonly string[],
) {
  const newest = new Map<string, { id: string; group: Group }>();
  const damaged = new Map<string, string>();
  const { docs } = tiers.length === 0 ? { docs: [] } : await transaction.get(newestGroups(db, key, tiers));
  for (const document of docs) {
    const group = readGroup(document);
    const tier = String(document.get("newest_of"));
    if (group === undefined) damaged.set(tier, document.ref.path);
    else newest.set(tier, { id: document.id, group });
  }
  return { newest, damaged };
}

/** What a player's document says of the seat afterwards. */
function nextSeat(
  { document, standing, held }: SeatSeeker,
  given: LeagueSeat | undefined,
): LeagueSeat | undefined {
  const guests = guestsIn(leagueSeatIn(document.data()));
  if (!hasRoom(document)) return undefined;
  const seat = held === undefined ? given : { group: held.id, seat: held.name };
  const drops = outcomeToDrop(standing);
  if (seat !== undefined) return { ...seat, ...guests, ...(drops !== undefined && { drops }) };
  return standing.has_left === true ? { has_left: true, ...guests } : guests;
}

interface GroupsToWrite {
  season: Season;
  planned: readonly GroupPlanned[];
  asked: readonly SeatSeeker[];
  newest: ReadonlyMap<string, { id: string; group: Group }>;
}

/** What changes in a group. */
interface GroupChanged {
  /** Undefined for a new group. */
  found: Group | undefined;
  plan: GroupPlanned | undefined;
  seats: Record<string, Seat>;
}

/**
 * Adds new members to groups, and begins new ones: then the last one is the newest of its tier. Seats that players have
 * already follow their documents.
 */
function writeGroups(
  { db, now }: Services,
  { transaction }: PlayersTransaction,
  board: OpenedBoard,
  { season, ...groups }: GroupsToWrite,
): void {
  const lastOf = new Map(groups.planned.map(({ id, league }) => [league.tier, id]));
  const pace = { written_at: Timestamp.fromMillis(now()) };
  for (const [id, { found, plan, seats }] of changedGroups(board, groups)) {
    const ref = db.doc(groupPath(board.key, id));
    const tier = plan?.league.tier ?? found?.newest_of;
    const isNewest = tier !== undefined && (lastOf.get(tier) ?? id) === id;
    const listed = seatsListed({ ...found?.seats, ...seats });
    if (found !== undefined) {
      transaction.update(ref, {
        ...Object.fromEntries(Object.entries(seats).map(([name, seat]) => [`seats.${name}`, seat])),
        seated: found.seated + (plan?.given.length ?? 0),
        readers: listed.readers,
        owners: listed.owners,
        "pace.written_at": pace.written_at,
        newest_of: isNewest ? tier : FieldValue.delete(),
      });
    } else if (plan !== undefined) {
      const { league, given } = plan;
      const newestOf = isNewest ? { newest_of: league.tier } : {};
      const ends = { ends_at: season.closes_at, unsettled: true as const };
      const begun: Group = { ...listed, ...ends, ...newestOf, seated: given.length, pace, league };
      transaction.create(ref, begun);
    }
  }
}

/** The groups that change, by id: those that get members, those before a new one, and those of seats that are had already. */
function changedGroups(
  { key, definition }: OpenedBoard,
  { planned, asked, newest }: Omit<GroupsToWrite, "season">,
): Map<string, GroupChanged> {
  const changed = new Map<string, GroupChanged>();
  const tiers = new Set(planned.map(({ league }) => league.tier));
  for (const [tier, { id, group: found }] of newest)
    if (tiers.has(tier)) changed.set(id, { found, plan: undefined, seats: {} });
  const members = new Map(asked.map(({ member }) => [member.id, member]));
  for (const plan of planned) {
    const seats = Object.fromEntries(
      plan.given.map(({ player, seat }) => {
        const member = members.get(player);
        if (member === undefined) throw new Error(`${player} does not wait`);
        return [seat, seatAfter({ of: seatOwner(key, player) }, member, definition)];
      }),
    );
    changed.set(plan.id, { found: changed.get(plan.id)?.found, plan, seats });
  }
  for (const { member, standing, held } of asked) {
    if (held === undefined || held.group.settled_at !== undefined) continue;
    const { plan, seats } = changed.get(held.id) ?? { plan: undefined, seats: {} };
    const seat = seatByWish(held.seat, member, definition, standing.has_left === true);
    changed.set(held.id, { found: held.group, plan, seats: { ...seats, [held.name]: seat } });
  }
  return changed;
}
