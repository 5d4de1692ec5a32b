/** Whom a call that writes a player is for, and whether the caller may write there. */
import type { Definition } from "../../model/definition.ts";
import { FirerankError } from "../../model/errors.ts";
import { scorerId } from "../../model/ids.ts";
import { suffices } from "../../model/role.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import { definitionKey } from "../../seasons/current.ts";
import type { Services } from "../../world/services.ts";
import { type Caller, requireRole } from "./access.ts";
import { requireCaller, requirePlayer } from "./spec.ts";

/**
 * Whom a call about a player is for: the caller, or the player whom a server names. `isTrusted` is whether the caller may
 * write where only servers may; `claims` are the player's own.
 * @param doing says what is done to another player, for the message.
 * @throws `not_allowed` for another player without the role `submitter`; `unauthenticated`; as {@link requirePlayer}
 */
export function playerMeant(
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
  return { player, isTrusted, claims: isOwn ? self.claims : undefined };
}

/** The definition. @throws `server_scores_only` where players may not write by themselves. Cost: 2 reads a minute. */
export async function requireClientScores(
  services: Services,
  leaderboard: string,
  isTrusted: boolean,
): Promise<Definition> {
  const { definition } = await boardCacheOf(services).load(definitionKey(leaderboard));
  if (definition.submit === "client" || isTrusted) return definition;
  const message = `Leaderboard "${leaderboard}" takes scores from its server only: send this score to your server, which calls submitScores.`;
  throw new FirerankError("server_scores_only", message);
}
