/**
 * The calls about private groups: friends, a class, an office. Each call rejects with a FirerankError. The board has to have
 * `private_groups`; others refuse with `invalid_request`. Costs are the document reads and writes of the functions. The last
 * argument of each call says how long the call may take, and what ends the call.
 *
 * A call that changes a group is sent again like a score if the network, a token or the database fails, and takes at most 30 s
 * with all attempts: done twice, it is done once.
 */
import { asPlayer, attemptMs } from "./as-player.ts";
import { memoryOf } from "./board-memory.ts";
import { call, callAbout } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import { toFirerankError } from "./firerank-error.ts";
import type { Group, GroupJoined, GroupLeft, GroupMade, MemberRemoved, MyGroups } from "./group-answers.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { isPassing } from "./retries.ts";

/** A group to make. */
export interface NewGroup {
  /** At most 64 characters. */
  name: string;
  /** How many members the group may have, 2 to 100; by default 100. */
  size?: number | undefined;
  /** When the group ends, as an ISO 8601 time; left out, it goes on from season to season. Not for a group of a tournament. */
  ends_at?: string | undefined;
  /** How the group shows the player until a score of the season has a name. */
  display_name?: string | undefined;
}

/** How to join a group. */
export interface JoinRequest {
  /** As `createGroup` answers it. Small letters, spaces and hyphens make no difference. */
  code: string;
  /** How the group shows the player until a score of the season has a name. */
  display_name?: string | undefined;
}

/** What is asked of a group. */
export interface GroupRequest {
  /** By default the season or span that the board names, or else the present season of the group's own span. */
  season?: string | undefined;
  /** A span, for its running season. Not together with `season`. */
  span?: string | undefined;
  /** Whether to answer the code with which others join. */
  with_code?: boolean | undefined;
  /** A member, for moderators; by default the caller. */
  player?: string | undefined;
}

/** Whose groups are asked for. */
export interface MyGroupsRequest {
  /** Another player, for servers and moderators; by default the caller. */
  player?: string | undefined;
}

/**
 * Makes a private group, with the signed-in player as its first member and owner. It goes through the seasons of the span that
 * the board names, by default the board's first; or it ends with the tournament that the board names as its `season`.
 *
 * Cost: 3 reads, 1 for each group of the player, at least 1, and 2 writes.
 * @returns the group with the code with which others join.
 * @throws FirerankError `invalid_request` in ten groups already, and for the name of another own group that is not over;
 * `season_not_found`, `player_banned`
 * @example const { group, code } = await createGroup(board, { name: "Friends" });
 */
export function createGroup(board: Leaderboard, group: NewGroup, options?: CallOptions): Promise<GroupMade> {
  const { season, span } = board;
  // As everywhere, `all_time` is the only season of its span.
  const when = season === "all_time" ? { span: season } : { season, span };
  return change(board, "createGroup", { ...when, ...group }, options);
}

/**
 * Makes the signed-in player a member of the group to which a code leads. A member stays one. Watchers of the group in this app
 * start again.
 *
 * Cost: 5 reads, 1 for each group of the player, at least 1, and 1 write. A code that leads nowhere 1 read.
 * @throws FirerankError `group_not_found` for a code that leads nowhere; `too_frequent` after ten of them in a minute;
 * `group_full`, `group_ended`; `invalid_request` in ten groups already; `player_banned`
 * @example const { group } = await joinGroup(board, { code: "7KQ2-M9XD-4TPAW", display_name: "Ann" });
 */
export async function joinGroup(
  board: Leaderboard,
  request: JoinRequest,
  options?: CallOptions,
): Promise<GroupJoined> {
  const joined = await change<GroupJoined>(board, "joinGroup", request, options);
  for (const hear of memoryOf(board).groupWatchers ?? []) hear(joined.group);
  return joined;
}

/**
 * Takes the signed-in player out of a group. The owner's group passes to the member who came first, and with the last member
 * the group goes.
 *
 * Cost: 1 read and 1 write.
 */
export function leaveGroup(board: Leaderboard, group: string, options?: CallOptions): Promise<GroupLeft> {
  return change<GroupLeft>(board, "leaveGroup", { group }, options, { group });
}

/**
 * Takes a member out of a group, and gives the group another code. The owner or a moderator calls. For somebody who is no
 * member any more it answers the present code.
 *
 * Cost: 3 reads, 2 writes and 1 delete.
 * @throws FirerankError `not_allowed`, `group_not_found`; `player_banned`; `invalid_request` for the only member
 */
export function removeMember(
  board: Leaderboard,
  group: string,
  player: string,
  options?: CallOptions,
): Promise<MemberRemoved> {
  return change(board, "removeMember", { group, player }, options);
}

/**
 * Gives a group another name. The owner or a moderator calls.
 *
 * Cost: 2 reads and 1 write.
 * @param name at most 64 characters.
 * @throws FirerankError `not_allowed`, `group_not_found`
 */
export function renameGroup(
  board: Leaderboard,
  group: string,
  name: string,
  options?: CallOptions,
): Promise<GroupJoined> {
  return change(board, "renameGroup", { group, name }, options);
}

/**
 * Deletes a group with its code. The owner or a moderator calls.
 *
 * Cost: 3 reads and 2 deletes.
 * @throws FirerankError `not_allowed`, `group_not_found`
 */
export function deleteGroup(board: Leaderboard, group: string, options?: CallOptions): Promise<GroupLeft> {
  return change<GroupLeft>(board, "deleteGroup", { group }, options, { group });
}

/**
 * A private group of the signed-in player: its members by place, with their scores of a season. Moderators see every group. On
 * a board that names neither season nor span the season is the group's own, as `watchGroup` has it.
 *
 * Cost: 2 reads; 1 for each member where another season is asked for; 3 more with `with_code`.
 * @throws FirerankError `group_not_found` for a caller who is no member
 * @example const { entries, code } = await getGroup(board, group, { with_code: true });
 */
export function getGroup(
  board: Leaderboard,
  group: string,
  request: GroupRequest = {},
  options?: CallOptions,
): Promise<Group> {
  return callAbout(board, "getGroup", { group, ...request }, options);
}

/**
 * The private groups of a board in which the signed-in player is, by name, also those that have ended.
 *
 * Cost: 1 read for each, at least 1.
 */
export function getMyGroups(
  board: Leaderboard,
  request: MyGroupsRequest = {},
  options?: CallOptions,
): Promise<MyGroups> {
  return call(board, "getMyGroups", request, options);
}

/**
 * Sends a change as the signed-in player, until it is answered.
 * @param ifGone the answer where an attempt without an answer may have been the one that took the group away.
 */
async function change<Answer>(
  board: Leaderboard,
  name: string,
  request: object,
  options: CallOptions = {},
  ifGone?: Answer,
): Promise<Answer> {
  let mayBeDone = false;
  const send = () =>
    call<Answer>(board, name, request, { timeoutMs: attemptMs }).catch((cause: unknown) => {
      const error = toFirerankError(name, cause);
      if (mayBeDone && ifGone !== undefined && error.code === "group_not_found") return ifGone;
      mayBeDone ||= isPassing(error);
      throw error;
    });
  try {
    const { answer } = await asPlayer(name, board, options, async (player = "") => ({
      player,
      answer: await send(),
    }));
    return answer;
  } catch (error) {
    throw toFirerankError(name, error);
  }
}
