/** The charts of docs/serve.md. */
import { writeFileSync } from "node:fs";
import { lineChart, shortNumber } from "../charts/line-chart.ts";
import type { Sample } from "./contest.ts";
import type { Measured } from "./load.ts";
import { spreadFor } from "./summary.ts";

/** A kind of measurement that asks about one rank only. */
export interface RankKind {
  rank: number;
  kind: string;
}

/** Draws the time of an answer against the rank that is asked about. */
export function drawByRank(
  file: string,
  samples: readonly Sample[],
  kinds: readonly RankKind[],
  about: { players: number },
): void {
  const systems = [...new Set(samples.map(({ system }) => system))];
  const panel = (name: string, measure: keyof Measured) => ({
    name,
    lines: systems.map((system) => ({
      name: system,
      points: kinds.map(
        ({ rank, kind }) => [rank, spreadFor(samples, system, kind, measure).median] as const,
      ),
    })),
  });
  const panels = [panel("p50", "p50Ms"), panel("p99", "p99Ms")];
  const values = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([, y]) => y)));
  const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];
  const least = ticks.findLast((tick) => tick <= Math.min(...values)) ?? 0.1;
  const most = ticks.find((tick) => tick >= Math.max(...values)) ?? 5_000;
  const text = lineChart({
    title: `The time of an answer, one request at a time: ${about.players.toLocaleString("en-US")} players`,
    caption: [
      "Each system behind an equal function in the Functions Framework, on one machine; medians of all repeats.",
      "It measures this code and these databases, not Firestore: Firerank's page is in memory, as it is between publications.",
    ],
    x: {
      label: "rank asked about →",
      domain: [1, about.players],
      ticks: [1, 100, 10_000, 1_000_000].filter((tick) => tick <= about.players),
      format: shortNumber,
    },
    y: {
      label: "↑ ms",
      domain: [least, most],
      ticks: ticks.filter((tick) => tick >= least && tick <= most),
      format: String,
    },
    panels,
  });
  writeFileSync(file, text);
}
