/** A player's own group, for `getLeague`: brought up to date, or asked for, where a process has left something behind. */
import { commitPlayers } from "../counting/commit-players.ts";
import {
  confirmedSeat,
  type Group,
  guestsIn,
  heldSeat,
  leagueSeatIn,
  type MemberVersion,
  readGroup,
} from "../documents/group.ts";
import { type LeagueStanding, leagueStandingIn } from "../documents/league-standing.ts";
import { groupPath, playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { groupsWith } from "../documents/groups-with.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { documentsAt } from "../documents/reads.ts";
import type { LeagueAnswer } from "../model/league-answer.ts";
import { boardCacheOf, isOpened } from "../seasons/board.ts";
import type { Board, OpenedBoard } from "../seasons/read-board.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";
import { askForSeats, isInTime, isOfLeague, seatAsked } from "./ask.ts";
import { bringIntoGroup, isBehind, memberIn } from "./keep-group.ts";

/** How often seats are asked for by those who look. */
const asksEveryMs = 10_000;

/**
 * A player's document, standing and group, and the board as it is known then. Cost: 2 reads, and 1 for the group; 2 and 1
 * write more where the group is behind; 2 more where another instance has just opened the week.
 */
export async function readOwnGroup(services: Services, known: Board, player: string) {
  const { key } = known;
  const paths = [playerPath(key, player), playerStatusPath(key.leaderboard, player)] as const;
  const [document, kept] = await documentsAt(services.db, paths);
  const member = memberIn(document, kept.data());
  const isBegun = isOpened(known) || !document.exists;
  const board = isBegun ? known : await readAnew(services, key);
  const found = isOpened(board) ? await groupOf(services, board, member) : undefined;
  return { board, member, standing: leagueStandingIn(kept.data()), found };
}

/** A board whose season this instance remembers as not begun, though somebody has a score in it. */
function readAnew(services: Services, key: SeasonKey): Promise<Board> {
  const boards = boardCacheOf(services);
  boards.forgetSeason(key);
  return boards.load(key);
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
  member: MemberVersion,
): Promise<OwnGroup | undefined> {
  const { db, log } = services;
  const { key, definition } = board;
  const { group: id, seat } = leagueSeatIn(member.data) ?? {};
  if (id === undefined || seat === undefined) return undefined;
  const read = async () => {
    const group = readGroup(await db.doc(groupPath(key, id)).get());
    const own = confirmedSeat(key, group, member.id, seat);
    // Who has left the league is not shown what the others do.
    const isShown = group !== undefined && own !== undefined && own.has_left !== true;
    return isShown ? { id, group, own } : undefined;
  };
  const found = await read();
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
  { id: player, data }: MemberVersion,
  { has_left: hasLeft }: LeagueStanding,
): Promise<NonNullable<LeagueAnswer["why"]>> {
  if (data?.["score"] === undefined) return "no_score";
  if (scoreIfRanked(data) === undefined) return "not_ranked";
  if (hasLeft === true) return "left";
  if (!isOpened(board) || !isOfLeague(board)) return "too_late";
  const isWaiting = leagueSeatIn(data)?.waits === true;
  const asked = isWaiting ? "asked" : await askAgain(services, board, player);
  if (asked === "late") return "too_late";
  // A server, an admin or a merge was first.
  if (asked === "unranked") return "not_ranked";
  // Where nobody could say, whoever looks asks again.
  await askForSeats(services, board.key, asksEveryMs);
  return "seating";
}

/**
 * Asks for a seat where a player's document asks for none, and names none that a group confirms. Where it is too late for a
 * new seat, the document names the one that the player has: a server may have replaced it. Cost: 1 read, where it is too
 * late 1 more, and 1 write where the document changes.
 * @returns `asked` where the player has a seat, or waits for one; `late` where there is none any more; `unranked` where the
 * document is gone, or is not ranked; undefined where the database has refused to say
 */
export async function askAgain(
  services: Services,
  board: OpenedBoard,
  player: string,
): Promise<"asked" | "late" | "unranked" | undefined> {
  const { db, log, now } = services;
  const { key, season } = board;
  if (season.status !== "open") return "late";
  try {
    return await commitPlayers(services, [board], async (players) => {
      const [found] = await players.getAll(db.doc(playerPath(key, player)));
      if (found === undefined || scoreIfRanked(found.data()) === undefined) return "unranked";
      const before = leagueSeatIn(found.data());
      if (before?.waits === true) return "asked";
      const guests = guestsIn(before);
      if (isInTime(board, now())) {
        const asked = seatAsked(board, { ...found.data(), league_seat: guests }, now());
        if (asked.league_seat === undefined) return "late";
        players.writeUncounted(found, asked);
        return "asked";
      }
      if (season.league === undefined) return "late";
      const { docs } = await players.transaction.get(groupsWith(db, key, [player]));
      const [held] = docs.flatMap((document) => {
        const seat = heldSeat(key, readGroup(document), player);
        return seat === undefined ? [] : [{ group: document.id, seat: seat.name, ...guests }];
      });
      if (held === undefined) return "late";
      players.writeUncounted(found, { league_seat: held });
      return "asked";
    });
  } catch (error) {
    // A server may have filled the document.
    log.error("a seat could not be asked for", { ...key, player, cause: describeError(error) });
    return undefined;
  }
}
