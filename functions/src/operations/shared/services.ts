/** Makes the services of an instance (world/services.ts), whatever process it is in. */
import type { Timestamp } from "../../documents/firestore.ts";
import { finalMembers } from "../../league/final-members.ts";
import { boardCacheMs, endWaitMs, slotMs } from "../../model/limits.ts";
import { parameters } from "../../model/parameters.ts";
import { finalViews } from "../../reading/final-views.ts";
import { finalTablesOf } from "../../standings/final-tables.ts";
import { finalTops } from "../../top/gate-memory.ts";
import type { Accounts } from "../../world/accounts.ts";
import { createMeter } from "../../world/meter.ts";
import type { Services } from "../../world/services.ts";
import type { EnqueueJob } from "../../world/tasks.ts";

/** Bytes of the unit of `MEMORY_MIB`. */
export const bytesPerMib = 1_048_576;

const noAccounts = () => Promise.reject(new Error("this process has no access to accounts"));

const defaults = {
  boardCacheMs,
  memoryBytes: Number(parameters.MEMORY_MIB.default) * bytesPerMib,
  /** The next step waits for the schedule; a repair too large for one step fails. */
  enqueueJob: (({ job }) =>
    job === "audit" || job === "repair"
      ? Promise.reject(new Error(`there is no queue for the next step: ${job}`))
      : Promise.resolve()) as EnqueueJob,
  callMsMax: Infinity,
  accounts: {
    find: noAccounts,
    findAll: noAccounts,
    setClaims: noAccounts,
    guestOf: noAccounts,
  } as Accounts,
  /** The top waits for the next publication. */
  enqueueTopRefresh: () => Promise.resolve(),
  databaseMs: (readTime: Timestamp) => readTime.toMillis(),
  deadline: () => ({ passed: new Promise<never>(() => undefined), cancel: () => undefined }),
  opener: "app" as Services["opener"],
  shardCommitsApartMs: 0,
  slotMs,
  endWaitMs,
};

/** What each instance has of its own. */
type Own = "meter" | "process" | "memory";

type ServicesGiven = Omit<Services, keyof typeof defaults | Own> &
  Partial<Pick<Services, keyof typeof defaults>>;

/** What lower folders need of final tables: in place of the key, which throws, the value is called. */
const madeAbove = new Map<unknown, (services: Services) => unknown>([
  [finalTops, finalTablesOf],
  [finalViews, finalTablesOf],
  [finalMembers, finalTablesOf],
]);

/** The services of an instance with an empty memory. `boardCacheMs` is how long it keeps definitions and seasons. */
export function createServices(parts: ServicesGiven): Services {
  const remembered = new Map<unknown, unknown>();
  const services: Services = {
    ...defaults,
    ...parts,
    meter: createMeter(parts.db),
    process: parts.newId(),
    memory<Kept>(make: (services: Services) => Kept): Kept {
      if (!remembered.has(make)) remembered.set(make, (madeAbove.get(make) ?? make)(services));
      return remembered.get(make) as Kept;
    },
  };
  return services;
}
