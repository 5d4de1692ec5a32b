/** What the owner of a private group does with it, or a moderator; and its code. Each is one transaction over the group. */
import { type DocumentReference, Timestamp, type Transaction } from "../documents/firestore.ts";
import { playerStatusPath, privateGroupPath } from "../documents/paths.ts";
import { readPlayerStatus } from "../documents/player.ts";
import { memberHash, type PrivateGroup, readPrivateGroup, seatNameOf } from "../documents/private-group.ts";
import { codesOf } from "../documents/private-group-queries.ts";
import { FirerankError, invalidField } from "../model/errors.ts";
import type { Services } from "../world/services.ts";
import { deleteFound, noGroup, type OfGroup, withoutMember, writeCode } from "./members.ts";

/** A group that a transaction has read, with its codes. */
interface FoundGroup {
  ref: DocumentReference;
  group: PrivateGroup;
}

async function readFound(
  { db }: Services,
  transaction: Transaction,
  { leaderboard, group: id }: OfGroup,
): Promise<FoundGroup> {
  const ref = db.doc(privateGroupPath(leaderboard, id));
  const group = readPrivateGroup(await transaction.get(ref));
  if (group === undefined) throw noGroup(leaderboard, id);
  return { ref, group };
}

/**
 * The code of a group, for those who are members at that moment, and moderators; a new one where somebody has deleted it by
 * hand. Cost: 2 reads, or 1 write more. @throws `group_not_found`
 */
export async function codeOf(services: Services, asked: OfGroup, changer: Changer): Promise<string> {
  const { db } = services;
  const { leaderboard, group: id } = asked;
  return db.runTransaction(async (transaction) => {
    const { group } = await readFound(services, transaction, asked);
    const isMember = seatNameOf(group, memberHash(leaderboard, changer.player)) !== undefined;
    if (!isMember && !changer.isModerator) throw noGroup(leaderboard, id);
    if (!changer.isModerator) await requireNotBanned(services, transaction, leaderboard, changer.player);
    const { docs } = await transaction.get(codesOf(db, leaderboard, id));
    return docs[0]?.id ?? writeCode(services, transaction, leaderboard, id);
  });
}

/** Who changes a group: a player, who must own it, or a moderator. */
export interface Changer {
  player: string;
  isModerator: boolean;
}

/**
 * Cost: 1 read, but for moderators.
 * @throws `group_not_found` for somebody who is no member; `player_banned`; `not_allowed` for a member who does not own the group.
 */
async function requireOwner(
  services: Services,
  transaction: Transaction,
  { leaderboard, group: id }: OfGroup,
  group: PrivateGroup,
  changer: Changer,
): Promise<void> {
  if (changer.isModerator) return;
  const hash = memberHash(leaderboard, changer.player);
  if (seatNameOf(group, hash) === undefined) throw noGroup(leaderboard, id);
  await requireNotBanned(services, transaction, leaderboard, changer.player);
  if (group.owner === hash) return;
  throw new FirerankError(
    "not_allowed",
    "Only the owner of a group does this, or a moderator of the leaderboard.",
  );
}

/** Cost: 1 read. @throws `player_banned` */
async function requireNotBanned(
  { db }: Services,
  transaction: Transaction,
  leaderboard: string,
  player: string,
): Promise<void> {
  const kept = await transaction.get(db.doc(playerStatusPath(leaderboard, player)));
  if (readPlayerStatus(kept.data()) === "banned")
    throw new FirerankError(
      "player_banned",
      "This player is banned from the leaderboard; nothing was changed.",
    );
}

/**
 * Takes a member out, and gives the group another code, as the member knows the one of before.
 *
 * Cost: 3 reads, 2 writes and 1 delete.
 * @returns the new code; the present one where the player is no member. @throws `group_not_found`, `not_allowed`,
 * `player_banned`; `invalid_request` for the only member.
 */
export async function removeMemberOf(
  services: Services,
  asked: OfGroup,
  player: string,
  changer: Changer,
): Promise<string> {
  const { db } = services;
  const { leaderboard } = asked;
  return db.runTransaction(async (transaction) => {
    const { ref, group } = await readFound(services, transaction, asked);
    await requireOwner(services, transaction, asked, group, changer);
    const hash = memberHash(leaderboard, player);
    const { docs } = await transaction.get(codesOf(db, leaderboard, asked.group));
    // The answer of the call before may have been lost.
    if (seatNameOf(group, hash) === undefined)
      return docs[0]?.id ?? writeCode(services, transaction, leaderboard, asked.group);
    const fields = withoutMember(services, group, hash);
    if (fields.owners.length === 0)
      throw invalidField("player", "is the only member; call deleteGroup, or leaveGroup as the member");
    for (const code of docs) transaction.delete(code.ref);
    transaction.update(ref, fields);
    return writeCode(services, transaction, leaderboard, asked.group);
  });
}

/** Gives a group another name. Cost: 2 reads and 1 write. @throws `group_not_found`, `not_allowed`, `player_banned` */
export async function rename(services: Services, asked: OfGroup, name: string, changer: Changer) {
  const { db, now } = services;
  await db.runTransaction(async (transaction) => {
    const { ref, group } = await readFound(services, transaction, asked);
    await requireOwner(services, transaction, asked, group, changer);
    transaction.update(ref, { name, "pace.written_at": Timestamp.fromMillis(now()) });
  });
}

/**
 * Deletes a group with its code; a moderator also a damaged one. Cost: 3 reads and 2 deletes.
 * @throws `group_not_found`, `not_allowed`, `player_banned`
 */
export async function remove(services: Services, asked: OfGroup, changer: Changer): Promise<void> {
  await services.db.runTransaction(async (transaction) => {
    const ref = services.db.doc(privateGroupPath(asked.leaderboard, asked.group));
    const found = await transaction.get(ref);
    const group = readPrivateGroup(found);
    if (!found.exists || (group === undefined && !changer.isModerator))
      throw noGroup(asked.leaderboard, asked.group);
    if (group !== undefined) await requireOwner(services, transaction, asked, group, changer);
    await deleteFound(services, transaction, asked, ref);
  });
}
