/**
 * Makes a private group anew from its members' documents, and ends it where that is due: its places become final, and one
 * event says so. A group with an end of its own is ended when the last scores are in, six minutes later; a score that was
 * achieved after the end does not count. A group of a tournament ends when the tournament's last score is in (end.ts).
 */
import { addEvent, nameInEvents } from "../documents/event.ts";
import { FieldValue, Timestamp, type Transaction } from "../documents/firestore.ts";
import type { MemberVersion, Seat } from "../documents/group.ts";
import { privateGroupPath, type SeasonKey } from "../documents/paths.ts";
import { placesOf } from "../documents/places.ts";
import {
  isEndDue,
  isOver,
  memberHash,
  memberSeatUntil,
  membersListed,
  ownEnd,
  type PrivateGroup,
  readPrivateGroup,
  unscoredSeat,
  withScoreOf,
} from "../documents/private-group.ts";
import { asSeasonShows } from "../league/final-members.ts";
import { paceRenewed, showsSame } from "../league/keep-group.ts";
import type { Definition } from "../model/definition.ts";
import { sharedReadsMax } from "../model/limits.ts";
import { spanOfId } from "../model/season-id.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { Services } from "../world/services.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import { readMembers } from "./keep-private.ts";
import { seasonsToShow } from "./season-now.ts";

/** What is known beside a group where it is made anew. */
export interface PrivateRenewal {
  /** When the refresh was due, if it follows changes: such refreshes set the pace of the next. */
  dueMs?: number | undefined;
  /**
   * Whom an admin has changed, or who looks at a group: this player is looked for, whether the group shows the player or not.
   * Only with a player a group that has ended is made anew: its end has read all others.
   */
  player?: string | undefined;
  /** The group's tournament, where it takes no more scores: the group ends. */
  tournament?: SeasonKey;
  /** Whether a group that shows what its members' documents say is left alone. */
  isAudit?: true;
}

/**
 * Makes a private group anew from the documents of its members in the present season, or ends it if its last scores are in. In
 * a group that has ended only who is shown changes, after an admin's change. Nothing is written where there is no group.
 *
 * Cost: 1 read; {@link seasonsToShow}, {@link readMembers}, {@link asSeasonShows}, and 1 write; for an end 1 write more for
 * the event. In a group that has ended 1 read and no more where no `player` is named.
 * @returns how many members the group has, and whether it was written
 */
export async function renewPrivateGroup(
  services: Services,
  leaderboard: string,
  id: string,
  { dueMs, player, tournament, isAudit }: PrivateRenewal = {},
): Promise<{ members: number; isWritten: boolean }> {
  const { db, now } = services;
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  const ref = db.doc(privateGroupPath(leaderboard, id));
  return db.runTransaction(async (transaction) => {
    const group = readPrivateGroup(await transaction.get(ref));
    const isFinal = group?.settled_at !== undefined;
    // Another one has ended it since it was found to be due.
    if (group === undefined || (isFinal && player === undefined)) return { members: 0, isWritten: false };
    const [present = group.season] = await seasonsToShow(services, transaction, board, [group]);
    const key = tournament ?? { leaderboard, season: present };
    // A season keeps what its scores are counted by.
    const { definition, season } = await boardCacheOf(services).load(key);
    const read = await readMembers(db, transaction, key, group.readers, player);
    const found = await asSeasonShows(services, key, season, read);
    // An admin may have closed a tournament early.
    const isTournaments = spanOfId(key.season) === "custom" && !isFinal;
    const ends = isTournaments ? { ends_at: season?.closes_at ?? null } : {};
    const isEnding = tournament !== undefined || isEndDue(group, now());
    // What a server writes later than the end changes nothing, either.
    const closedAt = isEnding ? (ends.ends_at ?? undefined) : undefined;
    const until = { closedAt, isEnded: isEnding || isOver(group, now()) };
    const seats = seatsOfMembers(key, group, found, definition, until);
    const members = group.seated;
    if (isEnding) {
      endGroup(services, transaction, { key, id, group, definition, seats, ends });
      return { members, isWritten: true };
    }
    const after = { ...membersListed(seats, group.owner), season: key.season, ...ends };
    const isSame =
      showsSame(group, { ends_at: group.ends_at, ...after }) &&
      group.owner === after.owner &&
      group.season === after.season;
    if (isAudit === true && isSame) return { members, isWritten: false };
    transaction.update(ref, { ...after, pace: paceRenewed(group.pace, now(), dueMs) });
    return { members, isWritten: true };
  });
}

