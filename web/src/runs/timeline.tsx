/** A chart of the listed runs over time, by one of their figures. */
import { useSignal } from "@preact/signals";
import { useCallback, useMemo } from "preact/hooks";
import uPlot from "uplot";
import type { RevisionRecord } from "../../../functions/src/documents/closing-record.ts";
import type { HistoryRecord, Run } from "../data/documents.ts";
import { formatCompact, formatCount, formatDollars, formatDollarTick } from "../format/numbers.ts";
import { formatDuration, formatDurationTick, formatTick, formatTime } from "../format/times.ts";
import { Card, Segments } from "../parts/card.tsx";
import { Chart, type ChartColours, type ChartOptions, widthOfLabels } from "../parts/chart.tsx";
import { Empty, Skeleton } from "../parts/states.tsx";
import { spentBy } from "./costs.ts";
import { figuresOf, kindName, outcomeOf } from "./describe.ts";
import { freshMs, pausesIn } from "./pauses.ts";
import { pricedRegion } from "./priced-region.ts";

/** Without revisions: their duration is not measured. */
type TimedRecord = Exclude<HistoryRecord, RevisionRecord>;

interface Figure {
  name: string;
  of: (record: TimedRecord) => number | undefined;
  format: (value: number) => string;
  /** On the axis, where that rounds neighbours to one text. */
  tick?: (value: number) => string;
  /** Whether it is a count, so that ticks must be whole numbers. */
  isCount?: true;
}

const figures = {
  duration: {
    name: "Duration",
    of: ({ duration_ms: ms }) => ms,
    format: formatDuration,
    tick: formatDurationTick,
  },
  lag: {
    name: "Lag",
    of: (record) => figuresOf(record).lag,
    format: formatDuration,
    tick: formatDurationTick,
  },
  reads: { name: "Reads", of: ({ billed }) => billed.reads, format: formatCompact, isCount: true },
  writes: {
    name: "Writes",
    of: ({ billed }) => billed.writes + billed.deletes,
    format: formatCompact,
    isCount: true,
  },
  dollars: {
    name: "Dollars",
    of: (record) => spentBy([record], pricedRegion.value).dollars,
    format: formatDollars,
    tick: formatDollarTick,
  },
  retries: { name: "Retries", of: (record) => figuresOf(record).retries, format: formatCount, isCount: true },
} satisfies Record<string, Figure>;
type FigureName = keyof typeof figures;
const choices = (Object.keys(figures) as FigureName[]).map((id) => [id, figures[id].name] as const);

const height = 250;
/** One series of points for each, in the colours of the legend. */
const groups = ["ranking", "audit", "repair", "closing", "failed"] as const;
type Group = (typeof groups)[number];

interface Props {
  runs: readonly Run[];
  isLoading: boolean;
  /** The time between two rankings, from which it follows where the line has a gap. */
  intervalMs: number;
}

export function Timeline({ runs, isLoading, intervalMs }: Props) {
  const shown = useSignal<FigureName>("duration");
  const figure: Figure = figures[shown.value];
  const records = useMemo(
    () => runs.flatMap(({ record }) => (isTimed(record) ? [record] : [])).reverse(),
    [runs, shown.value, pricedRegion.value],
  );
  return (
    <Card
      id="timeline"
      title="Timeline"
      beside={<Segments label="What the timeline shows" choices={choices} value={shown} />}
    >
      {isLoading ? (
        <div class="chart-place timeline-place">
          <Skeleton width={28} />
        </div>
      ) : records.length === 0 ? (
        <Empty icon="clock" title="No run yet">
          A run leaves a record when it publishes, fails, audits or repairs.
        </Empty>
      ) : (
        <Points records={records} figure={figure} intervalMs={intervalMs} />
      )}
    </Card>
  );
}

interface PointsProps extends Pick<Props, "intervalMs"> {
  records: readonly TimedRecord[];
  figure: Figure;
}

