/** Packs rows into the pages of a generation, and unpacks them. Pure. */
import type { Page } from "../documents/page.ts";
import { type SegmentPage, keyInSegment } from "../documents/segment-page.ts";
import { covers } from "../documents/page-bounds.ts";
import { onePageRowsMax, rowsPerPageMax } from "../model/limits.ts";
import { decimalIn, decimalText } from "../model/decimal.ts";
import { bestPossible, isBetter, type Order, sortKey } from "../model/score.ts";
import { packChecks, unpackChecks } from "./check-sum.ts";
import type { LeftOut } from "./left-out.ts";
import { noRows, pickRows, type Row, type Rows, rowsOf, shownPlayers } from "./rows.ts";
import type { SegmentRows } from "./segment-changes.ts";
import { type Total, totalInRows, type Totals } from "./totals.ts";

/** What all pages of a generation have in common. */
export type PageHeader = Pick<
  Page,
  "generation" | "unusable_scores" | "as_of" | "read_at" | "next_publish_at"
> &
  Partial<Pick<Page, "shards_from" | "baselines" | "remade_at" | "left_out">>;

/** How many rows a page has, where a generation has so many in all. */
export function rowsPerPage(rows: number): number {
  return rows <= onePageRowsMax ? onePageRowsMax : rowsPerPageMax;
}

/**
 * Packs rows into pages; at least one, so that an empty ranking can be read too.
 * @param pending changes that are not in the rows, which pages with merged rows show separately; see {@link Page}.
 */
export function packPages(order: Order, rows: Rows, about: PageHeader, pending?: Rows): Page[] {
  const parts = packRows(order, rows, rowsPerPage(rows.scores.length), { pending });
  return parts.map((part, page) => ({ ...about, pages: parts.length, page, ...part }));
}

/**
 * Packs the rows of segments, in order, with the totals of teams that the rows do not tell. Small segments share a page. At
 * least one page says that there are segments.
 */
export function packSegments(
  order: Order,
  segments: ReadonlyMap<string, Rows>,
  about: PageHeader,
  pending?: SegmentRows,
  totals: Totals = new Map(),
): SegmentPage[] {
  const { baselines: _, remade_at: __, unusable_scores: ___, ...header } = about;
  const pages: SegmentPage["parts"][] = [[]];
  const roomOf = ({ scores }: Rows) => Math.max(1, scores.length);
  const size = rowsPerPage([...segments.values()].reduce((sum, rows) => sum + roomOf(rows), 0));
  let room = size;
  const begin = () => {
    pages.push([]);
    room = size;
  };
  for (const [segment, rows] of segments) {
    if (room <= 0) begin();
    const ownPending = pending && (pending.get(segment) ?? noRows);
    const parts = packRows(order, rows, size, { pending: ownPending, room });
    for (const [i, part] of parts.entries()) {
      if (i > 0) begin();
      const total = i === 0 ? storedTotal(rows, totals.get(segment)) : undefined;
      pages.at(-1)?.push({ segment, ...part, ...(total && { total }) });
      // Rows that are not shown need a part of a page too.
      room -= Math.max(1, part.scores.length);
    }
  }
  return pages.map((parts, page) => {
    const [first, last] = [parts[0], parts.at(-1)];
    const isLast = page === pages.length - 1;
    return {
      ...header,
      pages: pages.length,
      page,
      from_key: page === 0 || !first ? "" : keyInSegment(first.segment, sortKey(order, first.from_score)),
      until_key: isLast || !last ? afterAllKeys : keyInSegment(last.segment, last.players_until),
      parts,
    };
  });
}

/** A total as it is stored; undefined if the rows tell it. */
function storedTotal(rows: Rows, total: Total | undefined) {
  if (total === undefined || totalInRows(rows, total.most) !== undefined) return undefined;
  const { most, sum } = total;
  return { ...(most !== Infinity && { best: most }), sum: decimalText(sum) };
}

/** Sorts after every segment key, because names start with a letter. */
const afterAllKeys = "~";

type RowsOfPage = Omit<Page, keyof PageHeader | "page" | "pages" | "final" | "segment_pages">;

