/** What the listed runs cost, and what they would have cost with the other source. */
import type { Signal } from "@preact/signals";
import { isLeast, type PricedRegion, prices, pricesAsOf } from "../../../functions/src/model/prices.ts";
import type { Run } from "../data/documents.ts";
import { formatCount, formatDollars, formatMany } from "../format/numbers.ts";
import { formatDuration } from "../format/times.ts";
import { Skeleton } from "../parts/states.tsx";
import { type Comparison, compareSourcesOf, spentBy } from "./costs.ts";

interface Props {
  runs: readonly Run[];
  isLoading: boolean;
  region: Signal<PricedRegion>;
}

const regions = Object.keys(prices) as PricedRegion[];

export function Costs({ runs, isLoading, region }: Props) {
  const records = runs.map(({ record }) => record).filter((record) => record !== undefined);
  const spent = spentBy(records, region.value);
  const spanMs = spanOf(records.map(({ started_at: started }) => started.toMillis()));
  return (
    <section class="card" aria-labelledby="costs-heading">
      <div class="card-head">
        <h2 id="costs-heading">Cost</h2>
        <label class="inline-field hint">
          Prices of
          <select
            class="input select-small"
            value={region.value}
            onChange={({ currentTarget }) => {
              region.value = regions.find((name) => name === currentTarget.value) ?? "us-central1";
            }}
          >
            {regions.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <p class="cost-sum numbers">
        {isLoading ? (
          <Skeleton width={6} />
        ) : (
          `${isLeast(region.value) ? "≥ " : ""}${formatDollars(spent.dollars)}`
        )}
      </p>
      <p class="hint numbers cost-note">
        {isLoading
          ? "\u00a0"
          : `${formatMany(spent.runs, "run")}${spanMs === 0 ? "" : ` over ${formatDuration(spanMs)}`}: ${formatCount(spent.reads)} reads, ${formatCount(spent.writes)} writes, ${formatCount(spent.deletes)} deletes`}
      </p>
      <Sources comparison={compareSourcesOf(records, region.value)} isLoading={isLoading} />
      {isLeast(region.value) && (
        <p class="hint">
          At least: Enterprise edition bills each 4 KiB read, each 1 KiB written and each index entry.
        </p>
      )}
      <p class="hint">
        List prices of {pricesAsOf}, before the free quota and without the functions themselves.
      </p>
    </section>
  );
}

function Sources({ comparison, isLoading }: { comparison: Comparison | undefined; isLoading: boolean }) {
  if (comparison === undefined && !isLoading) return null;
  const { index, count, intervals } = comparison ?? { index: 0, count: 0, intervals: 0 };
  const largest = Math.max(index ?? 0, count);
  return (
    <div class="sources">
      <p class="hint">{`${formatMany(intervals, "interval")}, with the indexing of their changes:`}</p>
      <SourceBar name="index" dollars={index} largest={largest} />
      <SourceBar name="count" dollars={count} largest={largest} />
    </div>
  );
}

function SourceBar({
  name,
  dollars,
  largest,
}: {
  name: string;
  dollars: number | undefined;
  largest: number;
}) {
  const share = dollars === undefined || largest === 0 ? 0 : dollars / largest;
  return (
    <div class="source">
      <span class="source-name">{name}</span>
      <span class="source-track" aria-hidden="true">
        <span class={`source-bar source-${name}`} style={{ width: `${100 * share}%` }} />
      </span>
      <span class="source-cost numbers">{dollars === undefined ? "not known" : formatDollars(dollars)}</span>
    </div>
  );
}

function spanOf(times: readonly number[]): number {
  const first = times.at(-1);
  const last = times[0];
  return first === undefined || last === undefined ? 0 : last - first;
}
