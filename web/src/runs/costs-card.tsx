/** What the listed runs cost. */
import type { Signal } from "@preact/signals";
import { isLeast, type PricedRegion, prices, pricesAsOf } from "../../../cli/prices.ts";
import { recordsOf, type Run } from "../data/documents.ts";
import { formatCount, formatDollars, formatMany } from "../format/numbers.ts";
import { formatDuration } from "../format/times.ts";
import { Card } from "../parts/card.tsx";
import { Skeleton } from "../parts/states.tsx";
import { changesIn, monthly, spentBy, spentOnChanges } from "./costs.ts";

interface Props {
  runs: readonly Run[];
  isLoading: boolean;
  region: Signal<PricedRegion>;
}

const regions = Object.keys(prices) as PricedRegion[];

export function Costs({ runs, isLoading, region }: Props) {
  const records = recordsOf(runs);
  const spent = spentBy(records, region.value);
  const changes = changesIn(records);
  const changing = spentOnChanges(changes, region.value);
  const spanMs = spanOf(records.map(({ started_at: started }) => started.toMillis()));
  const month = monthly(spent.dollars + changing.dollars, spanMs);
  const atLeast = isLeast(region.value) ? "≥ " : "";
  const choice = (
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
  );
  return (
    <Card id="costs" title="Cost" beside={choice}>
      <p class="cost-sum numbers">
        {isLoading ? <Skeleton width={6} /> : `${atLeast}${formatDollars(spent.dollars)}`}
      </p>
      <p class="hint numbers cost-note">
        {isLoading
          ? "\u00a0"
          : `${formatMany(records.length, "run")}${spanMs === 0 ? "" : ` over ${formatDuration(spanMs)}`}: ${formatCount(spent.reads)} reads, ${formatCount(spent.writes)} writes, ${formatCount(spent.deletes)} deletes`}
      </p>
      <dl class="record-fields cost-parts">
        <Part name="Firestore" dollars={spent.firestore} />
        <Part
          name={`Functions: ${formatMany(spent.invocations, "call")}, ${formatMany(Math.round(spent.processorSeconds), "processor second")}`}
          dollars={spent.functions}
        />
        <Part name={`${formatMany(changes, "changed score")}, at most`} dollars={changing.dollars} />
        <Part name="A month at this rate, at most" dollars={month} />
      </dl>
      {isLeast(region.value) && (
        <p class="hint">
          At least: Enterprise edition bills each 4 KiB read, each 1 KiB written and each index entry.
        </p>
      )}
      <p class="hint">
        List prices of {pricesAsOf}, before the free quota. A changed score is 1 read, 2 writes and calls of
        submitScore and the trigger. What players read is not included.
      </p>
    </Card>
  );
}

function Part({ name, dollars }: { name: string; dollars: number | undefined }) {
  return (
    <div class="record-field">
      <dt>{name}</dt>
      <dd class="numbers">{dollars === undefined ? "–" : formatDollars(dollars)}</dd>
    </div>
  );
}

function spanOf(times: readonly number[]): number {
  const first = times.at(-1);
  const last = times[0];
  return first === undefined || last === undefined ? 0 : last - first;
}
