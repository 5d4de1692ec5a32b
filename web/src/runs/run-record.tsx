/** A run's whole record, field by field. */
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import type { HistoryRecord } from "../data/documents.ts";
import { formatNumber } from "../format/numbers.ts";
import { formatTime } from "../format/times.ts";
import { leftOutSaid } from "../../../functions/src/model/segments.ts";

export function RunRecordView({ id, record }: { id: string; record: HistoryRecord }) {
  return (
    <div class="record">
      {record.kind !== "revision" && record.error !== undefined && <p class="problem">{record.error}</p>}
      {record.kind === "ranking" && record.found.left_out && (
        <p class="problem">{leftOutSaid(record.found.left_out)}</p>
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

/** The fields of a record and of what is inside it, named by their path: `billed.reads`. */
function flatten(value: object, prefix = ""): [name: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] => {
    const isPlain =
      typeof inner === "object" && inner !== null && !Array.isArray(inner) && !(inner instanceof Timestamp);
    return isPlain ? flatten(inner, `${prefix}${key}.`) : [[`${prefix}${key}`, inner]];
  });
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
  if (value instanceof Timestamp) return formatTime(value.toMillis());
  if (typeof value === "number") return formatNumber(value);
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
