/** The comparison in README.md, from results. */
import { rateText } from "./best-ways.ts";
import { billText } from "./feature-tables.ts";
import { dollars, table } from "./markdown.ts";
import type { Results } from "./results.ts";

/** The ways that people ask about, by id. */
const shown = [
  "firerank-index",
  "firerank-count",
  "count-better",
  "score-documents-sum",
  "score-ranking",
  "rank-tree-aggregated",
  "regular-update",
  "rank-tree",
  "buckets-100",
];

const players = 1_000_000;
const perSecond = 10;

/** A line for each way: its rank, how old it can be, an update, a rank, the most updates by the model, and a day, with a million players. */
export function readmeTable(results: Results): string {
  const { systems, scaled } = results;
  const day = scaled.days.find(
    ({ load: { updatesPerSecond, ranksPerSecond }, region, ...one }) =>
      one.players === players &&
      updatesPerSecond === perSecond &&
      ranksPerSecond === perSecond &&
      region === "us-central1",
  );
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
        system.staleness.rank,
        billText(billed.update),
        billText(billed.rank),
        rateText(results, id),
        price == null ? "–" : dollars(price),
      ],
    ];
  });
  return table([["way", "ranks are", "how old", "an update", "a rank", "updates at most", "a day"], ...rows]);
}
