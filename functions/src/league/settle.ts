/**
 * The end of a week's league. Nothing is decided before the season's wait is over, when its last score is in; then each
 * group is settled by one transaction, from the documents of its members: their places, where they go, and one event.
 *
 * Weeks are settled in their order. Whatever is cut off goes on anywhere: a settled group has lost its mark, so it is
 * settled once, and a week is settled when no group has the mark any more.
 */
import { addEvent, nameInEvents } from "../documents/event.ts";
import { FieldValue, Timestamp, type Transaction } from "../documents/firestore.ts";
import {
  type Group,
  leagueSeatIn,
  type MemberVersion,
  readGroup,
  type Seat,
  seatOwner,
  seatsListed,
} from "../documents/group.ts";
import { groupPath, playerStatusPath, seasonPath } from "../documents/paths.ts";
import { openLeagues, unsettledGroups, waitingForSeats } from "../documents/queries.ts";
import { inChunks } from "../documents/reads.ts";
import { readSeason } from "../documents/season.ts";
import { tierAfter } from "../model/league-zones.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { spanSeasonAt } from "../seasons/span-season.ts";
import { inPool } from "../world/pool.ts";
import type { Services } from "../world/services.ts";
import { askForSeats, isOfLeague } from "./ask.ts";
import { groupsAtOnce, membersOf, seatsOf } from "./keep-group.ts";
import { movesOf } from "./outcomes.ts";
import { earlierWeek, seatWaiting } from "./seat-waiting.ts";

/** Groups that one query reads. */
const groupsPerRead = 100;

/**
 * Settles the league of a week that takes no more scores, for as long as a step may take. It costs nothing for a season
 * that is no week of a league, or is settled.
 *
 * Cost: what {@link seatWaiting} costs, once for those who wait, at least 2 reads; 1 read for leagues that are not
 * settled; for each group 2 reads, 1 for each member, and 2 writes with its event; 1 write for each member; 3 reads and 1
 * write at the end.
 * @returns whether it is settled; false where the time is over.
 * @throws where an earlier week is not settled, or a group is damaged; the other groups may be settled then.
 */
export async function settleLeague(
  services: Services,
  board: OpenedBoard,
  isOver: () => boolean,
): Promise<boolean> {
  const { db, log } = services;
  const { key, season } = board;
  if (season.league === "settled" || (season.league === undefined && !isOfLeague(board))) return true;
  const earlier = earlierWeek(await openLeagues(db, key.leaderboard).get(), season);
  if (earlier !== undefined)
    throw new Error(`${seasonPath(key)} is settled after ${earlier.ref.path}, which is not settled yet`);
  for (;;) {
    if (!(await seatWaiting(services, key, isOver))) return false;
    for await (const groups of inChunks(unsettledGroups(db, key), groupsPerRead)) {
      await inPool(groups, groupsAtOnce, ({ id }) => settleGroup(services, board, id));
      if (isOver()) return false;
    }
    if (await endLeague(services, board)) break;
    if (isOver()) return false;
  }
  log.info("settled the groups of a league", { ...key });
  await seatThePresentWeek(services, board);
  return true;
}

/** Says that the week is settled. @returns whether it is: not if somebody waits for a seat, or has got one meanwhile. */
async function endLeague({ db }: Services, board: OpenedBoard): Promise<boolean> {
  const { key } = board;
  const ref = db.doc(seasonPath(key));
  return db.runTransaction(async (transaction) => {
    const season = readSeason((await transaction.get(ref)).data());
    const unsettled = await transaction.get(unsettledGroups(db, key).limit(1));
    const waiting = isOfLeague(board) ? await transaction.get(waitingForSeats(db, key).limit(1)) : undefined;
    if (!unsettled.empty || waiting?.empty === false) return false;
    if (season.league === "open") transaction.update(ref, { league: "settled" });
    return true;
  });
}

/** Those who have played since the week began wait for it to be known where they stand. */
async function seatThePresentWeek(services: Services, board: OpenedBoard): Promise<void> {
  const { league, spans } = board.definition;
  if (league === undefined || !spans.includes(league.span)) return;
  const present = spanSeasonAt(board.key.leaderboard, board, league.span, services.now());
  await askForSeats(services, present.key);
}

/**
 * Settles one group, if it is not. Cost: 1 read, 1 for each member, at least 1; 1 write, 1 for the event, and 1 for each
 * member.
 */
async function settleGroup(services: Services, board: OpenedBoard, id: string): Promise<void> {
  const { db, now } = services;
  const { key, definition, season } = board;
  const path = groupPath(key, id);
  await db.runTransaction(async (transaction) => {
    const document = await transaction.get(db.doc(path));
    if (document.get("unsettled") !== true) return;
    const found = readGroup(document);
    if (found?.league === undefined)
      throw new Error(`${path} is damaged; give it the fields of a group again, or delete it`);
    const members = await membersOf(services, transaction, board, id, found.readers);
    const group = { ...found, seats: seatsOf(key, found, members, definition) };
    const outcomes = movesOf(group, definition);
    const seats = Object.fromEntries(
      Object.entries(group.seats).map(([name, seat]) => [name, { ...seat, ...outcomes.get(name) }]),
    );
    const at = Timestamp.fromMillis(now());
    transaction.update(db.doc(path), {
      ...seatsListed(seats),
      settled_at: at,
      unsettled: FieldValue.delete(),
      newest_of: FieldValue.delete(),
      "pace.written_at": at,
    });
    writeStandings(services, transaction, board, { league: found.league, seats, members });
    const movers = Object.values(seats).filter(({ player }) => player !== undefined);
    const of = (move: Seat["move"]) =>
      movers
        .filter((seat) => seat.move === move)
        .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
        .map(({ player = "" }) => player);
    const [up, stayed, down] = [of("up"), of("stayed"), of("down")];
    addEvent(db, transaction, definition, {
      kind: "league_settled",
      key,
      span: season.span,
      atMs: at.toMillis(),
      once: id,
      fields: {
        group: id,
        tier: found.league.tier,
        up,
        stayed,
        down,
        players: [...up, ...stayed, ...down].map(nameInEvents),
      },
    });
  });
}

interface SettledGroup {
  league: NonNullable<Group["league"]>;
  seats: Record<string, Seat>;
  members: readonly MemberVersion[];
}

/** Writes where each member stands now. What else the document has is not read, and stays. */
function writeStandings(
  { db }: Services,
  transaction: Transaction,
  { key, season }: OpenedBoard,
  { league: { tier, ladder }, seats, members }: SettledGroup,
): void {
  const byOwner = new Map(Object.values(seats).map((seat) => [seat.of, seat]));
  const placed = Object.values(seats).filter(({ place }) => place !== undefined).length;
  for (const { id, data } of members) {
    const { place, move } = byOwner.get(seatOwner(key, id)) ?? {};
    if (place === undefined || move === undefined) continue;
    const to = tierAfter(ladder, tier, move);
    const drops = leagueSeatIn(data)?.drops;
    const outcomes = {
      ...(drops !== undefined && { [drops]: FieldValue.delete() }),
      [key.season]: { from: tier, to, place, members: placed },
    };
    const league = { tier: to, step: ladder.indexOf(to), until: season.closes_at, outcomes };
    transaction.set(db.doc(playerStatusPath(key.leaderboard, id)), { league }, { merge: true });
  }
}
