/**
 * Keeps private groups up to date: after the commit of a change, and before the call answers. A query finds the player's
 * groups by the player's hash, so neither a player's document nor the board has to know them.
 *
 * While a group is quiet, its change is written at once. A group that was written just now, or that another transaction was
 * first to write, gets a task at the end of a window, which reads all members, as a group of a league does. With the first
 * score of a new season the group begins it. What a process leaves behind that dies in between is made up for by the member's
 * next score, by the member's own getGroup, by an audit (audit.ts), and at the end, which reads the players (renew.ts).
 */
import type { Fields } from "../counting/commit-players.ts";
import {
  type DocumentSnapshot,
  type Firestore,
  type QueryDocumentSnapshot,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import type { MemberVersion, Seat } from "../documents/group.ts";
import { playerPath, playerStatusPath, privateGroupPath, type SeasonKey } from "../documents/paths.ts";
import { type ChangedPlayer, readPlayer, readPlayerStatus } from "../documents/player.ts";
import {
  isAfter,
  isOver,
  memberHash,
  memberSeatUntil,
  membersListed,
  ownEnd,
  type PrivateGroup,
  readPrivateGroup,
  seatNameOf,
  unscoredSeat,
} from "../documents/private-group.ts";
import { openGroupsOf, openGroupsOfSome } from "../documents/private-group-queries.ts";
import { documentsAt } from "../documents/reads.ts";
import { groupWindowMs, isSameInGroup, isShownAs, quietOf } from "../league/keep-group.ts";
import { askForPrivateGroup } from "../league/ask.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { isBeaten } from "../world/retryable.ts";
import type { Services } from "../world/services.ts";
import { seasonsToShow } from "./season-now.ts";

/** A group that a change was not written to, or not all that it has to show. */
interface ToRefresh {
  id: string;
  season: string;
  /** After which window to refresh it. */
  windowMs: number;
}

/**
 * Brings the changes of a player in the seasons of a board into the player's private groups.
 *
 * Cost: nothing on a board without private groups, and where nothing changed that a group shows. Else 1 read for each group
 * of the player that has not ended, at least 1; for each that is quiet 1 write; for each other 1 call of the queue. With a
 * group's first score of a season 1 read more, and a call of the queue. Twice the reads where another transaction was first.
 * @param changes of one player on one board.
 */
export async function keepPrivateGroups(
  services: Services,
  changes: readonly ChangeOfMember[],
): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  const { leaderboard } = first.key;
  const shown = changes.filter(({ before, after }) => !isSameInGroup(before, after));
  if (shown.length === 0) return;
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  if (!board.definition.private_groups) return;
  const write = (isBusy: boolean, options: { maxAttempts?: number } = {}) =>
    services.db.runTransaction(
      (transaction) => writeWhereQuiet(services, transaction, { board, changes: shown, isBusy }),
      options,
    );
  let left: ToRefresh[];
  try {
    left = await write(false, { maxAttempts: 1 });
  } catch (error) {
    if (!isBeaten(error)) throw error;
    left = await write(true);
  }
  await Promise.all(
    left.map(({ id, season, windowMs }) =>
      askForPrivateGroup(services, { leaderboard, season }, id, windowMs),
    ),
  );
}

/** A change of a member's document, with the version that it has replaced. */
interface ChangeOfMember extends Omit<ChangedPlayer, "document"> {
  document: VersionRead;
}

type VersionRead = Pick<DocumentSnapshot, "id" | "updateTime"> & Partial<Pick<DocumentSnapshot, "readTime">>;

interface ToKeep {
  board: Board;
  changes: readonly ChangeOfMember[];
  /** Whether others write the groups at the same time, so that tasks refresh them. */
  isBusy: boolean;
}

/** A group that has not ended, with the seat of one of its members. */
interface GroupOfMember {
  found: QueryDocumentSnapshot;
  group: PrivateGroup;
  /** The name of the seat. */
  name: string;
  /** The season that it shows from now on. */
  season: string;
}

