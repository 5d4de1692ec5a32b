/** A player's own group, for `getLeague`: brought up to date, or asked for, where a process has left something behind. */
import { commitPlayers } from "../counting/commit-players.ts";
import type { DocumentSnapshot } from "../documents/firestore.ts";
import { confirmedSeat, type Group, type LeagueSeat, leagueSeatIn, readGroup } from "../documents/group.ts";
import { leagueStandingIn } from "../documents/league-standing.ts";
import { groupPath, playerPath, playerStatusPath } from "../documents/paths.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { documentsAt } from "../documents/reads.ts";
import type { LeagueAnswer } from "../model/league-answer.ts";
import { isOpened } from "../seasons/board.ts";
import type { Board, OpenedBoard } from "../seasons/read-board.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";
import { askForSeats, isInTime, isOfLeague, seatAsked } from "./ask.ts";
import { bringIntoGroup, isBehind } from "./keep-group.ts";

/** How often seats are asked for by those who look. */
const asksEveryMs = 10_000;

/** A player's document, standing and group. Cost: 2 reads, and 1 for the group; 2 and 1 write more where the group is behind. */
export async function readOwnGroup(services: Services, board: Board, player: string) {
  const { key } = board;
  const paths = [playerPath(key, player), playerStatusPath(key.leaderboard, player)] as const;
  const [document, kept] = await documentsAt(services.db, paths);
  const found = isOpened(board) ? await groupOf(services, board, document) : undefined;
  return { document, standing: leagueStandingIn(kept.data()), found };
}

/** The group in which a player has a seat. */
interface OwnGroup {
  id: string;
  group: Group;
}

/** The group that has a seat for a player, brought up to date with the player's document. */
async function groupOf(
  services: Services,
  board: OpenedBoard,
  document: DocumentSnapshot,
): Promise<OwnGroup | undefined> {
  const { db, log } = services;
  const { key, definition } = board;
  const { group: id, seat } = leagueSeatIn(document.data()) ?? {};
  if (id === undefined || seat === undefined) return undefined;
  const read = async () => {
    const group = readGroup(await db.doc(groupPath(key, id)).get());
    const own = confirmedSeat(groupPath(key, id), group, document.id, seat);
    // Who has left the league is not shown what the others do.
    const isShown = group !== undefined && own !== undefined && own.has_left !== true;
    return isShown ? { id, group, own } : undefined;
  };
  const found = await read();
  const member = {
    id: document.id,
    data: document.data(),
    version: document.updateTime ?? document.readTime,
  };
  if (found === undefined || !isBehind(found.group, found.own, member, definition)) return found;
  try {
    await bringIntoGroup(services, key, { group: id, seat }, member, true);
  } catch (error) {
    // The answer shows the group as it is.
    log.error("a group is behind a member's document", { ...key, group: id, cause: describeError(error) });
  }
  return (await read()) ?? found;
}

/** Why a player is in no group. Whoever should be in one is asked for. */
export async function whyNoGroup(
  services: Services,
  board: Board,
  document: DocumentSnapshot,
  hasLeft: boolean,
): Promise<NonNullable<LeagueAnswer["why"]>> {
  const data = document.data();
  if (data?.["score"] === undefined) return "no_score";
  if (scoreIfRanked(data) === undefined) return "not_ranked";
  if (hasLeft) return "left";
  const isWaiting = leagueSeatIn(data)?.waits === true;
  if (!isOpened(board) || !isOfLeague(board)) return "too_late";
  if (!isWaiting && !(await askAgain(services, board, document))) return "too_late";
  await askForSeats(services, board.key, asksEveryMs);
  return "seating";
}

/**
 * Asks for a seat where a player's document asks for none, and names none that a group confirms. @returns whether it does now
 */
async function askAgain(
  services: Services,
  board: OpenedBoard,
  document: DocumentSnapshot,
): Promise<boolean> {
  if (!isInTime(board, services.now())) return false;
  return commitPlayers(services, [board], async (players) => {
    const [found] = await players.getAll(document.ref);
    const before: LeagueSeat | undefined = leagueSeatIn(found?.data());
    if (found === undefined || before?.waits === true) return before?.waits === true;
    const { league_seat: _, ...data } = found.data() ?? {};
    const asked = seatAsked(board, data, services.now());
    if (asked.league_seat === undefined) return false;
    players.writeUncounted(found, asked);
    return true;
  });
}
