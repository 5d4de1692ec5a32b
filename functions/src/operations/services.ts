/** All that operations are given: the world, and what an instance remembers. */
import type { Timestamp } from "../documents/firestore.ts";
import { boardCacheMs as boardCacheMsDefault, slotMs as slotMsDefault } from "../model/limits.ts";
import { createPageCache, type ReadingServices } from "../reading/page-cache.ts";
import { createStandingsReads } from "../reading/standings-reads.ts";
import { createTopReads, type TopReads } from "../reading/top-reads.ts";
import { createBoardCache } from "../seasons/board.ts";
import { createTopGates, type TopServices } from "../top/gate-memory.ts";
import { createMeter } from "../world/meter.ts";
import type { EnqueueRepair } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

export interface Services extends TopServices, ReadingServices {
  tops: TopReads;
}

/** What has a default. */
type Optional = "boardCacheMs" | "enqueueRepair" | "enqueueTopRefresh" | "databaseMs" | "slotMs";

/**
 * Services with their caches; `boardCacheMs` is how long definitions and seasons are kept. Without `enqueueRepair`,
 * a repair too large for one step fails; without `enqueueTopRefresh` the top waits for the next publication.
 */
export function createServices(
  parts: Omit<World, Optional | "meter"> & Partial<Pick<World, Optional>>,
): Services {
  const {
    boardCacheMs = boardCacheMsDefault,
    enqueueRepair = noQueue,
    enqueueTopRefresh = () => Promise.resolve(),
    databaseMs = (readTime: Timestamp) => readTime.toMillis(),
    slotMs = slotMsDefault,
    ...others
  } = parts;
  const rest = {
    ...others,
    boardCacheMs,
    meter: createMeter(others.db),
    enqueueRepair,
    enqueueTopRefresh,
    databaseMs,
    slotMs,
  };
  const boards = createBoardCache({ ...rest, keepMs: boardCacheMs });
  const pages = createPageCache({ ...rest, boards });
  return {
    ...rest,
    boards,
    pages,
    standings: createStandingsReads({ ...rest, pages }),
    gates: createTopGates(rest),
    tops: createTopReads(rest),
  };
}

const noQueue: EnqueueRepair = () =>
  Promise.reject(new Error("there is no queue for the next step of a repair"));
