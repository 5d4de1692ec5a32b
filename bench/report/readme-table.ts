/** The comparison in README.md, from results. */
import { dollars, table } from "./markdown.ts";
import { billText } from "./feature-tables.ts";
import type { Results } from "./results.ts";

/** The ways that people ask about, by id. */
const shown = [
  "firerank-index",
  "firerank-count",
  "count-better",
  "score-documents-sum",
  "score-ranking",
  "regular-update",
  "rank-tree",
  "buckets-100",
];

const players = 1_000_000;

/** A line for each way: its rank, an update, a rank, and a day, with a million players. */
export function readmeTable({ systems, scaled }: Results): string {
  const day = scaled.days.find((one) => one.players === players && one.region === "us-central1");
  const rows = shown.flatMap((id) => {
    const system = systems.find((one) => one.id === id);
    const billed = scaled.growth
      .find((one) => one.id === id)
      ?.sizes.find((size) => size.players === players)?.billed;
    if (system === undefined || billed?.update === undefined || billed.rank === undefined) return [];
    const price = day?.dollars[id];
    return [
      [
        system.name,
        system.rank,
        billText(billed.update),
        billText(billed.rank),
        price == null ? "–" : dollars(price),
      ],
    ];
  });
  return table([["way", "ranks are", "an update", "a rank", "a day"], ...rows]);
}
