/**
 * An index that was left to counts, for however short a time, is not published again until a full rebuild.
 *
 * On a board of the source `count` no event is indexed, and for a minute after the board got its index back some
 * instances still remember `count`. So from any change of the source on, the index may lack changes that no later event
 * brings back. Only the players know them.
 *
 * Each change of the source therefore writes its time into each open season and into its page 0
 * (`left_to_counts_at`), in the transaction that changes the definition. A season that is opened on a counted board has
 * the field from the start.
 *
 * - **Runs** read page 0 anyway, or before the first page the season, at their own read time. If the field is there they
 *   publish nothing.
 * - **A commit** that was read before the change fails: its guard is page 0, or before the first page the season.
 * - **A rebuild** from the index alone is refused. A full one begins a minute after the last change or later, when every
 *   instance indexes again, and sweeps all players. It is published, and removes the field, only if the field is older
 *   than its beginning. A change of the source meanwhile makes it newer.
 */
import type { Timestamp } from "../documents/firestore.ts";
import type { Page } from "../documents/page.ts";
import { type SeasonKey, seasonPath } from "../documents/paths.ts";
import { FirerankError } from "../model/errors.ts";

/** Whether nothing may be folded onto a ranking: it was counted, or its index was left to counts since. Pure. */
export function isLeftOnPage({ source, left_to_counts_at: leftAt }: Partial<Page>): boolean {
  return source === "count" || leftAt !== undefined;
}

/**
 * Whether a rebuild that has swept all players makes the index whole: it began after the last change of the source. Pure.
 * @param leftAt when the source last changed, by the database's clock.
 * @param sweptFrom when the sweep began, by the same clock; undefined for a rebuild without a sweep.
 */
export function isWholeAgain(leftAt: Timestamp | undefined, sweptFrom: Timestamp | undefined): boolean {
  return sweptFrom !== undefined && (leftAt === undefined || leftAt < sweptFrom);
}

/** The refusal to publish from an index that was left to counts; it names the call that mends it. */
export function leftToCounts(key: SeasonKey): FirerankError {
  const { leaderboard, season } = key;
  return new FirerankError(
    "invalid_request",
    `The index of ${seasonPath(key)} was left to counts for a time, and lacks changes of that time. Nothing was ` +
      "published; rebuildSeason with full: true indexes all players and ranks from there " +
      `(npx firerank rebuild ${leaderboard} --season ${season} --full).`,
  );
}