/**
 * Ends a private group whose last scores are in, for a member who looks: all members look when its end is due, and those who
 * ask an instance at the same time share one end. Cost: {@link renewPrivateGroup}, or 1 read where it was ended meanwhile.
 */
export async function endDueGroup(services: Services, leaderboard: string, id: string): Promise<void> {
  const path = privateGroupPath(leaderboard, id);
  await services.memory(createEnds).get(path, () => renewPrivateGroup(services, leaderboard, id));
}

const createEnds = ({ now }: Services) => createSharedReads({ now, max: sharedReadsMax, keepMs: 0 });

/**
 * The seats of a group in a season, by the documents of its members; of a group that has ended, by who is shown. Pure.
 * @param until when its tournament was closed, and whether its end is past.
 */
export function seatsOfMembers(
  { leaderboard, season }: SeasonKey,
  group: PrivateGroup,
  members: readonly MemberVersion[],
  definition: Definition,
  { closedAt, isEnded = false }: { closedAt?: Timestamp | undefined; isEnded?: boolean } = {},
): Record<string, Seat> {
  const byHash = new Map(members.map((member) => [memberHash(leaderboard, member.id), member]));
  const isFinal = group.settled_at !== undefined;
  const endsAt = ownEnd(group) ?? closedAt ?? group.settled_at;
  return Object.fromEntries(
    Object.entries(group.seats).map(([name, seat]): [string, Seat] => {
      const before = season === group.season ? seat : unscoredSeat(seat);
      const member = byHash.get(before.of);
      if (member === undefined) return [name, before];
      const after = memberSeatUntil(before, member, definition, endsAt, isEnded);
      if (!isFinal) return [name, after];
      // What is final stays.
      if (before.player !== undefined && after.player !== undefined) return [name, before];
      return [name, before.score === undefined ? after : withScoreOf(before, after)];
    }),
  );
}

interface EndOfGroup {
  /** The last season of the group. */
  key: SeasonKey;
  id: string;
  group: PrivateGroup;
  definition: Definition;
  seats: Record<string, Seat>;
  ends: Partial<Pick<PrivateGroup, "ends_at">>;
}

function endGroup(
  { db, now }: Services,
  transaction: Transaction,
  { key, id, group, definition, seats: unplaced, ends }: EndOfGroup,
): void {
  const seats = withPlaces(unplaced, definition);
  const at = Timestamp.fromMillis(now());
  transaction.update(db.doc(privateGroupPath(key.leaderboard, id)), {
    ...membersListed(seats, group.owner),
    ...ends,
    season: key.season,
    settled_at: at,
    unsettled: FieldValue.delete(),
    end_due_at: FieldValue.delete(),
    "pace.written_at": at,
  });
  const places = Object.values(seats)
    .filter(({ player, score }) => player !== undefined && score !== undefined)
    .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
    .map(({ player = "" }) => player);
  addEvent(db, transaction, definition, {
    kind: "group_ended",
    key,
    span: spanOfId(key.season),
    atMs: at.toMillis(),
    once: id,
    fields: { group: id, places, players: places.map(nameInEvents) },
  });
}

/** The seats of those who are shown, each with its place. Pure. */
function withPlaces(seats: Record<string, Seat>, definition: Definition): Record<string, Seat> {
  const shown = Object.entries(seats).flatMap(([name, seat]) =>
    seat.player === undefined
      ? []
      : [{ name, player: seat.player, score: seat.score, achievedAt: seat.achieved_at }],
  );
  const places = new Map(placesOf(definition, shown).map(({ name, place }) => [name, place]));
  return Object.fromEntries(
    Object.entries(seats).map(([name, seat]): [string, Seat] => {
      const place = places.get(name);
      return [name, place === undefined ? seat : { ...seat, place }];
    }),
  );
}
