/** What becomes of a player's seat in a league when another player is merged into this one. */
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { guestsIn, type LeagueSeat, leagueSeatIn } from "../documents/group.ts";
import { type Player, readPlayer } from "../documents/player.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";

/** Two players of an open season who are merged. */
interface MergeOfSeats {
  /** The document of the player who goes. */
  source: DocumentSnapshot;
  /** The document of the player who stays, as it was. */
  target: DocumentSnapshot;
  /** What the player who stays has now. */
  player: Player;
  isGuest: boolean;
  /** Whether it is too late for a first score to get a seat. */
  isLate: boolean;
}

/**
 * The seat of the player who stays: its own; or it waits for one if the other had one or waited, but not for a guest's when
 * first scores get none any more. Pure.
 * @returns undefined where it stays as it is
 */
export function seatAfterMerge(merge: MergeOfSeats): LeagueSeat | undefined {
  const [other, own] = [leagueSeatIn(merge.source.data()), leagueSeatIn(merge.target.data())];
  const guests = guestsAfter(merge, other, own);
  if (own !== undefined) {
    const { guests_at: _, own: _own, ...seat } = own;
    return { ...seat, ...guests };
  }
  return other === undefined || (merge.isGuest && merge.isLate) ? undefined : { waits: true, ...guests };
}

/**
 * A score that a guest's account has brought this week counts for no zone: guests are free, and one could be played in a
 * weak group. The group goes by the own score, if there was one.
 */
function guestsAfter(
  { target, player: { score, achieved_at: at }, isGuest }: MergeOfSeats,
  other: LeagueSeat | undefined,
  own: LeagueSeat | undefined,
): ReturnType<typeof guestsIn> {
  const before = readPlayer(target.data());
  const isOwn = before?.score === score && before?.achieved_at?.isEqual(at ?? noTime) === true;
  if (isOwn) return guestsIn(own);
  if (!isGuest || at === undefined) return guestsIn(other);
  // The one before may be of a guest, too.
  if (own?.guests_at !== undefined) return { guests_at: at, ...(own.own && { own: own.own }) };
  const ownScore = scoreIfRanked(target.data());
  if (ownScore === undefined) return { guests_at: at };
  const ownAt = before?.achieved_at;
  return { guests_at: at, own: { score: ownScore, ...(ownAt && { achieved_at: ownAt }) } };
}

const noTime = new Timestamp(0, 0);
