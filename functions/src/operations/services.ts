/** The services of all operations: the world, and what an instance keeps in memory. */
import type { Timestamp } from "../documents/firestore.ts";
import { boardCacheMs, endWaitMs, shardBytesMax, slotMs } from "../model/limits.ts";
import { createOwnShards } from "../counting/own-shards.ts";
import { createLiveReads } from "../reading/live-sums.ts";
import { createPageCache } from "../reading/page-cache.ts";
import { createQuiet } from "../reading/quiet.ts";
import type { ReadingServices } from "../reading/services.ts";
import { createTopReads } from "../reading/top-reads.ts";
import { createBoardCache } from "../seasons/board.ts";
import { createFinalTables, type FinalTables } from "../standings/final-tables.ts";
import { createSubmissionLanes, type SubmitServices } from "../submit/record-submissions.ts";
import { createTopGates, type TopServices } from "../top/gate-memory.ts";
import type { Accounts } from "../world/accounts.ts";
import { createProfileWaits, createServers } from "./caller-memory.ts";
import { createMeter } from "../world/meter.ts";
import type { EnqueueJob } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

export interface Services extends TopServices, ReadingServices, SubmitServices {
  standings: FinalTables;
  tops: ReturnType<typeof createTopReads>;
  servers: ReturnType<typeof createServers>;
  profileWaits: ReturnType<typeof createProfileWaits>;
}

const noAccounts = () => Promise.reject(new Error("this process has no access to accounts"));

const defaults = {
  boardCacheMs,
  /** The next step of a season's end waits for the schedule; a repair too large for one step fails. */
  enqueueJob: (({ job }) =>
    job === "end"
      ? Promise.resolve()
      : Promise.reject(new Error(`there is no queue for the next step: ${job}`))) as EnqueueJob,
  accounts: { find: noAccounts, setClaims: noAccounts, guestOf: noAccounts } as Accounts,
  /** The top waits for the next publication. */
  enqueueTopRefresh: () => Promise.resolve(),
  databaseMs: (readTime: Timestamp) => readTime.toMillis(),
  deadline: () => ({ passed: new Promise<never>(() => undefined), cancel: () => undefined }),
  shardCommitsApartMs: 0,
  slotMs,
  endWaitMs,
};

type Parts = Omit<World, keyof typeof defaults | "meter"> & Partial<Pick<World, keyof typeof defaults>>;

/** Services with their caches; `boardCacheMs` is how long definitions and seasons are kept. */
export function createServices(parts: Parts): Services {
  const rest: World = { ...defaults, ...parts, meter: createMeter(parts.db) };
  const boards = createBoardCache({ ...rest, keepMs: rest.boardCacheMs });
  const pages = createPageCache({ ...rest, boards });
  const { now, newId, shardCommitsApartMs: apartMs } = rest;
  // Under a name that no other process has.
  const shards = createOwnShards({ now, process: newId(), apartMs, bytesMax: shardBytesMax });
  const counting = { ...rest, boards, shards, alarms: new Map<string, number>() };
  return {
    ...counting,
    submissions: createSubmissionLanes(counting),
    pages,
    standings: createFinalTables({ ...rest, pages }),
    gates: createTopGates(rest),
    tops: createTopReads(rest),
    servers: createServers(rest),
    profileWaits: createProfileWaits(rest),
    live: createLiveReads({ ...rest, pages }),
    quiet: createQuiet(rest),
  };
}
