/** What becomes of a player's memberships when an admin changes the player's status, erases the player, or merges two. */
import { erasurePath, isErased } from "../documents/erasure.ts";
import { type DocumentReference, Timestamp, type Transaction } from "../documents/firestore.ts";
import type { Seat } from "../documents/group.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import {
  memberHash,
  memberSeatUntil,
  membersListed,
  ownEnd,
  type PrivateGroup,
  readPrivateGroup,
  seatNameOf,
} from "../documents/private-group.ts";
import { documentsAt } from "../documents/reads.ts";
import { defined } from "../model/defined.ts";
import type { Definition } from "../model/definition.ts";
import { privateGroupsPerPlayerMax } from "../model/limits.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";
import { memberOf } from "./keep-private.ts";
import { deleteFound, groupsOfPlayer, leave, withoutMember } from "./members.ts";
import { renewPrivateGroup } from "./renew.ts";

/**
 * Takes an erased player out of all private groups of a board. Cost: 1 read for each group, at least 1, and {@link leave}.
 */
export async function leaveAll(services: Services, leaderboard: string, player: string): Promise<void> {
  for (const { id } of await groupsOfPlayer(services, leaderboard, player))
    await leave(services, { leaderboard, group: id }, player, true);
}

/**
 * Makes all private groups of a player anew, after an admin has changed the player's status or another one was merged into
 * the player. Cost: 1 read for each group, at least 1, and {@link renewPrivateGroup}.
 */
export async function renewPrivateGroupsOf(
  services: Services,
  leaderboard: string,
  player: string,
): Promise<void> {
  for (const { id } of await groupsOfPlayer(services, leaderboard, player)) {
    try {
      await renewPrivateGroup(services, leaderboard, id, { player });
    } catch (error) {
      // A damaged group keeps nobody shown in another.
      services.log.error("a private group could not be made anew", {
        leaderboard,
        group: id,
        error: describeError(error),
      });
    }
  }
}

/**
 * Puts a player in another one's place in all private groups of a board, after the two were merged: also above ten groups,
 * unless the other was a guest. In a group that has both, the seat of the one who goes is given up.
 *
 * Cost: 1 read for each group, at least 1; for each 4 reads more, and 1 write.
 * @returns whether the player who goes was in a group
 */
export async function passGroups(
  services: Services,
  leaderboard: string,
  { from, to, isGuest = false }: { from: string; to: string; isGuest?: boolean },
): Promise<boolean> {
  const { db } = services;
  const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
  const passed = await groupsOfPlayer(services, leaderboard, from);
  if (passed.length === 0) return false;
  // Guests are free: who takes in many of them is in no more groups than another.
  const isOpen = ({ group }: { group: PrivateGroup | undefined }) => group?.settled_at === undefined;
  let room = isGuest
    ? privateGroupsPerPlayerMax - (await groupsOfPlayer(services, leaderboard, to)).filter(isOpen).length
    : Infinity;
  for (const { id, ref, ...found } of passed) {
    const hasRoom = !isOpen(found) || room-- > 0;
    const passing = { leaderboard, id, from, to, hasRoom, definition };
    await db.runTransaction(async (transaction) => {
      const group = readPrivateGroup(await transaction.get(ref));
      if (group !== undefined) await passOne(services, transaction, { ...passing, group, ref });
    });
  }
  return true;
}

interface Passing {
  leaderboard: string;
  id: string;
  from: string;
  to: string;
  /** Whether the player who stays may be in another group. */
  hasRoom: boolean;
  definition: Definition;
  group: PrivateGroup;
  ref: DocumentReference;
}

async function passOne(
  services: Services,
  transaction: Transaction,
  { leaderboard, id, from, to, hasRoom, definition, group, ref }: Passing,
): Promise<void> {
  const { db, now } = services;
  const [hash, own] = [memberHash(leaderboard, from), memberHash(leaderboard, to)];
  const [name, ownName] = [seatNameOf(group, hash), seatNameOf(group, own)];
  const seat = name === undefined ? undefined : group.seats[name];
  if (name === undefined || seat === undefined) return;
  const key = { leaderboard, season: group.season };
  const paths = [playerPath(key, to), playerStatusPath(leaderboard, to), erasurePath(to)] as const;
  const [document, kept, erasure] = await documentsAt(db, paths, transaction);
  // Who was merged away and plays on has a document: as a merge of scores has it, the note counts only without one.
  const isGone = !document.exists && isErased(erasure, leaderboard, now());
  if (ownName !== undefined || !hasRoom || isGone) {
    const better = ownName === undefined ? group : withBetter(group, definition, name, ownName);
    const fields = withoutMember(services, better, hash);
    const owned = group.owner === hash && fields.owners.includes(own) ? { owner: own } : {};
    if (fields.owners.length > 0) transaction.update(ref, { ...fields, ...owned });
    else await deleteFound(services, transaction, { leaderboard, group: id }, ref);
    return;
  }
  const { player: _, ...left } = seat;
  const shown = memberSeatUntil(
    { ...left, of: own },
    memberOf(document, kept.data()),
    definition,
    ownEnd(group),
  );
  // The scores of a group that has ended are final.
  const isFinal = group.settled_at !== undefined && shown.player !== undefined;
  const after = isFinal ? { ...seat, of: own, player: to } : shown;
  const owner = group.owner === hash ? own : group.owner;
  transaction.update(ref, {
    ...membersListed({ ...group.seats, [name]: after }, owner),
    "pace.written_at": Timestamp.fromMillis(now()),
  });
}

/**
 * A group in which two members are one: after its end, the seat that stays has the better score and place of the two. Before, the
 * player's document says what the two have. Pure.
 */
function withBetter(
  group: PrivateGroup,
  { order }: Pick<Definition, "order">,
  going: string,
  staying: string,
): PrivateGroup {
  const [from, to] = [group.seats[going], group.seats[staying]];
  const isOver = ownEnd(group) !== undefined || group.settled_at !== undefined;
  if (from?.score === undefined || to === undefined || !isOver) return group;
  const sign = order === "descending" ? 1 : -1;
  if (to.score !== undefined && sign * (from.score - to.score) <= 0) return group;
  const { score, achieved_at, place } = from;
  const better = defined({ ...to, score, achieved_at, place: place ?? to.place }) as Seat;
  return { ...group, seats: { ...group.seats, [staying]: better } };
}
