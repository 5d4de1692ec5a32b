/**
 * `exact` ranks inside a merged row: the players above the row, what was pending above it when the publication read, and
 * a `count()` of the better ones in it at that same time. A full sort would have given that rank then. Adding a current
 * count to an old page would give a rank that was never true.
 */
import type { Page } from "../documents/page.ts";
import type { SeasonKey } from "../documents/paths.ts";
import { readTimeKeptMs } from "../model/limits.ts";
import type { Order } from "../model/score.ts";
import { betterInRow, certainly, livePlacesOf } from "./live.ts";
import { mergedRowOf, type Places, placesIn } from "./lookup.ts";
import type { ReadingServices } from "./services.ts";

/**
 * The exact place of a score, at the read time of the page's generation. After an hour that time is no longer readable:
 * then the place now.
 *
 * Cost: nothing in an exact row; else 1 read for each 1,000 players of the row who are better, at least 1. After
 * an hour, and while the ranking owes players (see placeOf), as {@link livePlacesOf}.
 */
export async function exactPlaceOf(
  services: ReadingServices,
  key: SeasonKey,
  order: Order,
  page: Page,
  score: number,
): Promise<Places> {
  const published = placesIn(order, page);
  const place = published.of(score);
  if (place.exact) return published;
  const row = mergedRowOf(order, page, score);
  const isKept = services.now() - page.read_at.toMillis() < readTimeKeptMs;
  // Players who are owed are among the pending changes.
  if (row?.pendingAbove === undefined || !isKept || (page.owed_players ?? 0) < 0)
    return livePlacesOf(services, key, order, [score], { exact: true });
  const better = await betterInRow(services.db, { key, order }, row.score, score, page.read_at);
  const rank = row.above + row.pendingAbove + better + 1;
  return { ...published, asOf: page.read_at, of: () => certainly(place, rank) };
}
