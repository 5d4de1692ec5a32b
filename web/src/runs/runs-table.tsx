/** One line for each run; a line opens to its record. */
import type { Signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { PricedRegion } from "../../../cli/prices.ts";
import type { Run } from "../data/documents.ts";
import type { Growing } from "../data/hooks.ts";
import type { RunFilter } from "../data/queries.ts";
import { formatCount, formatDollars } from "../format/numbers.ts";
import { formatDuration } from "../format/times.ts";
import { Card } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { Segments } from "../parts/segments.tsx";
import { ShowMore } from "../parts/show-more.tsx";
import { Empty } from "../parts/states.tsx";
import { Head, LoadingRows, type TableColumn } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { spentBy } from "./costs.ts";
import { billedOf, kindName, lagOf, outcomeOf, retriesOf, shardsOf, summaryOf, tookOf } from "./describe.ts";
import { RunRecordView } from "./run-record.tsx";

interface Props {
  runs: readonly Run[];
  isLoading: boolean;
  filter: Signal<RunFilter>;
  region: PricedRegion;
  history: Growing<Run>;
}

const filters: [RunFilter, string][] = [
  ["all", "All"],
  ["ranking", "Ranking"],
  ["audit", "Audits"],
  ["repair", "Repairs"],
  ["end", "End"],
  ["failed", "Failed"],
];

const columns: TableColumn[] = [
  ["Started", "", 9],
  ["Run", "", 14],
  ["What it did", "wide-only", 18],
  ["Took", "number"],
  ["Lag", "number wide-only"],
  ["Shards", "number wide-only"],
  ["Retries", "number wide-only"],
  ["Reads", "number wide-only"],
  ["Writes", "number wide-only"],
  ["Deletes", "number wide-only"],
  ["Cost", "number", 5],
];

export function RunsTable({ runs, isLoading, filter, region, history }: Props) {
  const [open, setOpen] = useState<string | undefined>(undefined);
  return (
    <Card
      id="runs"
      classes="card-flush"
      title="Runs"
      beside={
        <Segments
          label="Which runs are listed"
          choices={filters}
          value={filter.value}
          onChange={(id) => (filter.value = id)}
        />
      }
    >
      {!isLoading && runs.length === 0 ? (
        <Empty icon="clock" title="No such run" />
      ) : (
        <table class="table table-dense runs">
          <Head columns={columns} />
          <tbody>
            {isLoading ? (
              <LoadingRows columns={columns} rows={10} />
            ) : (
              runs.map((run) => (
                <RunRow
                  key={run.id}
                  run={run}
                  region={region}
                  isOpen={open === run.id}
                  onToggle={() => setOpen(open === run.id ? undefined : run.id)}
                />
              ))
            )}
          </tbody>
        </table>
      )}
      {history.hasMore && (
        <ShowMore isLoading={history.isGrowing} onMore={history.more}>
          Show older runs
        </ShowMore>
      )}
    </Card>
  );
}

interface RowProps {
  run: Run;
  region: PricedRegion;
  isOpen: boolean;
  onToggle: () => void;
}

function RunRow({ run: { id, record }, region, isOpen, onToggle }: RowProps) {
  if (record === undefined) {
    return (
      <tr>
        <td colSpan={columns.length} class="muted">
          Run {id}: its record was written by another release.
        </td>
      </tr>
    );
  }
  const billed = billedOf(record);
  const took = tookOf(record);
  const { word, tone } = outcomeOf(record);
  const [lag, shards, retries] = [lagOf(record), shardsOf(record), retriesOf(record)];
  return (
    <>
      <tr>
        <td>
          <button type="button" class="row-toggle" aria-expanded={isOpen} onClick={onToggle}>
            <Icon name="chevron" size={13} />
            <Ago ms={record.started_at.toMillis()} />
          </button>
        </td>
        <td>
          {kindName(record)} <span class={`chip chip-${tone}`}>{word}</span>
        </td>
        <td class="wide-only run-summary" title={summaryOf(record)}>
          {summaryOf(record)}
        </td>
        <td class="number">
          {record.outcome === "running" ? "…" : took === undefined ? "–" : formatDuration(took)}
        </td>
        <td class="number wide-only">{lag === undefined ? "–" : formatDuration(lag)}</td>
        <td class="number wide-only">{countOr(shards)}</td>
        <td class="number wide-only">{countOr(retries)}</td>
        <td class="number wide-only">{formatCount(billed.reads)}</td>
        <td class="number wide-only">{formatCount(billed.writes)}</td>
        <td class="number wide-only">{formatCount(billed.deletes)}</td>
        <td class="number">{formatDollars(spentBy([record], region).dollars)}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={columns.length} class="record-cell">
            <RunRecordView id={id} record={record} />
          </td>
        </tr>
      )}
    </>
  );
}

function countOr(count: number | undefined): string {
  return count === undefined ? "–" : formatCount(count);
}
