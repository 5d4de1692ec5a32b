/** Rankings of plain lists of scores, published as pages. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Page } from "../../functions/src/documents/page.ts";
import { covers } from "../../functions/src/documents/page-bounds.ts";
import { isBetter, type Order, sortKey } from "../../functions/src/model/score.ts";
import { type PageHeader, packPages } from "../../functions/src/ranking/pack-pages.ts";
import { noRows, type Rows } from "../../functions/src/ranking/rows.ts";
import { type Place, placeOf } from "../../functions/src/reading/lookup.ts";
import { fold } from "./rows.ts";

/** What the pages of a generation have in common, with times that are easy to recognise. */
export const generation: PageHeader = {
  generation: 7,
  unusable_scores: 2,
  as_of: Timestamp.fromMillis(300_000),
  read_at: Timestamp.fromMillis(305_000),
  next_publish_at: Timestamp.fromMillis(600_000),
};

/** The exact rows of some players' scores. */
export function rowsOfScores(order: Order, scores: readonly number[]): Rows {
  return fold(
    order,
    noRows,
    scores.map((score) => [score, 1]),
  );
}

/** The pages of some rows. */
export function pagesOf(order: Order, rows: Rows): Page[] {
  return packPages(order, rows, generation);
}

/** The place of a score in the one page that covers it. @throws if several pages cover it, or none */
export function placeIn(order: Order, pages: readonly Page[], score: number): Place {
  const covering = pages.filter((page) => covers(order, page, score));
  const [page] = covering;
  if (page === undefined || covering.length > 1) throw new Error(`${covering.length} pages cover ${score}`);
  return placeOf(order, page, score);
}

/** The reference: the rank of a score among all players' scores, by counting. */
export function placePlainly(order: Order, players: readonly number[], score: number) {
  const better = players.filter((other) => isBetter(order, other, score));
  return { rank: better.length + 1, dense_rank: new Set(better).size + 1 };
}

/** Scores to ask for, best first: those of players, those between and beyond, and the best and worst possible. */
export function probesOf(order: Order, players: readonly number[], more: readonly number[]): number[] {
  const held = [...new Set(players)].sort((a, b) => a - b);
  const between = held.slice(1).map((score, i) => (score + (held[i] ?? score)) / 2);
  return [...held, ...between, ...more, 2 ** 53 - 1, 1 - 2 ** 53, 0, -0].sort(
    (a, b) => sortKey(order, a) - sortKey(order, b),
  );
}
