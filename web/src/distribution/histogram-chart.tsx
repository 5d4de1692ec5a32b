/** The histogram: a chart, and the same data as a table. */
import { useCallback, useMemo } from "preact/hooks";
import uPlot from "uplot";
import { formatCompact, formatCount, formatMany, formatNumber, formatScore } from "../format/numbers.ts";
import { Chart, type ChartColours, type ChartOptions, labelWidth, widthOfLabels } from "../parts/chart.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { type Bin, type Histogram, placeAmong } from "./bins.ts";
import type { Axis } from "./first-column.ts";
import { type Tick, ticksOf } from "./ticks.ts";

interface Props {
  histogram: Histogram;
  axis: Axis;
  /** The score to mark. */
  marked: number | undefined;
}

const height = 190;
const { bars } = uPlot.paths;
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- uPlot's const enum has no value at run time
const logarithmic = 3 as uPlot.Scale.Distr;

export function HistogramChart({ histogram, axis, marked }: Props) {
  const { bins, isCountLog } = histogram;
  const data = useMemo((): uPlot.AlignedData => {
    // One more place than bins, so that the last bar has its width; a logarithm has no zero.
    const counts = bins.map(({ players }) => (isCountLog && players < 1 ? null : players));
    return [Array.from({ length: bins.length + 1 }, (_, i) => i), [...counts, null]];
  }, [histogram]);
  const place = marked === undefined ? undefined : placeAmong(bins, axis.valueOf(marked));
  const options = useCallback(
    (colours: ChartColours) => chartOptions(histogram, colours, place),
    [histogram, place],
  );
  return (
    <>
      <Chart
        label={labelOf(histogram, axis, marked)}
        height={height}
        data={data}
        options={options}
        readout={(plot) => binText(plot, bins, axis.name)}
      />
      <details class="as-table">
        <summary>As a table</summary>
        <BinsTable bins={bins} name={axis.name} />
      </details>
    </>
  );
}

function chartOptions(
  { bins, isCountLog }: Histogram,
  colours: ChartColours,
  place: number | undefined,
): ChartOptions {
  return {
    padding: [8, (plot) => beyondEnd(plot, bins), 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [0, bins.length] },
      y: isCountLog
        ? { distr: logarithmic, range: (_, __, max) => [0.5, max * 1.5] }
        : { range: (_, __, max) => [0, max * 1.06] },
    },
    series: [
      {},
      {
        fill: colours.fill,
        stroke: colours.fill,
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars({ size: [0.92, 60], align: 1, radius: 0.12 }) }),
      },
    ],
    axes: [
      {
        grid: { show: false },
        splits: ({ width }) => ticksOf(bins, width).map(({ at }) => at),
        values: ({ width }) => ticksOf(bins, width).map(({ text }) => text),
        size: 32,
      },
      {
        // The first label below begins to the left of the first bar.
        size: (plot, labels) =>
          Math.max(widthOfLabels(plot, labels), halfOf(plot, ticksOf(bins, plot.width)[0])),
        values: (_, splits) => splits.map((count) => countText(count, isCountLog)),
      },
    ],
    hooks: {
      draw: place === undefined ? [] : [(plot) => drawMarker(plot, place, colours)],
    },
  };
}

/** Half of a label below the bars, in pixels. */
function halfOf(plot: uPlot, tick: Tick | undefined): number {
  return tick === undefined ? 0 : Math.ceil(labelWidth(plot, tick.text) / 2) + 1;
}

/** How far the last label below reaches to the right of the last bar. */
function beyondEnd(plot: uPlot, bins: readonly Bin[]): number {
  const last = ticksOf(bins, plot.width).at(-1);
  const half = halfOf(plot, last);
  // At least so wide is a bar, beside both axes' labels.
  const barWidth = (plot.width - 2 * half - widthOfLabels(plot, ["10,000"])) / bins.length;
  return Math.max(4, half - barWidth * (bins.length - (last?.at ?? 0)));
}

/** A count on the axis: whole numbers only; on a logarithmic axis only powers of ten. */
function countText(count: number, isLog: boolean): string {
  if (isLog && !Number.isInteger(Math.log10(count))) return "";
  return Number.isInteger(count) ? formatCompact(count) : "";
}

function drawMarker(plot: uPlot, place: number, { second }: ChartColours): void {
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(place, "x", true));
  ctx.save();
  ctx.strokeStyle = second;
  ctx.fillStyle = second;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x, bbox.top + 3 * devicePixelRatio, 4 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.restore();
}

function binText(plot: uPlot, bins: readonly Bin[], name: string): string | undefined {
  const left = plot.cursor.left ?? -1;
  const bin = left < 0 ? undefined : bins[Math.floor(plot.posToVal(left, "x"))];
  if (bin === undefined) return undefined;
  const { from, to, players } = bin;
  return `${formatNumber(from)} to ${formatNumber(to)} ${name === "score" ? "" : `${name} `}· ${formatMany(Math.round(players), "player")}`;
}

function labelOf({ bins }: Histogram, { name, valueOf }: Axis, marked: number | undefined): string {
  const largest = bins.reduce((a, b) => (b.players > a.players ? b : a), { from: 0, to: 0, players: 0 });
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0];
  return (
    `Histogram of ${name} from ${formatNumber(first)} to ${formatNumber(last)}; ` +
    `the largest bar, ${formatMany(Math.round(largest.players), "player")}, from ${formatNumber(largest.from)} to ${formatNumber(largest.to)}` +
    (marked === undefined ? "" : `; marked: ${formatScore(valueOf(marked))}`)
  );
}

function BinsTable({ bins, name }: { bins: readonly Bin[]; name: string }) {
  const columns: Column<Bin>[] = [
    [`From (${name})`, ({ from }) => formatNumber(from), "number"],
    ["To (exclusive)", ({ to }) => formatNumber(to), "number"],
    ["Players", ({ players }) => formatCount(Math.round(players)), "number"],
  ];
  return (
    <Table columns={columns} classes="table-dense">
      {bins.map((bin) => (
        <tr key={bin.from}>
          <Cells columns={columns} row={bin} />
        </tr>
      ))}
    </Table>
  );
}
