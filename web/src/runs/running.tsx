/** Audits and repairs that are under way, with their progress. */
import type { RepairRecord } from "../../../functions/src/documents/repair-record.ts";
import { isRepair, type Run } from "../data/documents.ts";
import { formatCount } from "../format/numbers.ts";
import { Ago } from "../parts/time.tsx";
import { kindName } from "./describe.ts";

export function Running({ runs }: { runs: readonly Run[] }) {
  const running = runs
    .map(({ record }) => record)
    .filter(
      (record): record is RepairRecord =>
        record !== undefined && isRepair(record) && record.outcome === "running",
    );
  return (
    <>
      {running.map((record) => (
        <Progress key={record.run} record={record} />
      ))}
    </>
  );
}

function Progress({ record }: { record: RepairRecord }) {
  const { done, total } = record.progress;
  const label = `${kindName(record)}${record.kind === "repair" ? `, ${record.phase}` : ""}`;
  return (
    <section class="card progress-card" aria-label={`${label} under way`}>
      <div class="progress-head">
        <h2>{label}</h2>
        <span class="hint numbers">
          {formatCount(done)} of {formatCount(total)} documents · started{" "}
          <Ago ms={record.started_at.toMillis()} />
        </span>
      </div>
      <progress
        class="progress"
        value={total === 0 ? undefined : done}
        max={Math.max(1, total)}
        aria-label={label}
      />
    </section>
  );
}
