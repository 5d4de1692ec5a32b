/** A hook for the runs of a season: the newest live, older ones on demand, without gaps. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { readRun, type Run } from "../data/documents.ts";
import { type Growing, useGrowingList, useLiveQuery } from "../data/hooks.ts";
import { type RunFilter, runsOf } from "../data/queries.ts";
import { valueOf } from "../parts/states.tsx";
import { asIn, hasGap, merged } from "./merge-runs.ts";

/** The number of live runs, and of older runs in one request. */
const liveRuns = 20;
const runsPerStretch = 100;

export interface SeasonRuns {
  /** The last first. */
  runs: readonly Run[];
  history: Growing<Run>;
}

/**
 * The runs of a season that match a filter. The live list moves on, and the history is read once; runs that leave the
 * live list are kept, so that there is no gap.
 *
 * Cost: 20 reads and 1 for each run that changes; 100 reads for each stretch of the history.
 * @param repairs audits and repairs that are listened to anyway: they keep a run up to date that has left the
 * live list but has not ended.
 * @param onGap called when the live list has moved on by more than it holds, for instance in a tab that slept: runs
 * were missed, so everything must be read again.
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
  /** Whether there may be a gap. */
  isTorn: boolean;
}

/** All runs that the live list has held for the same `of`. */
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
