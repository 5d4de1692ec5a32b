/** An instance's memory of what a change of a player needs to know of tops: the gate (gate.ts) and the pace (pace.ts). */
import { LRUCache } from "lru-cache";
import type { Timestamp, Transaction } from "../documents/firestore.ts";
import { type SeasonKey, topPath } from "../documents/paths.ts";
import type { ListedPlayer } from "../documents/top.ts";
import { topGateKeptMs, topsRenewedMax } from "../model/limits.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import { type Gate, gateIn } from "./gate.ts";
import { type Pace, paceIn } from "./pace.ts";
import type { Services } from "../world/services.ts";

/** The fields of a top document that hold the gate and the pace. */
export const knownFields = ["lowest_score", "lowest_at", "refresh_due_at", "refresh_window_seconds"];

/** What a top needs of final tables. Their folder, standings/, may import this one, and not the reverse. */
export interface FinalTops {
  /**
   * The best players of a closed season, as documents of theirs would be. Cost: 1 read for the summary, and 2 for each 1,000
   * players.
   */
  finalists(
    transaction: Transaction,
    key: SeasonKey,
    limit: number,
  ): Promise<{ listed: ListedPlayer[]; readAt: Timestamp }>;
}

export const finalTopsOf = ({ memory }: Pick<Services, "memory">) => memory(finalTops);

/** Never called: createServices makes what standings/final-tables.ts has instead (operations/shared/services.ts). */
export function finalTops(): FinalTops {
  throw new Error("the services were not made by createServices: nothing makes the tops of final tables");
}

/** How long a top is read whole after too much had changed: until then a publication may have come. */
export const topBusyMs = 60_000;

/** Gates that an instance keeps: of a thousand boards with a change in the last ten seconds. */
export const topGatesKeptMax = 1_000;

/** What an instance remembers of the gates and paces of tops. */
export const topGatesOf = ({ memory }: Pick<Services, "memory">) => memory(createTopGates);

function createTopGates({ db, now }: Pick<Services, "db" | "now">) {
  const known = createSharedReads<{ gate: Gate; pace: Pace | undefined }>({
    now,
    max: topGatesKeptMax,
    keepMs: topGateKeptMs,
  });
  const asked = new LRUCache<string, number>({ max: 2 * topGatesKeptMax });
  let renewing = 0;
  /** Until when refreshes read all players, as too much had changed. */
  const busyUntilMs = new LRUCache<string, number>({ max: topGatesKeptMax });

  async function read(path: string) {
    // The document may have 900 KB.
    const [top] = await db.getAll(db.doc(path), { fieldMask: knownFields });
    const fields = top?.data();
    return { gate: fields && gateIn(fields), pace: paceIn(fields) };
  }

  return {
    /** A season's gate and pace as they were at most ten seconds ago. Cost: 1 read, 0 while in memory or being read. */
    gateOf: async (key: SeasonKey) => (await known.get(topPath(key), () => read(topPath(key)))).value,
    /** Whether so much changes that a refresh need not look for what has changed. */
    isBusy: (key: SeasonKey) => now() < (busyUntilMs.get(topPath(key)) ?? -Infinity),
    busy: (key: SeasonKey) => void busyUntilMs.set(topPath(key), now() + topBusyMs),
    /**
     * Renews a top beside other requests, unless the instance renews as many already as its memory is sure to hold.
     * @returns what the work returns; false if it was not begun.
     */
    async renewed(work: () => Promise<boolean>): Promise<boolean> {
      if (renewing === topsRenewedMax) return false;
      renewing += 1;
      return work().finally(() => {
        renewing -= 1;
      });
    },
    /** The due time of the refresh of this kind that this instance did or requested last. */
    lastAsked: (key: SeasonKey, kind: string) => asked.get(`${topPath(key)}/${kind}`),
    asked: (key: SeasonKey, kind: string, dueMs: number) => void asked.set(`${topPath(key)}/${kind}`, dueMs),
  };
}
