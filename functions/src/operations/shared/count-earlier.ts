/** Players whom a server has written before their board was there. */
import { playersPath } from "../../documents/paths.ts";
import { byId } from "../../documents/queries.ts";
import type { Definition } from "../../model/definition.ts";
import { startRepair } from "../../jobs/repair/repair.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import { spanSeasonAt } from "../../seasons/span-season.ts";
import type { Services } from "../../world/services.ts";

/**
 * Opens and repairs the present seasons of a new board in which somebody is already: the events of these writes counted
 * nothing, as nobody knew the board's decimals.
 *
 * Cost: 1 read for each span; of a season with players what opening and repairing it costs.
 */
export async function countEarlier(
  services: Services,
  leaderboard: string,
  definition: Definition,
): Promise<void> {
  for (const span of definition.spans) {
    const calendars = { definition, running: {} };
    const spanSeason = spanSeasonAt(leaderboard, calendars, span, services.now());
    if ((await byId(services.db, playersPath(spanSeason.key), 1).get()).empty) continue;
    await boardCacheOf(services).open(spanSeason);
    await startRepair(services, spanSeason.key, { kind: "repair", full: false });
  }
}
