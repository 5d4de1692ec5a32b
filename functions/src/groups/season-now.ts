/**
 * Which season's scores a private group shows. An instance remembers a board's calendar for a minute. Until the board's first
 * score another calendar applies at once, so two instances may find different seasons for the same moment. By what each of
 * them remembers they would move a group to and fro, and a group that moves begins without scores. So a transaction that
 * moves a group reads the definition again.
 */
import type { Timestamp, Transaction } from "../documents/firestore.ts";
import { definitionPath } from "../documents/paths.ts";
import { ownEnd, type PrivateGroup } from "../documents/private-group.ts";
import { spanOfId } from "../model/season-id.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { type Board, definedIn } from "../seasons/read-board.ts";
import { type Calendars, spanSeasonAt } from "../seasons/span-season.ts";
import type { Services } from "../world/services.ts";

/** What says which season a group shows. */
type Showing = Pick<PrivateGroup, "season" | "seats" | "ends_at"> & { settled_at?: Timestamp };

/**
 * The season whose scores a group shows now: its span's present one, or the last one before its end. While no seat has a score
 * that may be an earlier one than before: until a board's first score, another calendar applies at once. Pure.
 */
export function seasonNow(calendars: Calendars, leaderboard: string, group: Showing, nowMs: number): string {
  const { season, seats, settled_at: settledAt } = group;
  const span = spanOfId(season);
  // A span that the board has no more has no season after this.
  if (span === "custom" || settledAt !== undefined || !calendars.definition.spans.includes(span))
    return season;
  const lastMs = (ownEnd(group)?.toMillis() ?? Infinity) - 1;
  const seasonAt = (ms: number) =>
    spanSeasonAt(leaderboard, calendars, span, Math.min(ms, lastMs)).key.season;
  const present = seasonAt(nowMs);
  // The ids of a span's seasons sort by time.
  if (present >= season) return present;
  const isScored = Object.values(seats).some(({ score }) => score !== undefined);
  return isScored || seasonAt(nowMs + clocksDifferMsMax) >= season ? season : present;
}

/** How much another instance's clock may be ahead, which has moved a group to the season that begins now. */
const clocksDifferMsMax = 3_600_000;

/**
 * The seasons that groups of a board show now, for the transaction that writes them there; in the order of the groups. A group
 * goes to another season only by the stored definition, and stays where there is none. An instance that remembers another
 * calendar than the stored one forgets it. Cost: nothing where no group moves; else 1 read.
 * @param board as the instance remembers it.
 */
export async function seasonsToShow(
  services: Services,
  transaction: Transaction,
  board: Board,
  groups: readonly Showing[],
): Promise<string[]> {
  const { leaderboard } = board.key;
  const nowMs = services.now();
  const by = (calendars: Calendars) => groups.map((group) => seasonNow(calendars, leaderboard, group, nowMs));
  const remembered = by(board);
  const shown = groups.map(({ season }) => season);
  if (remembered.every((season, i) => season === shown[i])) return shown;
  const document = await transaction.get(services.db.doc(definitionPath(leaderboard)));
  const stored = document.exists ? by(definedIn(leaderboard, document)) : shown;
  if (stored.some((season, i) => season !== remembered[i])) boardCacheOf(services).forget(leaderboard);
  return stored;
}
