/** The runs of a season as a hook: the newest live, older ones on demand, and none lost in between. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { readRun, type Run } from "../data/documents.ts";
import { type Growing, useGrowingList, useLiveQuery } from "../data/hooks.ts";
import { type RunFilter, runsOf } from "../data/queries.ts";
import { valueOf } from "../parts/states.tsx";
import { asIn, hasGap, merged } from "./merge-runs.ts";

/** Runs that are listened to, and those that one asks for at once. */
const liveRuns = 20;
const runsPerStretch = 100;

export interface SeasonRuns {
  /** The last first. */
  runs: readonly Run[];
  history: Growing<Run>;
}

/**
 * The runs of a season that a filter lets through. The live list moves on and the history is read once; what leaves
 * the one meanwhile is kept, so that the two stay joined.
 *
 * Cost: 20 reads and 1 for each run that changes; 100 reads for each stretch of the history.
 * @param repairs audits, sweeps and rebuilds that are listened to anyway: one that has left the live list is told of
 * by this one until it has ended.
 * @param onGap called when the live list has moved on by more than it holds, as in a tab that slept: what is between
 * has not been seen, and everything must be read again.
 */
export function useRuns(
  key: SeasonKey,
  { filter, repairs, onGap }: { filter: RunFilter; repairs: readonly Run[] | undefined; onGap: () => void },
): SeasonRuns {
  const live = valueOf(useLiveQuery(runsOf(key, filter, liveRuns), readRun));
  const history = useGrowingList(runsOf(key, filter, runsPerStretch), readRun);
  const { seen, isTorn } = useSeen(`${JSON.stringify(key)} ${filter}`, live);
  useEffect(() => {
    if (isTorn) onGap();
  }, [isTorn]);
  const read = valueOf(history.list);
  const runs = useMemo(() => asIn(repairs ?? [], merged(seen, read ?? [])), [seen, read, repairs]);
  return { runs, history };
}

interface Seen {
  seen: readonly Run[];
  /** Whether runs may be missing among them. */
  isTorn: boolean;
}

/** All runs that a live list has held since it is about `of`. */
function useSeen(of: string, live: readonly Run[] | undefined): Seen {
  const nothing = { of, live: [], seen: [], isTorn: false };
  const kept = useRef<Seen & { of: string; live: readonly Run[] }>(nothing);
  if (kept.current.of !== of) kept.current = nothing;
  const { live: before, seen, isTorn } = kept.current;
  if (live !== undefined && live !== before) {
    kept.current = {
      of,
      live,
      seen: merged(live, seen),
      isTorn: isTorn || hasGap(before, live, liveRuns),
    };
  }
  return kept.current;
}