/** The groups of a player. Cost: 1 read each, at least 1, and {@link seasonsToShow}. */
async function readOwnGroups(
  services: Services,
  transaction: Transaction,
  board: Board,
  player: string,
): Promise<GroupOfMember[]> {
  const { leaderboard } = board.key;
  const hash = memberHash(leaderboard, player);
  const { docs } = await transaction.get(openGroupsOf(services.db, leaderboard, hash));
  const own = docs.flatMap((found) => {
    const group = readPrivateGroup(found);
    const name = group && seatNameOf(group, hash);
    return group === undefined || name === undefined ? [] : [{ found, group, name }];
  });
  const groups = own.map(({ group }) => group);
  const seasons = await seasonsToShow(services, transaction, board, groups);
  return own.map((one, i) => ({ ...one, season: seasons[i] ?? one.group.season }));
}

/** Writes changes into the groups that are quiet. @returns the groups to refresh. */
async function writeWhereQuiet(
  services: Services,
  transaction: Transaction,
  { board, changes, isBusy }: ToKeep,
): Promise<ToRefresh[]> {
  const { now } = services;
  const [{ document }] = changes as [ChangeOfMember];
  const left: ToRefresh[] = [];
  const own = await readOwnGroups(services, transaction, board, document.id);
  for (const { found, group, name, season } of own) {
    const change = changes.find((one) => one.key.season === season);
    if (change === undefined) continue;
    const next = season === group.season ? {} : nextSeason(group, season);
    const seats = next.seats ?? group.seats;
    const before = seats[name];
    const { data, isLast } = inTime(group, change);
    // A later change is there already.
    const isOld = before !== undefined && versionOf(change.document) < before.version;
    if (before === undefined || (isOld && !(isLast && isUnseen(data, before)))) continue;
    const isNameless = change.before?.["display_name"] !== undefined && data?.["display_name"] === undefined;
    const version = isOld ? before.version : versionOf(change.document);
    const member = { id: document.id, data, version };
    const { display_name: _, ...unnamed } = before;
    const named = isNameless ? unnamed : before;
    const after = memberSeatUntil(named, member, board.definition, ownEnd(group), isOver(group, now()));
    if (isShownAs(before, after)) continue;
    const { windowMs, isQuiet } = quietOf(group.pace, now());
    // A refresh would read the documents, which have neither the last score of before the end any more, nor that a name is gone.
    const isWritten = (isQuiet && !isBusy) || isLast || isNameless;
    // Who has played in the new season before is shown by a refresh.
    if (!isWritten || next.seats !== undefined) left.push({ id: found.id, season, windowMs });
    if (!isWritten) continue;
    transaction.update(found.ref, {
      ...next,
      ...(next.seats === undefined
        ? { [`seats.${name}`]: after }
        : { seats: { ...next.seats, [name]: after } }),
      readers: membersListed({ ...seats, [name]: after }, group.owner).readers,
      "pace.written_at": Timestamp.fromMillis(now()),
    });
  }
  return left;
}

/** What counts of a change: after the end of a group the score of before, which may not have come into the group yet. */
function inTime(
  group: PrivateGroup,
  { before, after }: ChangeOfMember,
): { data: Fields | undefined; isLast: boolean } {
  const endsAt = ownEnd(group);
  const isLate = (data: Fields | undefined) =>
    endsAt !== undefined && isAfter(readPlayer(data)?.achieved_at, endsAt);
  const isLast = isLate(after) && before?.["score"] !== undefined && !isLate(before);
  if (!isLast) return { data: after, isLast };
  // Where a server has left out the status, the commit that followed has found it.
  return { data: { ...before, status: after?.["status"] }, isLast };
}

/**
 * Whether a seat shows an older score than the last one in time: a refresh has read the document when that was replaced
 * already. Pure.
 */
