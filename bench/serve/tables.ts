/** What was measured, as the table of docs/serve.md. */
import { quantile } from "../quantile.ts";
import { table } from "../report/markdown.ts";
import type { Sample } from "./contest.ts";
import type { Measured } from "./load.ts";

/** Markdown: for each system what it reached when `busy` and `alone`, and how that stands to the first one. */
export function resultTable(samples: readonly Sample[]): string {
  const [base = "", ...others] = new Set(samples.map(({ system }) => system));
  const rows = [base, ...others].map((system) => {
    const of = (measure: keyof Measured, kind = "busy") =>
      picked(samples, system, kind).map((one) => one[measure]);
    const times = (kind: string) => `${median(of("p50Ms", kind))} / ${median(of("p99Ms", kind))}`;
    const ratio = (measure: keyof Measured) =>
      system === base ? "1" : withSpread(ratiosOf(samples, [base, system], measure));
    return [
      system,
      withSpread(of("perCoreSecond")),
      ratio("perCoreSecond"),
      withSpread(of("perSecond")),
      ratio("perSecond"),
      `${median(of("coreShare").map((share) => 100 * share))} %`,
      times("busy"),
      times("alone"),
      median(of("databaseCpuMs")),
    ];
  });
  const head =
    `system|requests for a second of the function's CPU|${base}: times as many|answered a second|${base}: times as many|` +
    "of a core|busy: p50 / p99, ms|one at a time: p50 / p99, ms|database's CPU for a request, ms";
  return table(head, rows);
}

/** How many times as much of a measure one system has as another: repeat by repeat, as both met the same machine then. */
export function ratiosOf(
  samples: readonly Sample[],
  [of, to]: readonly [string, string],
  measure: keyof Measured,
): number[] {
  const others = picked(samples, to, "busy");
  return picked(samples, of, "busy").map((one, i) => one[measure] / (others[i]?.[measure] ?? NaN));
}

function picked(samples: readonly Sample[], system: string, kind: string): Sample[] {
  return samples.filter((sample) => sample.system === system && sample.kind === kind);
}

/** A median with its spread: "5,120 (4,980–5,300)". */
function withSpread(values: readonly number[]): string {
  return `${median(values)} (${digits(Math.min(...values))}–${digits(Math.max(...values))})`;
}

function median(values: readonly number[]): string {
  return digits(quantile(values, 0.5));
}

/** Three significant digits, and no more of a large number than its whole part. */
export function digits(value: number): string {
  const rounded = value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 6 });
}
