/** The services of all operations: the world, and what an instance keeps in memory. */
import type { Timestamp } from "../documents/firestore.ts";
import {
  boardCacheMs as boardCacheMsDefault,
  endWaitMs as endWaitMsDefault,
  slotMs as slotMsDefault,
} from "../model/limits.ts";
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

/** The parts that have a default. */
type Optional =
  | "boardCacheMs"
  | "enqueueRepair"
  | "enqueueTopRefresh"
  | "enqueueClosing"
  | "databaseMs"
  | "slotMs"
  | "endWaitMs";

/**
 * Services with their caches; `boardCacheMs` is how long definitions and seasons are kept. Without `enqueueRepair`, a
 * repair too large for one step fails; without `enqueueTopRefresh`, the top waits for the next publication; without
 * `enqueueClosing`, the next closing step waits for the schedule.
 */
export function createServices(
  parts: Omit<World, Optional | "meter"> & Partial<Pick<World, Optional>>,
): Services {
  const {
    boardCacheMs = boardCacheMsDefault,
    enqueueRepair = noQueue,
    enqueueTopRefresh = () => Promise.resolve(),
    enqueueClosing = () => Promise.resolve(),
    databaseMs = (readTime: Timestamp) => readTime.toMillis(),
    slotMs = slotMsDefault,
    endWaitMs = endWaitMsDefault,
    ...others
  } = parts;
  const rest = {
    ...others,
    boardCacheMs,
    meter: createMeter(others.db),
    enqueueRepair,
    enqueueTopRefresh,
    enqueueClosing,
    databaseMs,
    slotMs,
    endWaitMs,
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
