/** What was measured, as the tables of docs/serve.md. */
import { table } from "../report/markdown.ts";
import type { Sample } from "./contest.ts";
import type { Measured } from "./load.ts";
import { ratioOf, spreadFor, type Spread } from "./summary.ts";

/** Markdown: for each system and kind what it reached, and how that stands to `base`. */
export function resultTable(samples: readonly Sample[], base: string, kinds: readonly string[]): string {
  const systems = [...new Set(samples.map(({ system }) => system))];
  const [busy = "", alone = ""] = kinds;
  const rows = systems.map((system) => {
    const of = (kind: string, measure: keyof Measured) => spreadFor(samples, system, kind, measure);
    const times = (kind: string) =>
      `${digits(of(kind, "p50Ms").median)} / ${digits(of(kind, "p99Ms").median)}`;
    const ratio = (measure: keyof Measured) =>
      system === base ? "1" : withSpread(ratioOf(samples, [base, system], busy, measure));
    return [
      system,
      withSpread(of(busy, "perCoreSecond")),
      ratio("perCoreSecond"),
      withSpread(of(busy, "perSecond")),
      ratio("perSecond"),
      `${digits(100 * of(busy, "coreShare").median)} %`,
      times(busy),
      times(alone),
      digits(of(busy, "databaseCpuMs").median),
    ];
  });
  const head = [
    "system",
    "requests for a second of the function's CPU",
    `${base}: times as many`,
    "answered a second",
    `${base}: times as many`,
    "of a core",
    "busy: p50 / p99, ms",
    "one at a time: p50 / p99, ms",
    "database's CPU for a request, ms",
  ];
  return table([head, ...rows]);
}

/** A median with its spread: "5,120 (4,980–5,300)". */
export function withSpread({ median, least, most }: Spread): string {
  return `${digits(median)} (${digits(least)}–${digits(most)})`;
}

/** Three significant digits, and no more of a large number than its whole part. */
export function digits(value: number): string {
  const rounded = value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 6 });
}
