/** What the listed runs cost. */
import type { Signal } from "@preact/signals";
import { isLeast, type PricedRegion, prices, pricesAsOf } from "../../../cli/prices.ts";
import { recordsOf, type Run } from "../data/documents.ts";
import { formatCount, formatDollars, formatMany } from "../format/numbers.ts";
import { formatDuration } from "../format/times.ts";
import { Card } from "../parts/card.tsx";
import { Skeleton } from "../parts/states.tsx";
import { costsOf } from "./costs.ts";

interface Props {
  runs: readonly Run[];
  isLoading: boolean;
  region: Signal<PricedRegion>;
}

const regions = Object.keys(prices) as PricedRegion[];

export function Costs({ runs, isLoading, region }: Props) {
  const records = recordsOf(runs);
  const { spent, changes, changing, dollars, spanMs, month } = costsOf(records, region.value);
  const most = changes === 0 ? "" : ", at most";
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
        {isLoading ? (
          <Skeleton width={6} />
        ) : (
          <>
            {isLeast(region.value) && "≥ "}
            {formatDollars(dollars)}
            {changes > 0 && <span class="hint">at most</span>}
          </>
        )}
      </p>
      <p class="hint numbers cost-note">
        {isLoading
          ? "\u00a0"
          : `${formatMany(records.length, "run")}${spanMs === 0 ? "" : ` over ${formatDuration(spanMs)}`}, and ${formatMany(changes, "changed score")}`}
      </p>
      <dl class="record-fields cost-parts">
        <Part
          name={`Firestore: ${formatCount(spent.reads)} reads, ${formatCount(spent.writes)} writes, ${formatCount(spent.deletes)} deletes`}
        >
          {formatDollars(spent.firestore)}
        </Part>
        <Part
          name={`Functions: ${formatMany(spent.invocations, "call")}, ${formatMany(Math.round(spent.processorSeconds), "processor second")}`}
        >
          {formatDollars(spent.functions)}
        </Part>
        <Part name={`${formatMany(changes, "changed score")}${most}`}>{formatDollars(changing)}</Part>
        <Part name={`A month at this rate${most}`}>
          {month === undefined ? "after an hour of runs" : formatDollars(month)}
        </Part>
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

function Part({ name, children }: { name: string; children: string }) {
  return (
    <div class="record-field">
      <dt>{name}</dt>
      <dd class="numbers">{children}</dd>
    </div>
  );
}