/** Rows in parts of a page each. @param size rows of a part. @param room rows of the first part. */
function packRows(
  order: Order,
  rows: Rows,
  size: number,
  { pending, room = size }: { pending: Rows | undefined; room?: number },
): RowsOfPage[] {
  const indexes = [...rows.players.keys()];
  const shown = indexes.filter((row) => (rows.players[row] ?? 0) > 0);
  const owed = indexes.filter((row) => (rows.players[row] ?? 0) <= 0);
  const common = { players: shownPlayers(rows), rows: shown.length };
  const owedAbove = createSumAbove(order, pickRows(rows, owed));
  const pendingAbove = pending && createSumAbove(order, pending);
  const parts: RowsOfPage[] = [];
  let until = 0;
  let start = 0;
  do {
    const full = start === 0 ? room : start + size;
    // Two rows show which way the scores run. One alone does not, unless the first page has it.
    const end = shown.length === full + 1 ? Math.max(full - 1, start + 1) : full;
    const { scores, lows, players, checks } = pickRows(rows, shown.slice(start, end));
    // The players of all rows before, on this page and on the pages before it.
    const above = Array.from(players, (count) => {
      const before = until;
      until += count;
      return before;
    });
    const next = shown[end];
    const merged = {
      lows: Array.from(lows),
      ...(checks && { checks: packChecks(checks) }),
      ...(pendingAbove && {
        pending_above: Array.from(scores, (score) => pendingAbove(score) + owedAbove(score)),
      }),
    };
    parts.push({
      ...common,
      from_score: start === 0 ? bestPossible(order) : (scores[0] ?? NaN),
      until_score: next === undefined ? null : (rows.scores[next] ?? NaN),
      rows_above: start,
      scores: Array.from(scores),
      players_above: above,
      players_until: until,
      ...(lows.every((low, i) => low === scores[i]) ? {} : merged),
    });
    start = end;
  } while (start < shown.length);
  return owed.length === 0 ? parts : withOwed(order, parts, pickRows(rows, owed));
}

/** Parts with the owed rows, each in the part that covers its score. */
function withOwed(
  order: Order,
  parts: readonly RowsOfPage[],
  { scores, lows, players, checks }: Rows,
): RowsOfPage[] {
  const list = Array.from(scores, (score, i) => ({
    score,
    low: lows[i] ?? NaN,
    players: players[i] ?? NaN,
    ...(checks && lows[i] !== score && { check: checks[i] ?? 0 }),
  }));
  const total = list.reduce((sum, row) => sum + row.players, 0);
  let above = 0;
  return parts.map((part) => {
    const here = list.filter(({ score }) => covers(order, part, score));
    const owed = { owed_players: total, owed_above: above, ...(here.length === 0 ? {} : { owed: here }) };
    above += here.reduce((sum, row) => sum + row.players, 0);
    return { ...part, ...owed };
  });
}

/** A function that sums the players of rows with scores better than a given one. Call it with the best score first. */
function createSumAbove(order: Order, { scores, players }: Rows): (score: number) => number {
  let sum = 0;
  let row = 0;
  return (score) => {
    for (; isBetter(order, scores[row] ?? NaN, score); row++) sum += players[row] ?? 0;
    return sum;
  };
}

/** The rows of a whole generation: the inverse of {@link packPages}. */
export function unpackPages(order: Order, pages: readonly RowsOfPage[]): Rows {
  const list: Row[] = [];
  for (const { scores, lows, players_above: above, players_until: until, checks, owed } of pages) {
    const checkAt = checks === undefined ? undefined : unpackChecks(checks);
    scores.forEach((score, i) => {
      const players = (above[i + 1] ?? until) - (above[i] ?? NaN);
      list.push({ score, low: lows?.[i] ?? score, players, check: checkAt?.(i) });
    });
    list.push(...(owed ?? []));
  }
  if (pages.some(({ owed }) => owed !== undefined)) {
    list.sort((a, b) => (order === "descending" ? b.score - a.score : a.score - b.score));
  }
  return rowsOf(list);
}

/** What a generation leaves out, as its pages say. */
export function leftOutIn({ left_out: sums = {} }: Pick<Page, "left_out">): LeftOut {
  return new Map(Object.entries(sums));
}

/** The rows of each segment: the inverse of {@link packSegments}. */
export function unpackSegments(order: Order, pages: readonly SegmentPage[]): Map<string, Rows> {
  const parts = Map.groupBy(
    pages.flatMap((page) => page.parts),
    ({ segment }) => segment,
  );
  return new Map([...parts].map(([segment, some]) => [segment, unpackPages(order, some)]));
}

/** The totals that are stored beside the rows of segments. */
export function totalsIn(pages: readonly SegmentPage[]): Map<string, Total> {
  const totals = new Map<string, Total>();
  for (const { segment, total } of pages.flatMap((page) => page.parts))
    if (total !== undefined) totals.set(segment, { most: total.best ?? Infinity, sum: decimalIn(total.sum) });
  return totals;
}
