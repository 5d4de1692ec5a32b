/**
 * Keeps groups up to date: after the commit of a change, and before the call answers. A score's commit itself knows
 * nothing of groups, so no two players ever wait for each other because of one.
 *
 * While a group is quiet, its change is written by a transaction of its own. A group that was written just now, or that
 * another transaction was first to write, gets a task at the end of a window, which reads all members; the window widens
 * as that of a top (top/pace.ts). What a process leaves behind that dies in between is made up for by the member's next
 * score, by the member's own getLeague, and at the end by settling, which reads the players.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp, type Transaction } from "../documents/firestore.ts";
import {
  confirmedSeat,
  type Group,
  leagueSeatIn,
  type MemberVersion,
  readGroup,
  type Seat,
  seatAfter,
  seatOwner,
} from "../documents/group.ts";
import { groupPath, type SeasonKey } from "../documents/paths.ts";
import type { ChangedPlayer } from "../documents/player.ts";
import { groupsShowing, playersOfGroup } from "../documents/queries.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import type { Definition } from "../model/definition.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { PlayerSeason } from "../seasons/player-seasons.ts";
import { paceAfter, paceIn, windowNow } from "../top/pace.ts";
import { isBeaten } from "../world/retryable.ts";
import type { Services } from "../world/services.ts";
import { askForGroup, askForSeats, isGroupAsked } from "./ask.ts";

/** How long changes of a group gather at least, where they follow each other. */
export const groupWindowMs = 2_000;

/**
 * Brings a player's change into the group, or requests a seat for a first score. Cost: nothing for a player without a
 * seat, and where nothing changed that a group shows. While the group is quiet 1 read and 1 write; else 1 read, or
 * nothing while this instance has requested the refresh, and 1 call of the queue.
 */
export async function keepGroupLive(services: Services, change: ChangedPlayer): Promise<void> {
  const { key, document, before, after } = change;
  const [was, now] = [leagueSeatIn(before), leagueSeatIn(after)];
  if (now?.waits === true && was?.waits !== true) return askForSeats(services, key);
  if (now?.group === undefined || now.seat === undefined || isSameInGroup(before, after)) return;
  const version = document.updateTime ?? document.readTime;
  const { group, seat } = now;
  await bringIntoGroup(services, key, { group, seat }, { id: document.id, data: after, version });
}

/** Whether a group shows the same of both. */
function isSameInGroup(before: ChangedPlayer["before"], after: ChangedPlayer["after"]): boolean {
  const shown = ["score", "achieved_at", "display_name", "status", "league_seat"];
  return shown.every((name) => isDeepStrictEqual(before?.[name], after?.[name]));
}

/**
 * Writes a member's change into a group that is quiet, or requests a refresh. Cost: see {@link keepGroupLive}.
 * @param member with the version that the change has replaced; or as it was read, where `isRead`.
 */
export async function bringIntoGroup(
  services: Services,
  key: SeasonKey,
  { group, seat }: { group: string; seat: string },
  member: MemberVersion,
  isRead = false,
): Promise<void> {
  if (isGroupAsked(services, key, group)) return;
  const { definition } = await boardCacheOf(services).load(key);
  let windowMs: number | undefined;
  try {
    windowMs = await services.db.runTransaction(
      (transaction) => writeIfQuiet(services, transaction, { key, group, seat, member, isRead, definition }),
      { maxAttempts: 1 },
    );
  } catch (error) {
    if (!isBeaten(error)) throw error;
    windowMs = groupWindowMs;
  }
  if (windowMs !== undefined) await askForGroup(services, key, group, windowMs);
}

/** Whether a seat shows another state of its player than the player's document, which was read before the group. */
export function isBehind(
  { settled_at: settledAt }: Pick<Group, "settled_at">,
  seat: Seat,
  member: MemberVersion,
  definition: Pick<Definition, "decimals">,
): boolean {
  if (settledAt !== undefined || member.version <= seat.version) return false;
  const { version: _, ...shown } = seat;
  const { version: _now, ...now } = seatAfter(seat, member, definition);
  return !isDeepStrictEqual(shown, now);
}

interface MemberChange {
  key: SeasonKey;
  group: string;
  seat: string;
  member: MemberVersion;
  isRead: boolean;
  definition: Definition;
}