function Points({ records, figure, intervalMs }: PointsProps) {
  const data = useMemo((): uPlot.AlignedData => {
    return [
      records.map((record) => timeOf(record) / 1_000),
      ...groups.map((group) =>
        records.map((record) => (groupOf(record) === group ? (figure.of(record) ?? null) : null)),
      ),
    ];
  }, [records, figure]);
  const options = useCallback(
    (colours: ChartColours) => {
      const times = records.filter((record) => groupOf(record) === "ranking").map(timeOf);
      return chartOptions(figure, pausesIn(times, freshMs(intervalMs)), colours);
    },
    [records, figure, intervalMs],
  );
  const present = groups.filter((group) => records.some((record) => groupOf(record) === group));
  return (
    <>
      <Chart
        label={`${figure.name} of ${formatCount(records.length)} runs over time; the table below has each`}
        height={height}
        data={data}
        options={options}
        readout={({ cursor }) => readoutOf(records[cursor.idx ?? -1], figure)}
      />
      <ul class="legend" aria-label="Kinds of runs">
        {present.map((group) => (
          <li key={group} class={`legend-item legend-${group}`}>
            {group}
          </li>
        ))}
      </ul>
    </>
  );
}

function isTimed(record: HistoryRecord | undefined): record is TimedRecord {
  return record !== undefined && record.kind !== "revision";
}

const timeOf = ({ started_at: started }: TimedRecord): number => started.toMillis();

function groupOf(record: TimedRecord): Group {
  return record.outcome === "failed" ? "failed" : record.kind;
}

function readoutOf(record: TimedRecord | undefined, figure: Figure): string | undefined {
  if (record === undefined) return undefined;
  const value = figure.of(record);
  return `${formatTime(record.started_at.toMillis())} · ${kindName(record)}, ${outcomeOf(record).word.toLowerCase()} · ${value === undefined ? "–" : figure.format(value)}`;
}

function tickText({ format, tick = format, isCount }: Figure, value: number): string {
  if (value === 0) return "0";
  return isCount === true && !Number.isInteger(value) ? "" : tick(value);
}

/** @param pauses in milliseconds, without a line. */
function chartOptions(
  figure: Figure,
  pauses: readonly [fromMs: number, toMs: number][],
  colours: ChartColours,
): ChartOptions {
  const colourOf: Record<Group, string> = {
    ranking: colours.main,
    audit: colours.third,
    repair: colours.second,
    closing: colours.fourth,
    failed: colours.bad,
  };
  return {
    padding: [8, 28, 0, 0],
    cursor: { y: false, drag: { x: true, y: false } },
    scales: { y: { range: (_, __, max) => [0, max === 0 ? 1 : max * 1.1] } },
    series: [
      {},
      ...groups.map((group) => ({
        stroke: colourOf[group],
        fill: group === "ranking" ? `color-mix(in srgb, ${colourOf[group]} 12%, transparent)` : "transparent",
        width: group === "ranking" ? 1.5 : 0,
        // The line leaves out pauses, and not the places of other runs.
        gaps: (plot: uPlot): [number, number][] =>
          pauses.map(([fromMs, toMs]) => [xOf(plot, fromMs), xOf(plot, toMs)]),
        points: {
          show: true,
          size: group === "ranking" ? 4 : 8,
          fill: colourOf[group],
          stroke: colourOf[group],
        },
      })),
    ],
    axes: [
      {
        grid: { show: false },
        size: 34,
        space: 80,
        values: (_, splits, __, ___, incr) => splits.map((at) => formatTick(at * 1_000, incr * 1_000)),
      },
      {
        size: widthOfLabels,
        values: (_, splits) => splits.map((value) => tickText(figure, value)),
      },
    ],
  };
}

/** Where a time is, in the canvas's pixels. */
const xOf = (plot: uPlot, ms: number): number => plot.valToPos(ms / 1_000, "x", true);
