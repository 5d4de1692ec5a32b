/** A hook for the runs of a season: the newest, live, and more of them on demand. */
import { useRef, useState } from "preact/hooks";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { readRun, type Run } from "../data/documents.ts";
import { type Growing, useLiveQuery } from "../data/hooks.ts";
import { type RunFilter, runsOf } from "../data/queries.ts";
import { valueOf } from "../parts/states.tsx";

const runsAtFirst = 100;

/**
 * The newest runs of a season that match a filter, the last first: a hundred, and twice as many each time. Cost: 1 read
 * each, again when there are to be more, and 1 for each run that changes.
 */
export function useRuns(key: SeasonKey, filter: RunFilter): Growing<Run> {
  const of = `${JSON.stringify(key)} ${filter}`;
  const [wanted, setWanted] = useState({ of, limit: runsAtFirst });
  const limit = wanted.of === of ? wanted.limit : runsAtFirst;
  const list = useLiveQuery(runsOf(key, filter, limit), readRun);
  const last = useRef(list);
  if (list.state !== "loading" || limit === runsAtFirst) last.current = list;
  return {
    list: last.current,
    hasMore: valueOf(last.current)?.length === limit,
    isGrowing: last.current !== list,
    more: () => setWanted({ of, limit: 2 * limit }),
  };
}
