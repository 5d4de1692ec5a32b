/** Whom a call that writes a player is for, and whether the caller may write there. */
import { FirerankError, invalidField } from "../../model/errors.ts";
import { scorerId } from "../../model/ids.ts";
import { suffices } from "../../model/role.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import type { Services } from "../../world/services.ts";
import { type Caller, requireRole } from "./access.ts";
import { requireCaller, requirePlayer } from "./spec.ts";

/**
 * Whom a call that writes a score or a profile is for: the caller, or the player whom a server names; and the board's
 * definition. `isTrusted` is whether the caller may write where only servers may; `claims` are the player's own. Cost: 2
 * reads a minute.
 * @param doing says what is done to another player, for the message.
 * @throws `not_allowed` for another player without the role `submitter`; `unauthenticated`; as {@link requirePlayer};
 * `leaderboard_not_found`; where players may not write by themselves `server_scores_only`, and `invalid_request` for a
 * trusted caller who names nobody
 */
export async function playerMeant(
  services: Services,
  caller: Caller | undefined,
  named: string | undefined,
  leaderboard: string,
  doing: (player: string) => string,
) {
  const self = requireCaller(caller);
  const isOwn = named === undefined || named === self.uid;
  if (!isOwn) requireRole(self, "submitter", doing(named), leaderboard);
  const player = named ?? requirePlayer(caller, scorerId);
  const isTrusted = suffices(self, "submitter", leaderboard);
  const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
  if (definition.submit === "server") {
    const message = `Leaderboard "${leaderboard}" takes scores from its server only: send this score to your server, which calls submitScores.`;
    if (!isTrusted) throw new FirerankError("server_scores_only", message);
    // A server that forgot the player would play itself: JSON leaves a field out that is undefined.
    if (named === undefined)
      throw invalidField(
        "player",
        "is missing: on this board a server submits for its players, over REST or with submitScores and setProfile",
      );
  }
  return { player, isTrusted, claims: isOwn ? self.claims : undefined, definition };
}
