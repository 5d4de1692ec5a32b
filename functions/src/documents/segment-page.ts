/**
 * Pages of segments: the rankings of all segments of a generation, one behind the other. Each page can answer for its
 * scores on its own, as those of all players can; a page of a segment is made of it ({@link readPageOf}).
 */
import { z } from "zod";
import { invalidField } from "../model/errors.ts";
import { segmentsRankedMax } from "../model/limits.ts";
import { ordinalOf } from "../model/keys.ts";
import { bestPossible, type Order } from "../model/score.ts";
import { type Page, readPage, storedPage } from "./page.ts";
import type { RankingKey } from "./paths.ts";

const ofGeneration = { generation: true, as_of: true, read_at: true, next_publish_at: true } as const;
const ofRows = { players: true, rows: true, from_score: true, until_score: true, rows_above: true } as const;
const ofEach = { scores: true, players_above: true, players_until: true, lows: true, checks: true } as const;
const ofPending = { pending_above: true, owed: true, owed_players: true, owed_above: true } as const;

const part = storedPage.pick({ ...ofRows, ...ofEach, ...ofPending }).extend({ segment: z.string() });

/** A segment's rows on a page, as a page of all players has them. */
export type SegmentPart = z.infer<typeof part>;

export const storedSegmentPage = storedPage
  .pick({ page: true, pages: true, ...ofGeneration, shards_from: true, segments_full: true })
  .extend({
    /** Where the page begins, and behind which player it ends: {@link keyInSegment} of a sort key, and of an offset. */
    from_key: z.string(),
    until_key: z.string(),
    parts: z.array(part),
  });

/** A document of `segments_ranking`. */
export type SegmentPage = z.infer<typeof storedSegmentPage>;

/** A text for a number in a segment: texts have the order of (segment, number). */
export function keyInSegment(segment: string, number: number): string {
  const place = ordinalOf(number) + (1n << 63n);
  return `${segment} ${place.toString(16).padStart(16, "0")}`;
}

/** What a page says of a segment, as a page of that segment alone; undefined if the segment is not on it. */
function pageOfSegment(document: SegmentPage, segment: string): Page | undefined {
  const { parts, from_key: _, until_key: __, ...common } = document;
  const own = parts.find((one) => one.segment === segment);
  return own && { ...common, unusable_scores: 0, ...own };
}

/**
 * The page of a ranking that a query by a score has found; by an offset undefined where the segment ends before it.
 * @throws `invalid_request` about a segment that is not ranked, as there are too many values
 */
export function readPageOf(
  { segment }: RankingKey,
  order: Order,
  data: Record<string, unknown>,
  by: "score" | "offset" = "score",
): Page | undefined {
  if (segment === undefined) return readPage(data);
  const document = storedSegmentPage.parse(data);
  const own = pageOfSegment(document, segment);
  if (own !== undefined || by === "offset") return own;
  if (document.segments_full === true)
    throw invalidField(
      "segment",
      `${segment} is not ranked: only the first ${segmentsRankedMax} values of all segments of the board are`,
    );
  return pageOfNobody(document, order);
}

/** The page of a segment that nobody is in, of the same generation as another page. */
function pageOfNobody(document: SegmentPage, order: Order): Page {
  const { parts: _, from_key: __, until_key: ___, ...common } = document;
  const none = { players: 0, rows: 0, rows_above: 0, scores: [], players_above: [], players_until: 0 };
  return {
    ...common,
    unusable_scores: 0,
    ...none,
    from_score: bestPossible(order),
    until_score: null,
  };
}
