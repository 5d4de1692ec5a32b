/**
 * A group: a few players of a season, in one document that its members read and listen to. It has a seat for each member,
 * with what the player's document says. Places follow from the seats (places.ts). A player's document may name a seat;
 * only a group that has the seat for this player counts.
 *
 * Seating creates a group (league/seat-waiting.ts), changes of its members are brought into it (league/keep-group.ts),
 * and the end of a week settles it (league/settle.ts). It is deleted with its season.
 */
import { z } from "zod";
import { defined } from "../model/defined.ts";
import type { Comparable } from "../model/compare-players.ts";
import { isVisible } from "../model/display-name.ts";
import { textSize } from "../model/document-size.ts";
import { hashOf } from "../model/hash.ts";
import { documentId } from "../model/ids.ts";
import { moves } from "../model/league-zones.ts";
import type { Definition } from "../model/definition.ts";
import type { Instant } from "../model/instant.ts";
import { type DocumentSnapshot, Timestamp } from "./firestore.ts";
import { type SeasonKey, seasonPath } from "./paths.ts";
import { readPlayer } from "./player.ts";
import { rankedScoreOf } from "./ranked-score.ts";

const time = z.instanceof(Timestamp);

export const storedSeat = z.object({
  /** Whose seat it is, by a hash: a seat stays when its player is not shown. Empty for one who was erased. */
  of: z.string(),
  /** The player; absent for one who is hidden, banned or erased, and for one who has left the league. */
  player: z.string().exactOptional(),
  /** The score as it is ranked, and when it was achieved; absent for a player who is not ranked. */
  score: z.number().exactOptional(),
  achieved_at: time.exactOptional(),
  display_name: z.string().exactOptional(),
  /** Whether the score came with a guest's account this week: then it counts for no zone. */
  is_guests: z.literal(true).exactOptional(),
  /** Whether the player has left the league. The score is then as it was, for the places of the others. */
  has_left: z.literal(true).exactOptional(),
  /** The version of the player's document that the seat shows, or that a change has replaced which the seat shows. */
  version: time,
  /** What has become of the member, once the group is settled. */
  place: z.int().min(1).exactOptional(),
  move: z.enum(moves).exactOptional(),
});
export type Seat = z.infer<typeof storedSeat>;

export const storedGroup = z.object({
  /** By their names, `s1` and so on, in the order in which they were given. */
  seats: z.record(z.string(), storedSeat),
  /** How many seats were given. */
  seated: z.int().min(0),
  /** The players who may read the document: those whom it shows. */
  readers: z.array(z.string()),
  /** Whose seats they are, shown or not, so that a player's seat is found whatever the player's document says. */
  owners: z.array(z.string()),
  /** When its scores are final; null for never. */
  ends_at: time.nullable(),
  /** Whether it is still to be settled. The field goes with that. */
  unsettled: z.literal(true).exactOptional(),
  settled_at: time.exactOptional(),
  /** When it was written last, and the pace of its refreshes (top/pace.ts). */
  pace: z.object({
    written_at: time,
    refresh_due_at: time.exactOptional(),
    refresh_window_seconds: z.number().exactOptional(),
  }),
  /** Of a league: the tier, and the rules that the group began with. */
  league: z
    .object({
      tier: z.string(),
      /** The ids of the tiers, upwards. */
      ladder: z.array(z.string()),
      size: z.int(),
      min_size: z.int(),
      promote: z.int(),
      demote: z.int(),
    })
    .exactOptional(),
  /** The tier of which this is the newest group; absent in all other groups. */
  newest_of: z.string().exactOptional(),
});
export type Group = z.infer<typeof storedGroup>;

/** What is shown of a seat, as any Firestore library reads it. */
export type SeatRead = Omit<Seat, "version" | "achieved_at"> & { achieved_at?: Comparable["achievedAt"] };

/** What is shown of a group, as any Firestore library reads it. */
export interface GroupRead extends Pick<Group, "readers" | "league"> {
  seats: Record<string, SeatRead>;
  ends_at: Instant | null;
  settled_at?: Instant;
  pace: { written_at: Instant };
}

/** Reads a group; undefined if there is none, or a damaged one. */
export function readGroup(document: DocumentSnapshot): Group | undefined {
  return storedGroup.safeParse(document.data()).data;
}

/**
 * The field `league_seat` of a player's document: the player waits for a seat of the week's league, has one, or is not in
 * the league; and whether a guest's account has brought the score.
 */
export const storedLeagueSeat = z.object({
  waits: z.literal(true).exactOptional(),
  group: documentId.exactOptional(),
  seat: z
    .string()
    .regex(/^s[1-9]\d*$/)
    .exactOptional(),
  /** The player had left the league when a seat was looked for. */
  has_left: z.literal(true).exactOptional(),
  /** When the score was achieved that a guest's account has brought. */
  guests_at: time.exactOptional(),
  /** The player's own score before that, if there was one: the group goes by it. */
  own: z.object({ score: z.number(), achieved_at: time.exactOptional() }).exactOptional(),
  /** The oldest outcome of the player, which goes with the next one (league-standing.ts). */
  drops: z.string().exactOptional(),
});
export type LeagueSeat = z.infer<typeof storedLeagueSeat>;

/** Of a guest's score that a merge has brought: what stays as long as the player has no better one. Pure. */
export function guestsIn(seat: LeagueSeat | undefined): Pick<LeagueSeat, "guests_at" | "own"> | undefined {
  const { guests_at: at, own } = seat ?? {};
  return at && { guests_at: at, ...(own && { own }) };
}

