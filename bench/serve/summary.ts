/** Medians, spreads and ratios of what was measured. Pure. */
import type { Sample } from "./contest.ts";
import { type Measured, quantile } from "./load.ts";

export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** @throws if there is nothing to summarize. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) throw new Error("there is nothing to summarize");
  return { median: quantile(sorted, 0.5), least, most };
}

/** A measure of one system over all repeats of one kind. */
export function spreadFor(
  samples: readonly Sample[],
  system: string,
  kind: string,
  measure: keyof Measured,
): Spread {
  return spreadOf(picked(samples, system, kind).map((sample) => sample[measure]));
}

/** How many times as much of a measure one system has as another: repeat by repeat, as both met the same machine then. */
export function ratioOf(
  samples: readonly Sample[],
  [of, to]: readonly [string, string],
  kind: string,
  measure: keyof Measured,
): Spread {
  const others = new Map(picked(samples, to, kind).map((sample) => [sample.repeat, sample[measure]]));
  return spreadOf(
    picked(samples, of, kind).map((sample) => sample[measure] / (others.get(sample.repeat) ?? NaN)),
  );
}

function picked(samples: readonly Sample[], system: string, kind: string): Sample[] {
  return samples.filter((sample) => sample.system === system && sample.kind === kind);
}
