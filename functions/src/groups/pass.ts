/** What becomes of a player's memberships when an admin changes the player's status, erases the player, or merges two. */
import { erasurePath, isErased } from "../documents/erasure.ts";
import { type DocumentReference, FieldValue, Timestamp, type Transaction } from "../documents/firestore.ts";
import { type Seat, seatName } from "../documents/group.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import {
  memberHash,
  memberSeatUntil,
  membersListed,
  isOver,
  ownEnd,
  type PrivateGroup,
  readPrivateGroup,
  seatNameOf,
} from "../documents/private-group.ts";
import { openGroupsOf } from "../documents/private-group-queries.ts";
import { documentsAt } from "../documents/reads.ts";
import { defined } from "../model/defined.ts";
import type { Definition } from "../model/definition.ts";
import { privateGroupsPerPlayerMax, readConcurrencyMax } from "../model/limits.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { inPool } from "../world/pool.ts";
import type { Services } from "../world/services.ts";
import { memberOf } from "./keep-private.ts";
import { deleteFound, groupsOfPlayer, leave, withoutMember } from "./members.ts";
import { renewPrivateGroup } from "./renew.ts";

/**
 * Takes an erased player out of all private groups of a board. Cost: 1 read for each group, at least 1, and {@link leave}.
 */
export async function leaveAll(services: Services, leaderboard: string, player: string): Promise<void> {
  const groups = await groupsOfPlayer(services, leaderboard, player);
  await inPool(groups, readConcurrencyMax, ({ id }) =>
    leave(services, { leaderboard, group: id }, player, true),
  );
}

/**
 * Makes all private groups of a player anew, after an admin has changed the player's status or another one was merged into
 * the player. Cost: 1 read for each group, at least 1, and {@link renewPrivateGroup}.
 * @throws the first error, after all other groups
 */
export async function renewPrivateGroupsOf(
  services: Services,
  leaderboard: string,
  player: string,
): Promise<void> {
  const failures: unknown[] = [];
  // A player may have been in thousands of groups that have ended.
  await inPool(await groupsOfPlayer(services, leaderboard, player), readConcurrencyMax, async ({ id }) => {
    try {
      await renewPrivateGroup(services, leaderboard, id, { player });
    } catch (error) {
      // One group keeps nobody shown in another.
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
}

/**
 * Shows a player by another name in the groups that have not ended, or by none: a group keeps a name that no document has,
 * as it was told with the call that joined, or with a score of an earlier season. Cost: 1 read for each group, at least 1, and
 * 1 write for each that shows another name.
 */
export async function nameInGroups(
  { db, now }: Services,
  leaderboard: string,
  player: string,
  name: string | null,
): Promise<void> {
  const hash = memberHash(leaderboard, player);
  await db.runTransaction(async (transaction) => {
    const { docs } = await transaction.get(openGroupsOf(db, leaderboard, hash));
    for (const found of docs) {
      const group = readPrivateGroup(found);
      const place = group && seatNameOf(group, hash);
      const seat = place === undefined ? undefined : group?.seats[place];
      const shown = seatName(name ?? undefined);
      // Of somebody who is hidden no name is kept.
      if (seat?.player === undefined || seat.display_name === shown) continue;
      transaction.update(found.ref, {
        [`seats.${place}.display_name`]: shown ?? FieldValue.delete(),
        "pace.written_at": Timestamp.fromMillis(now()),
      });
    }
  });
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
    isOver(group, now()),
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
  const hasEnd = ownEnd(group) !== undefined || group.settled_at !== undefined;
  if (from?.score === undefined || to === undefined || !hasEnd) return group;
  const sign = order === "descending" ? 1 : -1;
  if (to.score !== undefined && sign * (from.score - to.score) <= 0) return group;
  const { score, achieved_at, place } = from;
  const better = defined({ ...to, score, achieved_at, place: place ?? to.place }) as Seat;
  return { ...group, seats: { ...group.seats, [staying]: better } };
}
