/** The comparison in README.md, from results. */
import { dollarsOf } from "../contest/dollars.ts";
import { rateText } from "./best-ways.ts";
import { dollars, table } from "./markdown.ts";
import { comparedDay, type Results } from "./results.ts";
import { billText } from "./ways-table.ts";

/** The ways that people ask about, by id. */
const shown = [
  "firerank",
  "firerank-trigger",
  "firerank-live",
  "count-better",
  "score-documents-sum",
  "score-ranking",
  "rank-tree-aggregated",
  "regular-update",
  "rank-tree",
  "buckets-100",
];

/**
 * A line for each way: its rank, how old it can be, an update, a rank, the most updates by the model, and a day with a
 * million players: of Firestore, of functions that triggers and schedules call, and of both.
 */
export function readmeTable(results: Results): string {
  const { systems, scaled } = results;
  const day = comparedDay(results);
  const rows = shown.flatMap((id) => {
    const system = systems.find((one) => one.id === id);
    const billed = scaled.growth
      .find((one) => one.id === id)
      ?.sizes.find((size) => size.players === day?.players)?.billed;
    if (system === undefined || billed?.update === undefined || billed.rank === undefined) return [];
    const price = day?.parts[id];
    return [
      [
        system.name,
        system.rank,
        system.staleness.rank,
        billText(billed.update),
        billText(billed.rank),
        rateText(results, id),
        ...(price === undefined
          ? ["–", "–", "–"]
          : [price.firestore, price.functions, dollarsOf(price)].map(dollars)),
      ],
    ];
  });
  return table([
    [
      "way",
      "ranks are",
      "how old",
      "an update",
      "a rank",
      "updates at most",
      "Firestore a day",
      "functions",
      "in all",
    ],
    ...rows,
  ]);
}
