/**
 * A private group: friends, a class, an office. One document below the board has its members, each in a seat with what the
 * player's document of one season says. It is the only place that knows who is a member: a query for a player's hash finds
 * the player's groups. So nothing has to agree with it, and membership and scores change in one commit.
 *
 * The group goes on from season to season: its seats are made anew from the members' documents when the season is over
 * (groups/keep-private.ts). It ends at `ends_at`, or with its tournament; then its places are final (groups/renew.ts).
 */
import { z } from "zod";
import type { Definition } from "../model/definition.ts";
import type { Instant } from "../model/instant.ts";
import { spanOfId } from "../model/season-id.ts";
import { seasonId } from "../model/ids.ts";
import { statusNamed, statusSaid } from "../model/player-status.ts";
import { defined } from "../model/defined.ts";
import { type DocumentSnapshot, Timestamp } from "./firestore.ts";
import {
  memberHashBelow,
  type MemberVersion,
  seatName,
  type Seat,
  type SeatRead,
  seatsListed,
  storedGroup,
  storedSeat,
} from "./group.ts";
import { leaderboardPath } from "./paths.ts";
import { readPlayer } from "./player.ts";
import { rankedScoreOf } from "./ranked-score.ts";

export const storedPrivateGroup = storedGroup
  .pick({
    seated: true,
    readers: true,
    owners: true,
    ends_at: true,
    unsettled: true,
    settled_at: true,
    pace: true,
  })
  .extend({
    name: z.string(),
    /** Who may rename it, remove members and delete it: the hash of a member. */
    owner: z.string(),
    /** How many members it may have. */
    size: z.int().min(2),
    /** The season whose scores the seats show. */
    season: seasonId,
    seats: z.record(z.string(), storedSeat),
    /**
     * When its last scores are in, and it is to be ended; later where it could not be. Absent in a group that does not end by
     * itself, or has ended.
     */
    end_due_at: z.instanceof(Timestamp).exactOptional(),
  });
export type PrivateGroup = z.infer<typeof storedPrivateGroup>;

/** What is shown of a private group, as any Firestore library reads it. */
export interface PrivateGroupRead extends Pick<
  PrivateGroup,
  "name" | "owner" | "size" | "season" | "readers"
> {
  seats: Record<string, SeatRead>;
  ends_at: Instant | null;
  settled_at?: Instant;
  pace: { written_at: Instant };
}

/** Reads a private group; undefined if there is none, or a damaged one. */
export function readPrivateGroup(document: DocumentSnapshot): PrivateGroup | undefined {
  return storedPrivateGroup.safeParse(document.data()).data;
}

/** A member of private groups of a board, by a hash: it stays when the player is not shown. */
export function memberHash(leaderboard: string, player: string): string {
  return memberHashBelow(leaderboardPath(leaderboard), player);
}

/** The name of a member's seat; undefined for a player who is no member. Pure. */
export function seatNameOf({ seats }: Pick<PrivateGroup, "seats">, hash: string): string | undefined {
  return Object.keys(seats).find((name) => seats[name]?.of === hash);
}

/**
 * A seat by its player's document. A member without a score has a seat all the same. Of somebody who is hidden or banned only
 * the seat stays, and the final place. Pure.
 */
function memberSeat(
  { of, place, display_name: nameBefore }: Pick<Seat, "of" | "place" | "display_name">,
  { id, data, version }: MemberVersion,
  definition: Pick<Definition, "decimals">,
): Seat {
  if ((statusNamed(statusSaid(data)) ?? "active") !== "active")
    return defined({ of, version, place }) as Seat;
  const ranked = rankedScoreOf(data, definition);
  const player = readPlayer(data);
  const isScored = ranked !== undefined && "score" in ranked;
  // The name of before stays until a document has one: a member may have told it with the call that joined.
  const name = seatName(player?.display_name) ?? nameBefore;
  return defined({
    of,
    version,
    place,
    player: id,
    display_name: name,
    ...(isScored && { score: ranked.score, achieved_at: player?.achieved_at }),
  }) as Seat;
}

/**
 * A seat by its player's document, in a group that ends by itself: a score that was achieved after the end does not count, and
 * the one that the group shows was there before. Pure.
 * @param before of the same season. @param isEnded whether the end is past: the score of the seat stays where the document has
 * none any more, as when the season is gone.
 */
export function memberSeatUntil(
  before: Seat,
  member: MemberVersion,
  definition: Pick<Definition, "decimals">,
  endsAt: Timestamp | undefined,
  isEnded = false,
): Seat {
  // Where there is no document, the seat stays as new as it was: an event that comes late brings nothing back.
  const version = member.version > before.version ? member.version : before.version;
  const after = memberSeat(before, { ...member, version }, definition);
  if (endsAt === undefined) return after;
  const isInTime =
    after.score === undefined ? !isEnded : !isAfter(after.achieved_at ?? member.version, endsAt);
  // Of somebody who is hidden the score stays, without a name: it may be the last one in time.
  return after.player !== undefined && isInTime ? after : withScoreOf(before, after);
}

/** A seat with the score of another version of it. Pure. */
export function withScoreOf(
  { score, achieved_at }: Seat,
  { score: _, achieved_at: _at, ...unscored }: Seat,
): Seat {
  return { ...unscored, ...(score !== undefined && defined({ score, achieved_at })) };
}

/** Whether a score was achieved after a time. */
export const isAfter = (achievedAt: Timestamp | undefined, time: Timestamp): boolean =>
  achievedAt !== undefined && achievedAt > time;

/** A seat as a new season begins: any document of that is newer. Pure. */
export function unscoredSeat({ score: _, achieved_at: _at, ...seat }: Seat): Seat {
  return { ...seat, version: Timestamp.fromMillis(0) };
}

/** When a group ends by itself, or has; undefined for one that goes on, or ends with a tournament. Pure. */
export function ownEnd({
  season,
  ends_at: endsAt,
}: Pick<PrivateGroup, "season" | "ends_at">): Timestamp | undefined {
  return endsAt === null || spanOfId(season) === "custom" ? undefined : endsAt;
}

/** The number of a seat, in the order in which members came. */
const numberOf = (seat: string) => Number(seat.slice(1));

/** Who has a group after its owner has left: the member who came first, of those who are shown if there are any. Pure. */
function nextOwner(seats: Readonly<Record<string, Seat>>): string | undefined {
  const all = Object.entries(seats)
    .filter(([, { of }]) => of !== "")
    .toSorted(([a], [b]) => numberOf(a) - numberOf(b))
    .map(([, seat]) => seat);
  return (all.find(({ player }) => player !== undefined) ?? all[0])?.of;
}

/** What a group says of all of its seats, with its owner. Pure. */
export function membersListed(
  seats: Record<string, Seat>,
  owner: string,
): Pick<PrivateGroup, "seats" | "readers" | "owners" | "owner"> {
  const listed = seatsListed(seats);
  return { ...listed, owner: listed.owners.includes(owner) ? owner : (nextOwner(seats) ?? "") };
}

/** Whether the time of a group is over. One of a tournament ends with it. Pure. */
export function isOver(group: PrivateGroup, nowMs: number): boolean {
  return group.settled_at !== undefined || (ownEnd(group)?.toMillis() ?? Infinity) <= nowMs;
}

/** Whether a group is to be ended: its last scores are in. Pure. */
export function isEndDue({ end_due_at: dueAt, settled_at: settledAt }: PrivateGroup, nowMs: number): boolean {
  return settledAt === undefined && (dueAt?.toMillis() ?? Infinity) <= nowMs;
}
