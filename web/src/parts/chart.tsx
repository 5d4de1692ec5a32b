/** A chart drawn by uPlot, as wide as its container, in the colours of the theme, with what is under the pointer above. */
import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";
import { useEffect, useRef, useState } from "preact/hooks";
import { theme } from "../theme.ts";

const colours = ["main", "second", "third", "fourth", "bad", "text", "grid", "fill"] as const;
/** The colours of tokens.css that charts use, as they are now. */
export type ChartColours = Record<(typeof colours)[number], string>;

export type ChartOptions = Omit<uPlot.Options, "width" | "height">;

interface ChartProps {
  /** What the chart shows, for screen readers. */
  label: string;
  height: number;
  data: uPlot.AlignedData;
  /** Everything but the size, and the style of axes. Called again when the data or the colours change. */
  options: (colours: ChartColours) => ChartOptions;
  /** What is under the pointer, in words. */
  readout: (plot: uPlot) => string | undefined;
}

export function Chart({ label, height, data, options, readout }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      const size = { width: element.clientWidth, height };
      const now = coloursOf(element);
      const { hooks, axes = [], ...others } = options(now);
      const styled = axes.map((axis) => ({ ...axisStyle(now), ...axis }));
      const setCursor = [(drawn: uPlot) => setPointed(readout(drawn))];
      const shown = { legend: { show: false }, axes: styled, hooks: { ...hooks, setCursor } };
      plot = new uPlot({ ...others, ...size, ...shown }, data, element);
    };
    draw();
    const resized = new ResizeObserver(() => {
      if (plot !== undefined && plot.width !== element.clientWidth)
        plot.setSize({ width: element.clientWidth, height });
    });
    resized.observe(element);
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", draw);
    return () => {
      system.removeEventListener("change", draw);
      resized.disconnect();
      plot?.destroy();
    };
  }, [data, options, height, theme.value]);
  return (
    <>
      <p class="readout numbers" aria-hidden="true">
        {pointed ?? "\u00a0"}
      </p>
      <div ref={place} class="chart" role="img" aria-label={label} style={{ height: `${height}px` }} />
    </>
  );
}

const [fontPx, fontFamily] = [11.5, "'Inter Variable', system-ui, sans-serif"];
const [tickPx, gapPx] = [4, 5];

/** How wide an axis's label is, in CSS pixels. */
export function labelWidth({ ctx }: uPlot, label: string): number {
  ctx.save();
  ctx.font = `${fontPx}px ${fontFamily}`;
  const { width } = ctx.measureText(label);
  ctx.restore();
  return Math.ceil(width);
}

/** Of an axis at the left: as wide as its longest label, which then is not cut off. */
export const widthOfLabels = (plot: uPlot, labels: readonly string[] | null): number =>
  tickPx + 2 * gapPx + Math.max(16, ...(labels ?? []).map((label) => labelWidth(plot, label)));

/** The style of axes in all charts. */
function axisStyle({ text, grid }: ChartColours): Partial<uPlot.Axis> {
  return {
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: tickPx },
    gap: gapPx,
    font: `${fontPx}px ${fontFamily}`,
  };
}

function coloursOf(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const found = colours.map((name) => [name, style.getPropertyValue(`--chart-${name}`).trim()]);
  return Object.fromEntries(found) as ChartColours;
}
