/** What was measured, as the tables of docs/serve.md. */
import type { Sample } from "./contest.ts";
import { ratioOf, spreadFor, type Spread } from "./summary.ts";

/** Markdown: for each system and kind what it reached, and how that stands to `base`. */
export function resultTable(samples: readonly Sample[], base: string, kinds: readonly string[]): string {
  const systems = [...new Set(samples.map(({ system }) => system))];
  const [busy = "", alone = ""] = kinds;
  const rows = systems.map((system) => {
    const of = (kind: string, measure: "perSecond" | "p50Ms" | "p99Ms") =>
      spreadFor(samples, system, kind, measure);
    const cpu = (measure: "functionCpuMs" | "databaseCpuMs") =>
      digits(spreadFor(samples, system, busy, measure).median);
    return [
      system,
      withSpread(of(busy, "perSecond")),
      system === base ? "1" : withSpread(ratioOf(samples, [base, system], busy, "perSecond")),
      `${digits(of(busy, "p50Ms").median)} / ${digits(of(busy, "p99Ms").median)}`,
      `${digits(of(alone, "p50Ms").median)} / ${digits(of(alone, "p99Ms").median)}`,
      `${cpu("functionCpuMs")} + ${cpu("databaseCpuMs")}`,
    ];
  });
  const head = [
    "system",
    "requests a second",
    `${base}: times as many`,
    "p50 / p99, ms, busy",
    "p50 / p99, ms, one at a time",
    "CPU ms a request, function + database",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
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
