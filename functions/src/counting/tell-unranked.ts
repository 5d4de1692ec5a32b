/** What the log says of a trusted server's write that is not ranked as it was meant. */
import { definitionId } from "../model/template.ts";
import { isTime } from "../world/alarms.ts";
import type { SeasonKey } from "../documents/paths.ts";
import type { Services } from "../world/services.ts";

/** How often an instance tells of the writes to one board: a server that is wrong may write 100,000 documents. */
const toldEveryMs = 60_000;

/**
 * Logs an error about a player's document, at most once a minute for a board, and for all boards that do not exist.
 * @param where what the player is not ranked in, if not among all players.
 */
export function tellUnranked(
  services: Services,
  key: SeasonKey,
  player: string,
  { problem, where = "", isBoard = true }: { problem: string; where?: string; isBoard?: boolean },
): void {
  const board = isBoard ? definitionId(key.leaderboard) : "no board";
  if (!isTime(services, `unranked of ${board}`, toldEveryMs)) return;
  services.log.error(`player ${player} is not ranked${where}: ${problem}`, { ...key, player, problem });
}
