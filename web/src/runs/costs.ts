/** What runs cost, and what they would have cost with the other source. Pure. */
import { cost, type PricedRegion, prices } from "../../../functions/src/model/prices.ts";

import type { HistoryRecord } from "../data/documents.ts";
import { billedOf } from "./describe.ts";

export interface Spent {
  runs: number;
  reads: number;
  writes: number;
  deletes: number;
  /** The cost of the runs' own operations. */
  dollars: number;
}

/** The prices of a database's location and edition; those of us-central1 if they are unknown. */
export function pricedAs(location: string | undefined, edition = "standard"): PricedRegion {
  if (edition.toLowerCase() === "enterprise") return "us-central1, Enterprise";
  const regions = Object.keys(prices) as PricedRegion[];
  // Firebase's older name of the multi-region.
  const name = location === "us-central" ? "nam5" : location;
  return regions.find((region) => region === name) ?? "us-central1";
}

/** What some runs cost together. */
export function spentBy(records: readonly HistoryRecord[], region: PricedRegion): Spent {
  const sum = { reads: 0, writes: 0, deletes: 0 };
  for (const billed of records.map(billedOf)) {
    sum.reads += billed.reads;
    sum.writes += billed.writes;
    sum.deletes += billed.deletes;
  }
  return { runs: records.length, ...sum, dollars: cost(sum, region) };
}

/** Both sources, over the same intervals. */
export interface Comparison {
  intervals: number;
  /**
   * With `index`, including the indexing of the changes; undefined on a counted board, which does not record changes.
   */
  index: number | undefined;
  count: number;
}

/** What the intervals of some published runs cost with either source, in dollars; undefined if no run tells. */
export function compareSourcesOf(
  records: readonly HistoryRecord[],
  region: PricedRegion,
): Comparison | undefined {
  const sources = records.flatMap((record) =>
    record.kind === "ranking" && record.sources !== null ? [record.sources] : [],
  );
  if (sources.length === 0) return undefined;
  const isIndexKnown = sources.every(({ index }) => index !== null);
  const total = (dollars: readonly number[]) => dollars.reduce((a, b) => a + b, 0);
  return {
    intervals: sources.length,
    index: isIndexKnown
      ? total(sources.map(({ index }) => (index === null ? 0 : cost(index, region))))
      : undefined,
    count: total(sources.map(({ count }) => cost(count, region))),
  };
}
