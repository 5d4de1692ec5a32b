/** What becomes of a player's standing in a board's league when the player is merged into another. */
import { erasurePath, isErased } from "../documents/erasure.ts";
import { forgetFields } from "../documents/forget-fields.ts";
import { leagueStandingIn, stoodIn } from "../documents/league-standing.ts";
import { playerStatusPath } from "../documents/paths.ts";
import { documentsAt } from "../documents/reads.ts";
import { defined } from "../model/defined.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { Services } from "../world/services.ts";

/**
 * Gives `to` the place on the league's ladder that `from` has reached, unless `to` has one; nothing of the league stays
 * kept for `from`. Leaving the league is a player's own wish, and not passed on. Cost: 3 reads and 2 writes.
 * @param isThere whether `to` is known to be a player, whatever an erasure has noted.
 * @returns whether all stays as it is, as `to` was erased: the merge may be refused.
 */
export async function passStanding(
  { db, now }: Services,
  leaderboard: string,
  pair: Record<"from" | "to", string>,
  isThere = false,
): Promise<boolean> {
  return db.runTransaction(async (transaction) => {
    const [ofFrom, ofTo] = [playerStatusPath(leaderboard, pair.from), playerStatusPath(leaderboard, pair.to)];
    const paths = [ofFrom, ofTo, erasurePath(pair.to)] as const;
    const [from, to, erasure] = await documentsAt(db, paths, transaction);
    if (!isThere && isErased(erasure, leaderboard, now())) return true;
    const { has_left: _, ...standing } = leagueStandingIn(from.data());
    const own = leagueStandingIn(to.data());
    if (stoodIn(standing) !== undefined && stoodIn(own) === undefined)
      transaction.set(to.ref, { league: defined(standing) }, { merge: true });
    forgetFields(transaction, from, "league");
    return false;
  });
}

/**
 * Gives `to` the standing that a week has given `from` which was settled while the two were merged. Cost: as
 * {@link passStanding}, on a board with a league.
 * @param isLeft whether `from` had one before that could not be given: `to` was merged away, and plays on.
 */
export async function passLateStanding(
  services: Services,
  leaderboard: string,
  pair: Record<"from" | "to", string>,
  isLeft = false,
): Promise<void> {
  const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
  if (isLeft || definition.league !== undefined) await passStanding(services, leaderboard, pair, isLeft);
}
