/** One line for each run; a line opens to its record. */
import type { Signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { PricedRegion } from "../../../cli/prices.ts";
import type { HistoryRecord, Run } from "../data/documents.ts";
import type { Growing } from "../data/hooks.ts";
import type { RunFilter } from "../data/queries.ts";
import { formatCount, formatDollars } from "../format/numbers.ts";
import { formatDuration } from "../format/times.ts";
import { Card, Segments, ShowMore } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { spentBy } from "./costs.ts";
import { figuresOf, kindName, outcomeOf, summaryOf } from "./describe.ts";
import { RunRecordView } from "./run-record.tsx";

interface Props {
  runs: readonly Run[];
  isLoading: boolean;
  filter: Signal<RunFilter>;
  region: PricedRegion;
  history: Growing<unknown>;
}

const filters: [RunFilter, string][] = [
  ["all", "All"],
  ["ranking", "Ranking"],
  ["audit", "Audits"],
  ["repair", "Repairs"],
  ["end", "End"],
  ["failed", "Failed"],
];

interface Shown {
  record: HistoryRecord;
  region: PricedRegion;
  isOpen: boolean;
  onToggle: () => void;
}

const columns: readonly Column<Shown>[] = [
  ["Started", startedCell, "", 9],
  ["Run", runCell, "", 14],
  [
    "What it did",
    ({ record }) => <span title={summaryOf(record)}>{summaryOf(record)}</span>,
    "wide-only run-summary",
    18,
  ],
  [
    "Took",
    ({ record }) => (record.outcome === "running" ? "…" : orNone(figuresOf(record).took, formatDuration)),
    "number",
  ],
  ["Lag", ({ record }) => orNone(figuresOf(record).lag, formatDuration), "number wide-only"],
  ["Shards", ({ record }) => orNone(figuresOf(record).shards, formatCount), "number wide-only"],
  ["Retries", ({ record }) => orNone(figuresOf(record).retries, formatCount), "number wide-only"],
  ["Reads", ({ record }) => formatCount(figuresOf(record).billed.reads), "number wide-only"],
  ["Writes", ({ record }) => formatCount(figuresOf(record).billed.writes), "number wide-only"],
  ["Deletes", ({ record }) => formatCount(figuresOf(record).billed.deletes), "number wide-only"],
  ["Cost", ({ record, region }) => formatDollars(spentBy([record], region).dollars), "number", 5],
];

function startedCell({ record, isOpen, onToggle }: Shown) {
  return (
    <button type="button" class="row-toggle" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="chevron" size={13} />
      <Ago ms={record.started_at.toMillis()} />
    </button>
  );
}

function runCell({ record }: Shown) {
  const { word, tone } = outcomeOf(record);
  return (
    <>
      {kindName(record)} <span class={`chip chip-${tone}`}>{word}</span>
    </>
  );
}

function orNone(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? "–" : format(value);
}

export function RunsTable({ runs, isLoading, filter, region, history }: Props) {
  const [open, setOpen] = useState<string | undefined>(undefined);
  const choice = <Segments label="Which runs are listed" choices={filters} value={filter} />;
  return (
    <Card id="runs" classes="card-flush" title="Runs" beside={choice}>
      {!isLoading && runs.length === 0 ? (
        <Empty icon="clock" title="No such run" />
      ) : (
        <Table columns={columns} classes="table-dense runs" loading={isLoading && 10}>
          {runs.map(({ id, record }) => (
            <Row
              key={id}
              {...{ id, record, region }}
              isOpen={open === id}
              onToggle={() => setOpen(open === id ? undefined : id)}
            />
          ))}
        </Table>
      )}
      <ShowMore of={history}>Show older runs</ShowMore>
    </Card>
  );
}

function Row({ id, record, ...shown }: Omit<Shown, "record"> & Pick<Run, "id" | "record">) {
  if (record === undefined)
    return (
      <tr>
        <td colSpan={columns.length} class="muted">
          Run {id}: its record was written by another release.
        </td>
      </tr>
    );
  return (
    <>
      <tr>
        <Cells columns={columns} row={{ record, ...shown }} />
      </tr>
      {shown.isOpen && (
        <tr>
          <td colSpan={columns.length} class="record-cell">
            <RunRecordView id={id} record={record} />
          </td>
        </tr>
      )}
    </>
  );
}
