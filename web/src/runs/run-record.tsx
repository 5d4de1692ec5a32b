/** A run's whole record, field by field. */
import { cost, type PricedRegion } from "../../../functions/src/model/prices.ts";
import type { HistoryRecord } from "../data/documents.ts";
import { formatCount, formatDollars, formatNumber } from "../format/numbers.ts";
import { formatTime } from "../format/times.ts";
import { flatten } from "./flatten.ts";

export function RunRecordView({
  id,
  record,
  region,
}: {
  id: string;
  record: HistoryRecord;
  region: PricedRegion;
}) {
  const sources = record.kind === "ranking" ? record.sources : null;
  return (
    <div class="record">
      {record.kind !== "revision" && record.error !== undefined && <p class="problem">{record.error}</p>}
      {sources !== null && (
        <p class="hint">
          This interval with the source index:{" "}
          {sources.index === null ? "not known" : formatDollars(cost(sources.index, region))}; with count:{" "}
          {formatDollars(cost(sources.count, region))}. The index is cheaper up to{" "}
          {formatCount(sources.break_even_changes)} score changes per interval.
        </p>
      )}
      <dl class="record-fields">
        <Field name="run" value={id} />
        {flatten(record).map(([name, value]) => (
          <Field key={name} name={name} value={value} />
        ))}
      </dl>
    </div>
  );
}

function Field({ name, value }: { name: string; value: unknown }) {
  return (
    <div class="record-field">
      <dt>{name}</dt>
      <dd class="numbers">{textOf(value)}</dd>
    </div>
  );
}

function textOf(value: unknown): string {
  if (value instanceof Date) return formatTime(value.getTime());
  if (typeof value === "number") return formatNumber(value);
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