/** What a player's document says of a seat; undefined if it says nothing that is valid. */
export function leagueSeatIn(data: Record<string, unknown> | undefined): LeagueSeat | undefined {
  const stored: unknown = data?.["league_seat"];
  return stored === undefined ? undefined : storedLeagueSeat.safeParse(stored).data;
}

/** Whose seat it is. The season is part of the hash, so that seats of two weeks tell nothing together. */
export function seatOwner(key: SeasonKey, player: string): string {
  return memberHashBelow(seasonPath(key), player);
}

/** A player by a hash, below a season or a board: hashes below two of them tell nothing together. */
export function memberHashBelow(path: string, player: string): string {
  return hashOf(`${path} ${player}`).toString("base64url").slice(0, 16);
}

/** Bytes of a seat's name: with an id of 128 characters and all else, a seat has 640 bytes. */
export const seatNameBytesMax = 160;

/** A name as a seat keeps it. */
export function seatName(name: string | undefined): string | undefined {
  if (name === undefined || textSize(name) <= seatNameBytesMax) return name;
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(seatNameBytesMax - 1));
  const kept = name.slice(0, read);
  return isVisible(kept) ? kept : undefined;
}

/** A version of a member's document. */
export interface MemberVersion {
  id: string;
  data: Record<string, unknown> | undefined;
  version: Timestamp;
}

/**
 * A seat after a change of its player. Of somebody who is hidden, banned or gone only the seat stays, and what has become
 * of the member. Pure.
 */
export function seatAfter(
  before: Pick<Seat, "of" | "has_left" | "place" | "move"> & SeatScore,
  { id, data, version }: MemberVersion,
  definition: Pick<Definition, "decimals">,
): Seat {
  const { of, place, move, has_left: hasLeft } = before;
  const kept = { of, version, place, move, has_left: hasLeft };
  const ranked = rankedScoreOf(data, definition);
  if (ranked === undefined || "unusable" in ranked) return seatOf(kept);
  const shown = shownScore(data, ranked.score);
  // After a hiding that was undone, the score of the moment of leaving is not known any more.
  if (hasLeft === true)
    return seatOf({ ...kept, ...(before.score === undefined ? shown : pickScore(before)) });
  return seatOf({ ...kept, ...shown, player: id, display_name: seatName(readPlayer(data)?.display_name) });
}

type SeatScore = Pick<Seat, "score" | "achieved_at" | "is_guests">;

const pickScore = ({ score, achieved_at: at, is_guests: isGuests }: SeatScore): SeatScore =>
  defined({ score, achieved_at: at, is_guests: isGuests }) as SeatScore;

/** The score that a seat goes by: the player's own, where a guest's account has brought the one that is ranked. */
function shownScore(data: Record<string, unknown> | undefined, score: number): SeatScore {
  const at = readPlayer(data)?.achieved_at;
  const { guests_at: guestsAt, own } = leagueSeatIn(data) ?? {};
  const isGuests = guestsAt !== undefined && at?.isEqual(guestsAt) === true;
  if (isGuests && own !== undefined) return pickScore(own);
  return defined({ score, achieved_at: at, is_guests: isGuests ? true : undefined }) as SeatScore;
}

/**
 * A seat as its player leaves the league, with the score of that moment; or takes part, again or still. Pure.
 * @param hasLeft what the player wishes
 */
export function seatByWish(
  before: Seat,
  member: MemberVersion,
  definition: Pick<Definition, "decimals">,
  hasLeft: boolean,
): Seat {
  if (hasLeft && before.has_left === true) return seatAfter(before, member, definition);
  const { has_left: _, ...taking } = before;
  const shown = seatAfter(taking, member, definition);
  if (!hasLeft) return shown;
  const { of, version, place, move } = shown;
  return seatOf({ of, version, place, move, ...pickScore(shown), has_left: true });
}

/** A seat whose player was erased: nothing of the player is left. Pure. */
export function seatErased({ version, place, move }: Seat): Seat {
  return seatOf({ of: "", version, place, move });
}

type SeatFields = { [Name in keyof Seat]: Seat[Name] | undefined };

const seatOf = (fields: SeatFields) => defined(fields) as Seat;

/** The seat of a player in a group, if the group has it for this player. Pure. */
export function confirmedSeat(
  key: SeasonKey,
  group: Group | undefined,
  player: string,
  seat: string | undefined,
): Seat | undefined {
  const found = seat === undefined ? undefined : group?.seats[seat];
  return found?.of === seatOwner(key, player) ? found : undefined;
}

/** The seat of a player in a group, whatever the player's document says; undefined if the group has none. Pure. */
export function heldSeat(
  key: SeasonKey,
  group: Pick<Group, "seats"> | undefined,
  player: string,
): { name: string; seat: Seat } | undefined {
  const owner = seatOwner(key, player);
  const found = Object.entries(group?.seats ?? {}).find(([, { of }]) => of === owner);
  return found && { name: found[0], seat: found[1] };
}

/** What a group says of all of its seats: who may read it, and whose seats they are. */
export function seatsListed(seats: Record<string, Seat>): Pick<Group, "seats" | "readers" | "owners"> {
  const all = Object.values(seats);
  return {
    seats,
    readers: all.flatMap(({ player }) => player ?? []),
    owners: all.flatMap(({ of }) => (of === "" ? [] : of)),
  };
}
