/**
 * Keeps groups up to date: after the commit of a change, and before the call answers. A score's commit itself knows
 * nothing of groups, so no two players ever wait for each other because of one.
 *
 * While a group is quiet, its change is written by a transaction of its own. A group that was written just now, or that
 * another transaction was first to write, gets a task at the end of a window, which reads all members; the window widens
 * as that of a top (top/pace.ts). What a process leaves behind that dies in between is made up for by the member's next
 * score, by the member's own getLeague, by an audit (audit-groups.ts), and at the end by settling, which reads the players.
 */
import { isDeepStrictEqual } from "node:util";
import type { Fields } from "../counting/commit-players.ts";
import { type DocumentSnapshot, Timestamp, type Transaction } from "../documents/firestore.ts";
import {
  confirmedSeat,
  type Group,
  heldSeat,
  leagueSeatIn,
  type MemberVersion,
  readGroup,
  type Seat,
  seatAfter,
  seatErased,
  seatOwner,
  seatsListed,
} from "../documents/group.ts";
import { groupPath, playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { type ChangedPlayer, lacksStatus, readPlayerStatus, writtenAt } from "../documents/player.ts";
import { playersOfGroup } from "../documents/queries.ts";
import { groupsWith } from "../documents/groups-with.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import { documentsAt } from "../documents/reads.ts";
import type { Definition } from "../model/definition.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import type { PlayerSeason } from "../seasons/player-seasons.ts";
import { paceAfter, paceIn, windowNow } from "../top/pace.ts";
import { isBeaten } from "../world/retryable.ts";
import type { Services } from "../world/services.ts";
import { asSeasonShows } from "./final-members.ts";
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
  const version = writtenAt(document);
  const { group, seat } = now;
  await bringIntoGroup(services, key, { group, seat }, { id: document.id, data: after, version });
}

/** Whether a group shows the same of both. */
export function isSameInGroup(before: ChangedPlayer["before"], after: ChangedPlayer["after"]): boolean {
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
  return !isShownAs(seat, seatAfter(seat, member, definition));
}

/** Groups that a step reads, settles or ends at the same time. */
export const groupsAtOnce = 8;

/** Whether two seats show the same, whatever version of the player's document they are of. Pure. */
export function isShownAs({ version: _, ...one }: Seat, { version: _other, ...other }: Seat): boolean {
  return isDeepStrictEqual(one, other);
}

/** Whether a group shows the same before and after. A newer version of a document alone is nothing that it shows. Pure. */
export function showsSame(
  before: Pick<Group, "seats" | "readers" | "owners" | "ends_at">,
  after: Pick<Group, "seats" | "readers" | "owners" | "ends_at">,
): boolean {
  const shown = (seats: Record<string, Seat>) =>
    Object.entries(seats).map(([name, { version: _, ...seat }]) => [name, seat] as const);
  return isDeepStrictEqual(
    [new Map(shown(before.seats)), new Set(before.readers), new Set(before.owners), before.ends_at],
    [new Map(shown(after.seats)), new Set(after.readers), new Set(after.owners), after.ends_at],
  );
}

/** The window after which to refresh a group, and whether it is quiet: nothing was written within that. Pure. */
export function quietOf(pace: Group["pace"], nowMs: number): { windowMs: number; isQuiet: boolean } {
  const windowMs = windowNow(groupWindowMs, paceIn(pace), nowMs);
  return { windowMs, isQuiet: nowMs - pace.written_at.toMillis() >= windowMs };
}

/** The pace of a group that is made anew. Pure. @param dueMs when the refresh was due, if it follows changes. */
export function paceRenewed(pace: Group["pace"], nowMs: number, dueMs: number | undefined): Group["pace"] {
  const after = dueMs === undefined ? undefined : paceAfter(groupWindowMs, paceIn(pace), dueMs);
  return {
    ...pace,
    written_at: Timestamp.fromMillis(nowMs),
    ...(after && {
      refresh_due_at: Timestamp.fromMillis(after.dueMs),
      refresh_window_seconds: after.windowMs / 1_000,
    }),
  };
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
  const before = confirmedSeat(key, found, member.id, seat);
  if (found === undefined || before === undefined || found.settled_at !== undefined) return undefined;
  // A later change is there already. The change of a version is later than what was read of it.
  const isOld = isRead ? member.version <= before.version : member.version < before.version;
  if (isOld) return undefined;
  const { windowMs, isQuiet } = quietOf(found.pace, now());
  if (!isQuiet) return windowMs;
  const after = seatAfter(before, member, definition);
  transaction.update(db.doc(path), {
    [`seats.${seat}`]: after,
    readers: seatsListed({ ...found.seats, [seat]: after }).readers,
    "pace.written_at": Timestamp.fromMillis(now()),
  });
  return undefined;
}

/** What is known beside a group where it is made anew. */
interface Renewal {
  /** When the refresh was due, if it follows changes: such refreshes set the pace of the next. */
  dueMs?: number;
  /** When the season closes now: the calendar may have changed since the group began. */
  endsAt?: Timestamp | null;
  /** Whom an admin has changed: this player's document is read, whatever it says of a seat. */
  player?: string;
  /** Whether nothing of the player may stay in the seat. */
  isErased?: boolean;
}

