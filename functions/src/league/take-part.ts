/**
 * Leaving a board's league, and taking part again. Who leaves is hidden in the groups at once, with name and score; the seat
 * and the score of that moment stay, for the places of the others, until the week is settled. In weeks to come the player
 * gets no seat.
 */
import { commitPlayers } from "../counting/commit-players.ts";
import { FieldValue, Timestamp } from "../documents/firestore.ts";
import { confirmedSeat, leagueSeatIn, readGroup, seatAfter, type Seat } from "../documents/group.ts";
import { groupPath, playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { openLeagues } from "../documents/queries.ts";
import type { Definition } from "../model/definition.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { currentSeasons } from "../seasons/current.ts";
import type { Services } from "../world/services.ts";
import { readersOf } from "./keep-group.ts";

/**
 * Notes whether a player takes part in the league, and hides or shows the player in the groups that are not settled.
 *
 * Cost: 1 write; 1 read for weeks that are not settled, at least; for each of these and the present one 1 read for the
 * player, and in a group 2 reads and 1 write.
 */
export async function takePart(
  services: Services,
  leaderboard: string,
  player: string,
  takesPart: boolean,
): Promise<void> {
  const { db } = services;
  const kept = { has_left: takesPart ? FieldValue.delete() : true };
  // Before the groups: so seating sees it, or has given the seat by then.
  await db.doc(playerStatusPath(leaderboard, player)).set({ league: kept }, { merge: true });
  const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
  const open = (await openLeagues(db, leaderboard).get()).docs.map(({ id }) => id);
  const current = (await currentSeasons(services, leaderboard)).map(({ key }) => key.season);
  const weeks = new Set([...open, ...current.filter((season) => season.startsWith("weekly-"))]);
  for (const season of weeks)
    await takePartIn(services, { leaderboard, season }, player, takesPart, definition);
}

async function takePartIn(
  services: Services,
  key: SeasonKey,
  player: string,
  takesPart: boolean,
  definition: Definition,
): Promise<void> {
  const { db, now } = services;
  const ref = db.doc(playerPath(key, player));
  const own = leagueSeatIn((await ref.get()).data());
  // Where no seat was looked for while the player was away, the next score asks for one, or getLeague.
  if (takesPart && own?.has_left === true)
    await commitPlayers(services, [], async (players) => {
      const [found] = await players.getAll(ref);
      if (leagueSeatIn(found?.data())?.has_left === true && found !== undefined)
        players.writeUncounted(found, { league_seat: undefined });
    });
  const { group: id, seat } = own ?? {};
  if (id === undefined || seat === undefined) return;
  const path = groupPath(key, id);
  await db.runTransaction(async (transaction) => {
    const [groupFound, found] = await transaction.getAll(db.doc(path), ref);
    const group = groupFound && readGroup(groupFound);
    const before = confirmedSeat(path, group, player, seat);
    if (group?.unsettled !== true || before === undefined || found === undefined) return;
    const { has_left: _, ...shown } = before;
    const next: Seat = takesPart ? shown : { ...before, has_left: true };
    const member = { id: player, data: found.data(), version: found.updateTime ?? found.readTime };
    const after = seatAfter(next, member, definition);
    transaction.update(db.doc(path), {
      [`seats.${seat}`]: after,
      readers: readersOf({ ...group.seats, [seat]: after }),
      "pace.written_at": Timestamp.fromMillis(now()),
    });
  });
}