/** @returns the window after which to refresh the group, if it is not quiet. */
async function writeIfQuiet(
  { db, now }: Services,
  transaction: Transaction,
  { key, group, seat, member, isRead, definition }: MemberChange,
): Promise<number | undefined> {
  const path = groupPath(key, group);
  const found = readGroup(await transaction.get(db.doc(path)));
  const before = confirmedSeat(path, found, member.id, seat);
  if (found === undefined || before === undefined || found.settled_at !== undefined) return undefined;
  // A later change is there already. The change of a version is later than what was read of it.
  const isOld = isRead ? member.version <= before.version : member.version < before.version;
  if (isOld) return undefined;
  const windowMs = windowNow(groupWindowMs, paceIn(found.pace), now());
  if (now() - found.pace.written_at.toMillis() < windowMs) return windowMs;
  const after = seatAfter(before, member, definition);
  transaction.update(db.doc(path), {
    [`seats.${seat}`]: after,
    readers: readersOf({ ...found.seats, [seat]: after }),
    "pace.written_at": Timestamp.fromMillis(now()),
  });
  return undefined;
}

/**
 * Makes a group anew from the documents of its members. In a settled group, only who is shown changes.
 * Cost: 1 read, 1 for each member, at least 1, and 1 write; nothing written where there is no group.
 * @param dueMs when the refresh was due, if it follows changes: such refreshes set the pace of the next.
 */
export async function renewGroup(
  { db, now }: Services,
  key: SeasonKey,
  group: string,
  definition: Definition,
  dueMs?: number,
): Promise<void> {
  const ref = db.doc(groupPath(key, group));
  await db.runTransaction(async (transaction) => {
    const found = readGroup(await transaction.get(ref));
    if (found === undefined) return;
    const members = await membersOf(transaction, playersOfGroup(db, key, group));
    const seats = seatsOf(ref.path, found, members, definition);
    const pace = dueMs === undefined ? undefined : paceAfter(groupWindowMs, paceIn(found.pace), dueMs);
    transaction.update(ref, {
      seats,
      readers: readersOf(seats),
      pace: {
        ...found.pace,
        written_at: Timestamp.fromMillis(now()),
        ...(pace && {
          refresh_due_at: Timestamp.fromMillis(pace.dueMs),
          refresh_window_seconds: pace.windowMs / 1_000,
        }),
      },
    });
  });
}

/**
 * Makes the groups of a season anew in which a player has, or had, a seat, after an admin has changed or removed the player.
 * Cost: nothing for a season without groups; else 1 read for those that show the player, at least, and {@link renewGroup}
 * for each.
 * @param player the document as it was, whether it existed or not.
 */
export async function renewGroupsOf(
  services: Services,
  { key, player, hasGroups }: Pick<PlayerSeason, "key" | "player" | "hasGroups">,
): Promise<void> {
  if (!hasGroups) return;
  const { definition } = await boardCacheOf(services).loadDefinition(key.leaderboard);
  const { docs } = await groupsShowing(services.db, key, [player.id]).get();
  const own = leagueSeatIn(player.data())?.group;
  const groups = new Set([...docs.map(({ id }) => id), ...(own === undefined ? [] : [own])]);
  for (const group of groups) await renewGroup(services, key, group, definition);
}

/** The documents of a group's members, as a transaction reads them. Cost: 1 read each, at least 1. */
export async function membersOf(
  transaction: Transaction,
  query: ReturnType<typeof playersOfGroup>,
): Promise<MemberVersion[]> {
  const { docs } = await transaction.get(query);
  return docs.map((document) => ({ id: document.id, data: document.data(), version: document.updateTime }));
}

/** The seats of a group by the documents of its members. What a document claims that the group does not confirm is nothing. Pure. */
export function seatsOf(
  path: string,
  { seats, settled_at: settledAt }: Pick<Group, "seats" | "settled_at">,
  members: readonly MemberVersion[],
  definition: Pick<Definition, "decimals">,
): Record<string, Seat> {
  const byOwner = new Map(members.map((member) => [seatOwner(path, member.id), member]));
  return Object.fromEntries(
    Object.entries(seats).map(([name, before]) => {
      const gone = { id: "", data: undefined, version: before.version };
      const member = byOwner.get(before.of) ?? gone;
      // What is settled stays, whatever a server writes to a document of a closed season.
      const isShown = settledAt !== undefined && before.player !== undefined;
      const stays = isShown && rankedScoreOf(member.data, definition) !== undefined;
      return [name, stays ? before : seatAfter(before, member, definition)];
    }),
  );
}

/** The players whom a group shows. */
export function readersOf(seats: Record<string, Seat>): string[] {
  return Object.values(seats).flatMap(({ player }) => player ?? []);
}