/**
 * Makes a group anew from the documents of its members, or in a season that has closed from its final table. In a settled
 * group, only who is shown changes.
 * Cost: 1 read, {@link membersOf}, and 1 write; nothing written where there is no group.
 */
export async function renewGroup(
  services: Services,
  board: Board,
  group: string,
  { dueMs, endsAt, player, isErased = false }: Renewal = {},
): Promise<void> {
  const { db, now } = services;
  const { key, definition } = board;
  const ref = db.doc(groupPath(key, group));
  await db.runTransaction(async (transaction) => {
    const found = readGroup(await transaction.get(ref));
    if (found === undefined) return;
    const others = [...found.readers, ...(player === undefined ? [] : [player])];
    const members = await membersOf(services, transaction, board, group, others);
    const seats = seatsOf(key, found, members, definition);
    const held = player === undefined || !isErased ? undefined : heldSeat(key, found, player);
    if (held !== undefined) seats[held.name] = seatErased(held.seat);
    transaction.update(ref, {
      ...seatsListed(seats),
      ...(endsAt !== undefined && found.settled_at === undefined && { ends_at: endsAt }),
      pace: paceRenewed(found.pace, now(), dueMs),
    });
  });
}

/**
 * Makes the groups of a season anew in which a player has a seat, after an admin has changed or removed the player.
 * Cost: nothing for a season that is no week of a league; else 1 read for each group with a seat, at least 1, and
 * {@link renewGroup} for each.
 * @param isErased whether nothing of the player may stay
 * @returns whether there is such a group
 */
export async function renewGroupsOf(
  services: Services,
  { key, span, hasGroups }: Pick<PlayerSeason, "key" | "span" | "hasGroups">,
  player: string,
  isErased = false,
): Promise<boolean> {
  const { definition } = await boardCacheOf(services).loadDefinition(key.leaderboard);
  // The first seats may have been given since the season was read.
  if (!hasGroups && definition.league?.span !== span) return false;
  const { docs } = await groupsWith(services.db, key, [player]).get();
  if (docs.length === 0) return false;
  // A season keeps what its scores are counted by.
  const board = await boardCacheOf(services).load(key);
  for (const { id } of docs) await renewGroup(services, board, id, { player, isErased });
  return true;
}

/**
 * The documents of a group's members, as a transaction reads them: those that name the group, and those of other
 * players, as of those whom it shows: a server may have replaced them. Each with the status that the board keeps, where it
 * names none, and in a season that has closed with the score of the final table.
 *
 * Cost: 1 read each, at least 1, 1 for each that names no status, and {@link asSeasonShows}.
 */
export async function membersOf(
  services: Services,
  transaction: Transaction,
  { key, season }: Board,
  group: string,
  others: readonly string[],
): Promise<MemberVersion[]> {
  const { db } = services;
  const { docs } = await transaction.get(playersOfGroup(db, key, group));
  const named = new Set(docs.map((document) => document.id));
  const asked = [...new Set(others)].filter((player) => !named.has(player));
  const replaced = await documentsAt(
    db,
    asked.map((player) => playerPath(key, player)),
    transaction,
  );
  const found = [...docs, ...replaced].filter(({ exists }) => exists);
  const nameless = found.filter((document) => lacksStatus(document.data() ?? {}));
  const paths = nameless.map((document) => playerStatusPath(key.leaderboard, document.id));
  const kept = new Map((await documentsAt(db, paths, transaction)).map((one) => [one.id, one.data()]));
  const members = found.map((document) => memberIn(document, kept.get(document.id)));
  return asSeasonShows(services, key, season, members);
}

/** A member's document with its version. @param kept what the board keeps, for a document that names no status. Pure. */
export function memberIn(document: DocumentSnapshot, kept: Fields | undefined): MemberVersion {
  const data = document.data();
  const version = writtenAt(document);
  if (data === undefined || !lacksStatus(data)) return { id: document.id, data, version };
  return { id: document.id, data: { ...data, status: readPlayerStatus(kept) }, version };
}

/** The seats of a group by the documents of its members. What a document claims that the group does not confirm is nothing. Pure. */
export function seatsOf(
  key: SeasonKey,
  { seats, settled_at: settledAt }: Pick<Group, "seats" | "settled_at">,
  members: readonly MemberVersion[],
  definition: Pick<Definition, "decimals">,
): Record<string, Seat> {
  const byOwner = new Map(members.map((member) => [seatOwner(key, member.id), member]));
  return Object.fromEntries(
    Object.entries(seats).map(([name, before]) => {
      const member = byOwner.get(before.of);
      // The seat of one who has left stays, also where a server has replaced the document that names it.
      if (member === undefined && (before.has_left === true || before.of === "")) return [name, before];
      const known = member ?? { id: "", data: undefined, version: before.version };
      // What is settled stays, whatever a server writes to a document of a closed season.
      const isShown = settledAt !== undefined && before.player !== undefined;
      const stays = isShown && rankedScoreOf(known.data, definition) !== undefined;
      return [name, stays ? before : seatAfter(before, known, definition)];
    }),
  );
}