function isUnseen(last: Fields | undefined, { player, score, achieved_at: shownAt }: Seat): boolean {
  if (player === undefined) return false;
  const at = readPlayer(last)?.achieved_at;
  return score === undefined || (at !== undefined && isAfter(at, shownAt ?? at));
}

/** A group as a new season begins: no member has a score. Pure. */
function nextSeason(
  { seats }: PrivateGroup,
  season: string,
): Partial<Pick<PrivateGroup, "season" | "seats">> {
  const begun = Object.entries(seats).map(([name, seat]) => [name, unscoredSeat(seat)]);
  return { season, seats: Object.fromEntries(begun) as PrivateGroup["seats"] };
}

/**
 * Begins the present season in a group that shows one that is over, for whoever looks first, and requests a refresh, which
 * reads the members. Cost: 2 reads and 1 write, and 1 call of the queue.
 */
export async function beginSeasonInGroup(services: Services, leaderboard: string, id: string): Promise<void> {
  const { db, now } = services;
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  const ref = db.doc(privateGroupPath(leaderboard, id));
  const begun = await db.runTransaction(async (transaction) => {
    const group = readPrivateGroup(await transaction.get(ref));
    if (group === undefined) return undefined;
    const [season = group.season] = await seasonsToShow(services, transaction, board, [group]);
    if (season === group.season) return undefined;
    const written = { "pace.written_at": Timestamp.fromMillis(now()) };
    transaction.update(ref, { ...nextSeason(group, season), ...written });
    return season;
  });
  if (begun !== undefined)
    await askForPrivateGroup(services, { leaderboard, season: begun }, id, groupWindowMs);
}

/** The version that a change has replaced. Who had no document may have had one before, which a server has deleted. */
const versionOf = ({ updateTime, readTime }: VersionRead) =>
  updateTime ?? readTime ?? Timestamp.fromMillis(0);

/**
 * The documents of members, as a transaction reads them, each with the status that the board keeps, where it names none.
 * Cost: 1 read each, and 1 for each that names no status or is not there.
 * @param readers whom the group shows. @param player another one, whom it may not show.
 */
export async function readMembers(
  db: Firestore,
  transaction: Pick<Transaction, "getAll">,
  key: SeasonKey,
  readers: readonly string[],
  player?: string,
): Promise<MemberVersion[]> {
  const ids = [...new Set([...readers, ...(player === undefined ? [] : [player])])];
  const documents = await documentsAt(
    db,
    ids.map((id) => playerPath(key, id)),
    transaction,
  );
  const asked = documents.filter((document) => namesNoStatus(document.data()));
  const paths = asked.map(({ id }) => playerStatusPath(key.leaderboard, id));
  const kept = new Map((await documentsAt(db, paths, transaction)).map((one) => [one.id, one.data()]));
  return documents.map((document) => memberOf(document, kept.get(document.id)));
}

/** A member by a document, which may not be there: then the status that the board keeps is all that is known. Pure. */
export function memberOf(document: DocumentSnapshot, kept: Fields | undefined): MemberVersion {
  const data = document.data();
  const isSaid = kept === undefined || !namesNoStatus(data);
  return {
    id: document.id,
    data: isSaid ? data : { ...data, status: readPlayerStatus(kept) },
    // A document that is not there is older than any that comes.
    version: document.updateTime ?? Timestamp.fromMillis(0),
  };
}

/** Whether a document leaves the player's status to the board, also one without a score, which no list shows. */
export const namesNoStatus = (data: Fields | undefined) => (data?.["status"] ?? "") === "";

/**
 * The private groups in which some players are, at most 30. Cost: 1 read for each that has not ended, at least 1; nothing on a
 * board without private groups.
 */
export async function openGroupsWith(
  services: Services,
  leaderboard: string,
  players: readonly string[],
): Promise<string[]> {
  const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
  if (!definition.private_groups) return [];
  const hashes = players.map((player) => memberHash(leaderboard, player));
  const { docs } = await openGroupsOfSome(services.db, leaderboard, hashes).get();
  return docs.map(({ id }) => id);
}
