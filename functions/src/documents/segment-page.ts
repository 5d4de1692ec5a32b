/**
 * Pages of segments: the rankings of all segments of a generation, one after the other. Each page can answer for its
 * scores on its own, as a page of all players can; {@link readPageOf} makes a page of one segment from it. The commit that
 * publishes a generation writes these pages and deletes what is left over (ranking/publish.ts). Only functions read them.
 */
import { z } from "zod";
import { decimalPattern } from "../model/decimal.ts";
import { invalidField } from "../model/errors.ts";
import { valuesRankedMax } from "../model/limits.ts";
import { ordinalOf } from "../model/keys.ts";
import type { Order } from "../model/score.ts";
import { otherSegments, segmentName } from "../model/segments.ts";
import type { DocumentSnapshot } from "./firestore.ts";
import { emptyPage, type PageRead } from "./page-bounds.ts";
import { type Page, readPage, storedPage } from "./page.ts";
import type { RankingKey } from "./paths.ts";

/** One segment's rows on a page of segments, with the fields of a page of all players. */
const part = storedPage
  .pick({
    players: true,
    rows: true,
    from_score: true,
    until_score: true,
    rows_above: true,
    scores: true,
    players_above: true,
    players_until: true,
    lows: true,
    checks: true,
    pending_above: true,
    owed: true,
    owed_players: true,
    owed_above: true,
  })
  .extend({
    segment: z.string(),
    /**
     * On the first part of a team whose rows are merged, what these do not tell: the sum of its players' scores, or of
     * the best `best` of them (ranking/totals.ts).
     */
    total: z.object({ best: z.int().min(1).optional(), sum: z.string().regex(decimalPattern) }).optional(),
  });

export const storedSegmentPage = storedPage
  .pick({
    page: true,
    pages: true,
    generation: true,
    as_of: true,
    read_at: true,
    next_publish_at: true,
    shards_from: true,
    left_out: true,
  })
  .extend({
    /**
     * Where the page begins and ends: {@link keyInSegment} of the first score's sort key, and of the offset after the
     * last player.
     */
    from_key: z.string(),
    until_key: z.string(),
    parts: z.array(part),
  });

/** A document of `segments_ranking`. */
export type SegmentPage = z.infer<typeof storedSegmentPage>;

/** The segments that pages rank, such as `country=AT`. The pages may be damaged. */
export function valuesIn(pages: readonly DocumentSnapshot[]): Set<unknown> {
  const parts = pages.map((page) => page.get("parts") as unknown);
  return new Set(parts.flat().map((part) => (part as { segment?: unknown } | undefined)?.segment));
}

/** A text for a number in a segment. Texts sort by segment, then by number. */
export function keyInSegment(segment: string, number: number): string {
  const place = ordinalOf(number) + (1n << 63n);
  return `${segment} ${place.toString(16).padStart(16, "0")}`;
}

/**
 * The page of a ranking, from the document that a query by score or by offset found; undefined if the query was by
 * offset and the segment ends before it.
 * @throws `invalid_request` for a value that is not ranked, because its segment has too many values
 */
export function readPageOf(
  { segment }: RankingKey,
  order: Order,
  data: Record<string, unknown>,
  by: "score" | "offset" = "score",
): PageRead | undefined {
  if (segment === undefined) return readPage(data);
  const { parts, from_key: _, until_key: __, ...common } = storedSegmentPage.parse(data);
  const own = parts.find((part) => part.segment === segment);
  if (own === undefined && by === "offset") return undefined;
  if (own === undefined && mayBeLeftOut(segment, common.left_out))
    throw invalidField(
      "segment",
      `${segment} is not ranked: its segment has more than the ${valuesRankedMax} values that are`,
    );
  return { ...emptyPage(order, common.as_of), ...common, ...own };
}

/**
 * Whether a value may have players although it is not ranked. A segment without a sum of its own is in the sum of the
 * others.
 */
function mayBeLeftOut(segment: string, sums: Page["left_out"] = {}): boolean {
  const own = new Map(Object.entries(sums));
  const sum = own.get(segmentName(segment)) ?? own.get(otherSegments);
  return sum !== undefined && (sum.players !== 0 || sum.check !== 0);
}
