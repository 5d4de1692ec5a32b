/**
 * Leaving a board's league, and taking part again. Who leaves is hidden in the groups at once, with name and score; the seat
 * and the score of that moment stay, for the places of the others, until the week is settled. In weeks to come the player
 * gets no seat.
 */
import { commitPlayers } from "../counting/commit-players.ts";
import { erasurePath, isErased, playerErased } from "../documents/erasure.ts";
import { FieldValue, Timestamp } from "../documents/firestore.ts";
import { forgetFields } from "../documents/forget-fields.ts";
import { guestsIn, heldSeat, leagueSeatIn, readGroup, seatByWish, seatsListed } from "../documents/group.ts";
import { leagueStandingIn } from "../documents/league-standing.ts";
import { playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { readPlayerStatus } from "../documents/player.ts";
import { openLeagues } from "../documents/queries.ts";
import { groupsWith } from "../documents/groups-with.ts";
import { documentsAt } from "../documents/reads.ts";
import type { Definition } from "../model/definition.ts";
import { FirerankError } from "../model/errors.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { requireDefinition } from "../seasons/read-board.ts";
import { currentSeasons } from "../seasons/current.ts";
import type { Services } from "../world/services.ts";
import { memberIn } from "./keep-group.ts";

/** What a player wishes of a board's league. */
export interface Wish {
  leaderboard: string;
  player: string;
  takesPart: boolean;
  /** Whether a moderator says it: then a ban does not stand in the way. */
  isModerators: boolean;
}

/**
 * Notes whether a player takes part in the league, and hides or shows the player in the groups that are not settled.
 *
 * Cost: 2 reads; where the player has wished otherwise 1 write, and to leave 1 read more; 1 read for weeks that are not
 * settled, at least; for each of these and the present one 3 reads, and in a group 1 write.
 * @throws `player_banned`; where somebody would leave, `leaderboard_not_found` of a board that was just deleted, and
 * `player_erased` of who is erased or was merged away
 */
export async function takePart(services: Services, wish: Wish): Promise<void> {
  const { db } = services;
  const { leaderboard } = wish;
  // Before the groups: so seating sees it, or has given the seat by then.
  await noteWish(services, wish);
  const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
  const open = (await openLeagues(db, leaderboard).get()).docs.map(({ id }) => id);
  const current = (await currentSeasons(services, leaderboard)).map(({ key }) => key.season);
  const weeks = new Set([...open, ...current.filter((season) => season.startsWith("weekly-"))]);
  for (const season of weeks) await takePartIn(services, { leaderboard, season }, wish, definition);
}

/** Keeps the wish for weeks to come. Nothing may name a player again who is erased. */
async function noteWish(
  { db, now }: Services,
  { leaderboard, player, takesPart, isModerators }: Wish,
): Promise<void> {
  await db.runTransaction(async (transaction) => {
    const paths = [playerStatusPath(leaderboard, player), erasurePath(player)] as const;
    const [kept, erasure] = await documentsAt(db, paths, transaction);
    if (readPlayerStatus(kept.data()) === "banned" && !isModerators)
      throw new FirerankError(
        "player_banned",
        "This player is banned from the leaderboard; nothing was changed.",
      );
    const { has_left: hasLeft, ...standing } = leagueStandingIn(kept.data());
    if (takesPart && hasLeft === true) {
      if (Object.values(standing).every((value) => value === undefined))
        forgetFields(transaction, kept, "league");
      else transaction.update(kept.ref, { "league.has_left": FieldValue.delete() });
    }
    if (takesPart || hasLeft === true) return;
    if (isErased(erasure, leaderboard, now())) throw playerErased(player, leaderboard);
    await requireDefinition(db, leaderboard, transaction);
    transaction.set(kept.ref, { league: { has_left: true } }, { merge: true });
  });
}

/** Hides or shows the player in the group of a week, wherever the player's document says that the seat is. */
async function takePartIn(
  services: Services,
  key: SeasonKey,
  { leaderboard, player, takesPart }: Wish,
  definition: Definition,
): Promise<void> {
  const { db, now } = services;
  await commitPlayers(services, [], async (players) => {
    const { transaction } = players;
    const paths = [playerPath(key, player), playerStatusPath(leaderboard, player)] as const;
    const [document, kept] = await documentsAt(db, paths, players);
    const { docs } = await transaction.get(groupsWith(db, key, [player]));
    const named = leagueSeatIn(document.data());
    // Where no seat was looked for while the player was away, the next score asks for one, or getLeague.
    if (takesPart && named?.has_left === true)
      players.writeUncounted(document, { league_seat: guestsIn(named) });
    for (const found of docs) {
      const group = readGroup(found);
      const held = heldSeat(key, group, player);
      if (group?.unsettled !== true || held === undefined) continue;
      const seat = seatByWish(held.seat, memberIn(document, kept.data()), definition, !takesPart);
      transaction.update(found.ref, {
        [`seats.${held.name}`]: seat,
        readers: seatsListed({ ...group.seats, [held.name]: seat }).readers,
        "pace.written_at": Timestamp.fromMillis(now()),
      });
    }
  });
}
