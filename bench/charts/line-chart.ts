/**
 * Line charts as SVG files: drawn by Observable Plot on happy-dom's document, without a browser. A file carries its own
 * background and follows the reader's light or dark setting, so that its text can be read on either.
 */
import * as Plot from "@observablehq/plot";
import { Window } from "happy-dom";

export interface Line {
  name: string;
  /** [x, y]; a y that is not finite interrupts the line. */
  points: (readonly [x: number, y: number])[];
  dashed?: boolean;
}

export interface LineChart {
  title: string;
  /** What the reader must know about the origin of the numbers; lines of about 100 characters. */
  caption: string[];
  x: Axis;
  y: Axis;
  /** Charts side by side, with the same axes. */
  panels: { name: string; lines: Line[] }[];
  /** Horizontal lines with a name. */
  marks?: { name: string; y: number }[];
  /** In pixels; a narrow one has larger text where it fills the width of a phone. */
  width?: number;
}

export interface Axis {
  label: string;
  ticks: number[];
  /** From the first tick to the last, if left out. */
  domain?: [number, number];
  /** {@link shortNumber}, if left out. */
  format?: (value: number) => string;
}

/** 1,000 as 1k and 1,000,000 as 1M, for ticks that would run into each other. */
function shortNumber(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1e3 ? `${value / 1e3}k` : String(value);
}

/** Plot's own types speak of a browser's document, which this project has no types for. */
const draw = Plot.plot as unknown as (options: Omit<Plot.PlotOptions, "document"> & { document: object }) => {
  outerHTML: string;
};

/** Colours that differ in the light, in the dark and to colour-blind eyes (Okabe and Ito's, without black and yellow). */
const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

const size = { plot: 400, top: 40, line: 18 };

/** The text of an SVG file. Both axes are logarithmic. */
export function lineChart(chart: LineChart): string {
  const { title, caption, panels, width = 860 } = chart;
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const legendRows = Math.ceil(names.length / 2);
  const top = size.top + legendRows * size.line + 8;
  const height = top + size.plot + caption.length * size.line + 14;
  const body = plot({ ...chart, width }, names);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="12">`,
    "<style>:root { color: #1f2328; background: #ffffff; } .paper { fill: #ffffff; }",
    "@media (prefers-color-scheme: dark) { :root { color: #e6edf3; background: #0d1117; } .paper { fill: #0d1117; } }</style>",
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text x="16" y="26" font-size="16" font-weight="600" fill="currentColor">${escape(title)}</text>`,
    ...names.map((name, i) => legendEntry(name, i, panels, width)),
    `<g transform="translate(0,${top})">${body}</g>`,
    ...caption.map(
      (text, i) =>
        `<text x="16" y="${top + size.plot + 18 + i * size.line}" fill="currentColor" fill-opacity="0.75">${escape(text)}</text>`,
    ),
    "</svg>\n",
  ].join("\n");
}

function legendEntry(name: string, i: number, panels: LineChart["panels"], width: number): string {
  const dashed = panels.some(({ lines }) => lines.some((line) => line.name === name && line.dashed === true));
  const x = 16 + (i % 2) * (width / 2 - 10);
  const y = size.top + 6 + Math.floor(i / 2) * size.line;
  const dash = dashed ? ' stroke-dasharray="5 3"' : "";
  return (
    `<line x1="${x}" x2="${x + 26}" y1="${y}" y2="${y}" stroke="${colourOf(i)}" stroke-width="2"${dash}/>` +
    `<text x="${x + 34}" y="${y + 4}" fill="currentColor">${escape(name)}</text>`
  );
}

/** The panels, without title and legend. It is one function, as it is one description of axes and marks. */
function plot({ x, y, panels, marks = [], width }: LineChart & { width: number }, names: string[]): string {
  const lines = panels.flatMap((panel) =>
    panel.lines.map((line) => ({ ...line, panel: panel.name, colour: colourOf(names.indexOf(line.name)) })),
  );
  const svg = draw({
    document: new Window().document,
    width,
    height: size.plot,
    marginLeft: 70,
    marginRight: 24,
    marginTop: 34,
    marginBottom: 46,
    style: { fontSize: "12px", background: "none" },
    x: { ...scaleOf(x), labelAnchor: "center" },
    y: { ...scaleOf(y), grid: true, clamp: true },
    fx: { label: null, domain: panels.map(({ name }) => name), padding: 0.1 },
    marks: [
      Plot.frame({ strokeOpacity: 0.3 }),
      ...marks.flatMap((mark) => [
        Plot.ruleY([mark.y], { strokeDasharray: "2 3", strokeOpacity: 0.8 }),
        Plot.text([mark.name], { y: () => mark.y, frameAnchor: "left", dx: 6, dy: -7, textAnchor: "start" }),
      ]),
      ...lines.map((line) =>
        Plot.lineY(
          line.points.map(([px, py]) => ({ px, py: Number.isFinite(py) ? py : NaN, panel: line.panel })),
          {
            x: "px",
            y: "py",
            fx: "panel",
            stroke: line.colour,
            strokeWidth: 2,
            ...(line.dashed === true ? { strokeDasharray: "5 3" } : {}),
            ...(line.points.length <= 12 ? { marker: "dot" as const } : {}),
          },
        ),
      ),
    ],
  });
  return svg.outerHTML.replaceAll("clippath", "clipPath");
}

function scaleOf({ label, ticks, domain = [ticks[0] ?? 1, ticks.at(-1) ?? 10], format = shortNumber }: Axis) {
  return { type: "log", label, domain, ticks, tickFormat: format } as const;
}

function colourOf(i: number): string {
  return colours[i % colours.length] ?? "currentColor";
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
