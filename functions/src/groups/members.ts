/** Who is in a private group: making one, joining, leaving, and what the owner does. Each is one transaction over the group. */
import { erasurePath, isErased, playerErased } from "../documents/erasure.ts";
import {
  type DocumentReference,
  type DocumentSnapshot,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import { type MemberVersion, type Seat, seatName, seatErased } from "../documents/group.ts";
import {
  definitionPath,
  groupCodePath,
  playerPath,
  playerStatusPath,
  privateGroupPath,
  type SeasonKey,
} from "../documents/paths.ts";
import { readPlayerStatus, writtenAt } from "../documents/player.ts";
import {
  isOver,
  memberHash,
  memberSeatUntil,
  membersListed,
  ownEnd,
  type PrivateGroup,
  readPrivateGroup,
  seatNameOf,
} from "../documents/private-group.ts";
import { codesOf, endedGroupsOf, openGroupsOf, privateGroupsOf } from "../documents/private-group-queries.ts";
import { documentsAt, readTogether } from "../documents/reads.ts";
import { boardNotFound, FirerankError, invalidField } from "../model/errors.ts";
import type { Instant } from "../model/instant.ts";
import { privateGroupsPerPlayerMax } from "../model/limits.ts";
import { spanOfId } from "../model/season-id.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { definedIn } from "../seasons/read-board.ts";
import type { Services } from "../world/services.ts";
import { newCode } from "./codes.ts";
import { memberOf } from "./keep-private.ts";
import { seasonNow } from "./season-now.ts";

/** The error for a group that is not there, or that is none of the caller's business. */
export function noGroup(leaderboard: string, group: string): FirerankError {
  return new FirerankError(
    "group_not_found",
    `You are in no group "${group}" of leaderboard "${leaderboard}". getMyGroups lists yours.`,
  );
}

/** The error for a board that has no private groups. */
export function withoutGroups(leaderboard: string): FirerankError {
  const why = `the definition of "${leaderboard}" has no \`private_groups: true\`, or not for a minute yet`;
  return invalidField("leaderboard", `has no private groups: ${why}; boards of templates have none`);
}

/** A player who makes or joins a group, as the transaction has read the player. */
interface Newcomer {
  member: MemberVersion;
  /** The player's groups that have not ended. */
  groups: { id: string; group: PrivateGroup }[];
}

/**
 * Reads who would be a member. Cost: 3 reads, and 1 for each group of the player, at least 1.
 * @throws `player_banned`, `player_erased`
 */
async function readNewcomer(
  { db, now }: Services,
  transaction: Transaction,
  key: SeasonKey,
  player: string,
): Promise<Newcomer> {
  const { leaderboard } = key;
  const paths = [
    playerPath(key, player),
    playerStatusPath(leaderboard, player),
    erasurePath(player),
  ] as const;
  const [document, kept, erasure] = await documentsAt(db, paths, transaction);
  if (isErased(erasure, leaderboard, now())) throw playerErased(player, leaderboard);
  if (readPlayerStatus(kept.data()) === "banned" || document.get("status") === "banned")
    throw new FirerankError(
      "player_banned",
      "This player is banned from the leaderboard, and joins no group.",
    );
  const own = await transaction.get(openGroupsOf(db, leaderboard, memberHash(leaderboard, player)));
  const groups = own.docs.flatMap((found) => {
    const group = readPrivateGroup(found);
    return group === undefined ? [] : [{ id: found.id, group }];
  });
  // Of who has no document an event may still come of one that was there before.
  const version = writtenAt(document);
  return { member: { ...memberOf(document, kept.data()), version }, groups };
}

/** @throws `invalid_request` where the player is in as many groups as may be */
function requireRoom(groups: readonly unknown[]): void {
  if (groups.length >= privateGroupsPerPlayerMax)
    throw invalidField(
      "leaderboard",
      `has ${privateGroupsPerPlayerMax} groups of this player already; leave one first`,
    );
}

/** The seat of a new member. The name is the player's own, or else the one that the call has. */
async function newSeat(
  services: Services,
  key: SeasonKey,
  { member }: Newcomer,
  { name, endsAt }: { name: string | undefined; endsAt: Timestamp | undefined },
): Promise<Seat> {
  const { definition } = await boardCacheOf(services).load(key);
  const of = memberHash(key.leaderboard, member.id);
  const seat = memberSeatUntil({ of, version: member.version }, member, definition, endsAt);
  const shownAs = seat.display_name ?? seatName(name);
  return seat.player === undefined || shownAs === undefined ? seat : { ...seat, display_name: shownAs };
}

export interface GroupToMake {
  /** The season whose scores the group shows first, as the instance remembers the board's calendar. */
  key: SeasonKey;
  player: string;
  name: string;
  size: number;
  display_name?: string | undefined;
  /** When it ends, and whether by itself or with its tournament. */
  ends: { at: Instant | null; byItself: boolean };
  /** Why no new group may be made, if so. A call that is repeated gets the group that it has made, all the same. */
  refusal?: FirerankError | undefined;
}

/** Whether a group is what a call has made that is repeated now. Pure. */
function isMadeBy({ size, key, ends }: GroupToMake, group: PrivateGroup): boolean {
  const span = spanOfId(key.season);
  if (group.size !== size || spanOfId(group.season) !== span) return false;
  if (span === "custom") return group.season === key.season;
  const ownEndMs = ownEnd(group)?.toMillis();
  return ends.byItself ? ownEndMs === ends.at?.toMillis() : ownEndMs === undefined;
}

/**
 * The season that a new group shows first: an instance may remember a board that is deleted, groups that were switched off, or
 * another calendar. Cost: 1 read. @throws `leaderboard_not_found`; `invalid_request` where the board has no private groups.
 */
async function firstSeason(
  { db, now }: Services,
  transaction: Transaction,
  { key: { leaderboard, season }, ends: { at } }: GroupToMake,
): Promise<SeasonKey> {
  const definition = await transaction.get(db.doc(definitionPath(leaderboard)));
  if (!definition.exists) throw boardNotFound(leaderboard);
  if (definition.get("private_groups") !== true) throw withoutGroups(leaderboard);
  const group = { season, seats: {}, ends_at: at === null ? null : Timestamp.fromMillis(at.toMillis()) };
  return {
    leaderboard,
    season: seasonNow(definedIn(leaderboard, definition), leaderboard, group, now()),
  };
}

/**
 * Makes a group with its first member, who owns it. A call that is repeated gets the same group.
 *
 * Cost: 4 reads, 1 for each open group of the player, at least 1, and 2 writes; 1 read in place of the writes for a repeated call.
 * @throws `leaderboard_not_found`, `player_banned`, `player_erased`, the refusal; `invalid_request` where the board has no private
 * groups any more, and where the player is in ten groups, or owns another one of the same name whose end is not past.
 */
export async function makeGroup(
  services: Services,
  asked: GroupToMake,
): Promise<{ group: string; code: string }> {
  const { db, now, newId, endWaitMs } = services;
  const { player, name, size, ends } = asked;
  const { leaderboard } = asked.key;
  const endsAt = ends.at === null ? null : Timestamp.fromMillis(ends.at.toMillis());
  const id = newId();
  return db.runTransaction(async (transaction) => {
    const key = await firstSeason(services, transaction, asked);
    const newcomer = await readNewcomer(services, transaction, key, player);
    const hash = memberHash(leaderboard, player);
    const named = newcomer.groups.filter(({ group }) => group.owner === hash && group.name === name);
    const same = named.find(({ group }) => isMadeBy(asked, group));
    if (same !== undefined) {
      const { docs } = await transaction.get(codesOf(db, leaderboard, same.id));
      return { group: same.id, code: docs[0]?.id ?? writeCode(services, transaction, leaderboard, same.id) };
    }
    if (asked.refusal !== undefined) throw asked.refusal;
    if (named.some(({ group }) => (group.ends_at?.toMillis() ?? Infinity) > now()))
      throw invalidField(
        "name",
        "is the name of a group that you own: take another name, or delete that group",
      );
    requireRoom(newcomer.groups);
    const seat = await newSeat(services, key, newcomer, {
      name: asked.display_name,
      endsAt: ends.byItself ? (endsAt ?? undefined) : undefined,
    });
    const group: PrivateGroup = {
      ...membersListed({ s1: seat }, hash),
      name,
      size,
      season: key.season,
      seated: 1,
      unsettled: true,
      ends_at: endsAt,
      ...(ends.byItself &&
        endsAt !== null && { end_due_at: Timestamp.fromMillis(endsAt.toMillis() + endWaitMs) }),
      pace: { written_at: Timestamp.fromMillis(now()) },
    };
    transaction.create(db.doc(privateGroupPath(leaderboard, id)), group);
    return { group: id, code: writeCode(services, transaction, leaderboard, id) };
  });
}

/** Gives a group a new code. Cost: 1 write. */
export function writeCode(
  { db, newId }: Services,
  transaction: Transaction,
  leaderboard: string,
  group: string,
): string {
  const code = newCode(newId);
  transaction.create(db.doc(groupCodePath(leaderboard, code)), { group });
  return code;
}

export interface Joining {
  leaderboard: string;
  player: string;
  /** As it is stored. */
  code: string;
  display_name?: string | undefined;
}

/**
 * Attempts of a transaction that joins, as a whole class may at once. The client library waits 21 s between seven, give or
 * take half, and 80 s between ten, which is longer than the call may take.
 */
const joinAttemptsMax = 7;

/**
 * Makes a player a member of the group to which a code leads; nothing changes for a member.
 *
 * Cost: 1 read for the code and 1 for the group; 3 more, 1 for each group of the player, at least 1, and 1 write.
 * @returns undefined where the code leads to no group of the board.
 * @throws `group_full`, `group_ended`, `player_banned`, `player_erased`; `invalid_request` where the player is in ten groups.
 */
export async function joinByCode(
  services: Services,
  { leaderboard, player, code, display_name }: Joining,
): Promise<{ group: string; name: string } | undefined> {
  const { db, now } = services;
  return db.runTransaction(
    async (transaction) => {
      const id: unknown = (await transaction.get(db.doc(groupCodePath(leaderboard, code)))).get("group");
      if (typeof id !== "string") return undefined;
      const ref = db.doc(privateGroupPath(leaderboard, id));
      const group = readPrivateGroup(await transaction.get(ref));
      if (group === undefined) return undefined;
      const { name, seats } = group;
      const hash = memberHash(leaderboard, player);
      if (seatNameOf(group, hash) !== undefined) return { group: id, name };
      const key = { leaderboard, season: group.season };
      const { season } = await boardCacheOf(services).load(key);
      const isClosed =
        spanOfId(group.season) === "custom" && (season?.closes_at?.toMillis() ?? Infinity) <= now();
      if (isOver(group, now()) || isClosed)
        throw new FirerankError("group_ended", `The group "${name}" has ended.`);
      if (group.owners.length >= group.size)
        throw new FirerankError("group_full", `The group "${name}" is full: it has ${group.size} members.`);
      const newcomer = await readNewcomer(services, transaction, key, player);
      requireRoom(newcomer.groups);
      const seat = await newSeat(services, key, newcomer, { name: display_name, endsAt: ownEnd(group) });
      const seated = group.seated + 1;
      transaction.update(ref, {
        ...membersListed({ ...seats, [`s${seated}`]: seat }, group.owner),
        seated,
        "pace.written_at": Timestamp.fromMillis(now()),
      });
      return { group: id, name };
    },
    { maxAttempts: joinAttemptsMax },
  );
}

/** What a member, the owner or a moderator does to a group. */
export interface OfGroup {
  leaderboard: string;
  group: string;
}

/**
 * Takes a member out of a group; nothing changes for somebody who is no member. The owner's part passes to who came first.
 * With the last member the group goes. In a group that has ended the place stays, without the player.
 *
 * Cost: 1 read and 1 write; with the last member 1 read and 2 deletes. A damaged group, which nobody can read, is deleted where
 * the player is erased.
 */
export async function leave(
  services: Services,
  asked: OfGroup,
  player: string,
  isErased = false,
): Promise<void> {
  const { db } = services;
  const ref = db.doc(privateGroupPath(asked.leaderboard, asked.group));
  await db.runTransaction(async (transaction) => {
    const found = await transaction.get(ref);
    const group = readPrivateGroup(found);
    const hash = memberHash(asked.leaderboard, player);
    if (group === undefined && found.exists && isErased)
      return deleteFound(services, transaction, asked, ref);
    if (group === undefined || seatNameOf(group, hash) === undefined) return;
    const fields = withoutMember(services, group, hash);
    if (fields.owners.length > 0) transaction.update(ref, fields);
    else await deleteFound(services, transaction, asked, ref);
  });
}

export function withoutMember({ now }: Services, group: PrivateGroup, hash: string) {
  const name = seatNameOf(group, hash) ?? "";
  const { [name]: seat, ...others } = group.seats;
  const keepsPlace = group.settled_at !== undefined && seat !== undefined;
  const seats = keepsPlace ? { ...others, [name]: seatErased(seat) } : others;
  return { ...membersListed(seats, group.owner), "pace.written_at": Timestamp.fromMillis(now()) };
}

export async function deleteFound(
  { db }: Services,
  transaction: Transaction,
  { leaderboard, group }: OfGroup,
  ref: DocumentReference,
): Promise<void> {
  const { docs } = await transaction.get(codesOf(db, leaderboard, group));
  for (const code of docs) transaction.delete(code.ref);
  transaction.delete(ref);
}

/** All private groups of a player. Cost: 1 read each, at least 1. */
export async function groupsOfPlayer({ db }: Services, leaderboard: string, player: string) {
  const { docs } = await privateGroupsOf(db, leaderboard, memberHash(leaderboard, player)).get();
  return docs.map(foundGroup);
}

/** The private groups of a player that have not ended, and the last that have. Cost: 1 read each, at least 2. */
export async function lastGroupsOfPlayer({ db }: Services, leaderboard: string, player: string) {
  const hash = memberHash(leaderboard, player);
  const queries = [openGroupsOf(db, leaderboard, hash), endedGroupsOf(db, leaderboard, hash)];
  // Of one moment: a group that ends between two is in neither, or in both.
  const found = await readTogether(db, (transaction) =>
    Promise.all(queries.map((query) => transaction.get(query))),
  );
  return found.flatMap(({ docs }) => docs).map(foundGroup);
}

const foundGroup = (found: DocumentSnapshot) => ({
  id: found.id,
  ref: found.ref,
  group: readPrivateGroup(found),
});
