/** Pages: the documents that a generation is published in. Pure; every page can answer for its scores on its own. */
import { z } from "zod";
import { rowsPerPageMax } from "../model/limits.ts";
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import { pickRows, type Rows, shownPlayers } from "../ranking/rows.ts";
import { covers } from "../reading/lookup.ts";
import { Timestamp } from "./firestore.ts";

const time = z.instanceof(Timestamp);

const storedPage = z.object({
  /** 0-based index; the document's id. */
  page: z.int().min(0),
  pages: z.int().min(1),
  generation: z.int().min(1),
  /** Where the counts come from: the inverted index, or Firestore's own counts. */
  source: z.enum(["index", "count"]),
  /** Players and rows of the whole ranking. */
  players: z.number(),
  rows: z.number(),
  unusable_scores: z.number(),
  /** Every change indexed in a slot that had ended by then is in. */
  as_of: time,
  /** The time at which the run read what it folded. */
  read_at: time,
  next_publish_at: time,
  /** Shard documents that are not in the rows belong to slots that end after this; absent where nobody knows. */
  shards_from: time.optional(),
  /** The page answers for scores from `from_score` (inclusive) to `until_score` (exclusive, worse; null on the last page). */
  from_score: z.number(),
  until_score: z.number().nullable(),
  rows_above: z.int().min(0),
  /** Each row's score, best first; of a merged row, the best it covers. */
  scores: z.array(z.number()),
  /** Players with a better score than the row's. */
  players_above: z.array(z.number()),
  /** Players above whatever follows the page's last row. */
  players_until: z.number(),
  /** The worst score that each row covers; absent where every row of the page is one score. */
  lows: z.array(z.number()).optional(),
  /** On pages with merged rows: by how many players, for each row, changes that were pending at `read_at` would move those above it. */
  pending_above: z.array(z.number()).optional(),
  /** Rows whose count is negative for now (of merged ones also zero), of scores that the page covers; never shown (see fold.ts). */
  owed: z.array(z.object({ score: z.number(), low: z.number(), players: z.number() })).optional(),
  /** The sum of all such counts, and of those above the page; absent where there are none. */
  owed_players: z.number().optional(),
  owed_above: z.number().optional(),
});

/** A document of `scores_ranking`. */
export type Page = z.infer<typeof storedPage>;

/** What all pages of a generation have in common. */
export type Generation = Pick<
  Page,
  "generation" | "unusable_scores" | "as_of" | "read_at" | "next_publish_at"
> &
  Partial<Pick<Page, "source" | "shards_from">>;

/** Reads a page. @throws if the document is none. */
export function readPage(data: Record<string, unknown> | undefined): Page {
  return storedPage.parse(data);
}

/**
 * Packs rows into pages; at least one, so that an empty ranking can be read too.
 * @param pending changes that the rows leave out, to be told apart on pages with merged rows; see {@link Page}.
 */
export function packPages(order: Order, rows: Rows, generation: Generation, pending?: Rows): Page[] {
  const shown = indexesWhere(rows, (count) => count > 0);
  const owed = indexesWhere(rows, (count) => count <= 0);
  const pageCount = Math.max(1, Math.ceil(shown.length / rowsPerPageMax));
  const common = {
    source: "index" as const,
    ...generation,
    pages: pageCount,
    players: shownPlayers(rows),
    rows: shown.length,
  };
  const owedAbove = createSumAbove(order, pickRows(rows, owed));
  const pendingAbove = pending === undefined ? undefined : createSumAbove(order, pending);
  const pages: Page[] = [];
  let until = 0;
  for (let page = 0; page < pageCount; page++) {
    const start = page * rowsPerPageMax;
    const { scores, lows, players } = pickRows(rows, shown.subarray(start, start + rowsPerPageMax));
    const above = Array.from(players, (count) => (until += count) - count);
    const next = shown[start + rowsPerPageMax];
    const merged = {
      lows: Array.from(lows),
      ...(pendingAbove === undefined
        ? {}
        : { pending_above: Array.from(scores, (score) => pendingAbove(score) + owedAbove(score)) }),
    };
    pages.push({
      ...common,
      page,
      from_score: page === 0 ? bestPossible(order) : (scores[0] ?? NaN),
      until_score: next === undefined ? null : (rows.scores[next] ?? NaN),
      rows_above: start,
      scores: Array.from(scores),
      players_above: above,
      players_until: until,
      ...(lows.every((low, i) => low === scores[i]) ? {} : merged),
    });
  }
  return owed.length === 0 ? pages : withOwed(order, pages, pickRows(rows, owed));
}

/** Pages with the rows that are owed, each on the page that covers its score. */
function withOwed(order: Order, pages: readonly Page[], { scores, lows, players }: Rows): Page[] {
  const list = Array.from(scores, (score, i) => ({ score, low: lows[i] ?? NaN, players: players[i] ?? NaN }));
  const total = list.reduce((sum, row) => sum + row.players, 0);
  let above = 0;
  return pages.map((page) => {
    const here = list.filter(({ score }) => covers(order, page, score));
    const owed = { owed_players: total, owed_above: above, ...(here.length === 0 ? {} : { owed: here }) };
    above += here.reduce((sum, row) => sum + row.players, 0);
    return { ...page, ...owed };
  });
}

/** A function that sums the players of rows with better scores than one given; to be asked best score first. */
function createSumAbove(order: Order, { scores, players }: Rows): (score: number) => number {
  let sum = 0;
  let row = 0;
  return (score) => {
    for (; row < scores.length && isBetter(order, scores[row] ?? NaN, score); row++) sum += players[row] ?? 0;
    return sum;
  };
}

/** The rows of a whole generation: the inverse of {@link packPages}. */
export function unpackPages(order: Order, pages: readonly Page[]): Rows {
  const size = pages.reduce((sum, { scores, owed }) => sum + scores.length + (owed?.length ?? 0), 0);
  const list: { score: number; low: number; players: number }[] = [];
  for (const { scores, lows, players_above: above, players_until: until, owed } of pages) {
    scores.forEach((score, i) => {
      list.push({ score, low: lows?.[i] ?? score, players: (above[i + 1] ?? until) - (above[i] ?? NaN) });
    });
    if (owed !== undefined) list.push(...owed);
  }
  if (pages.some(({ owed }) => owed !== undefined)) {
    list.sort((a, b) => (order === "descending" ? b.score - a.score : a.score - b.score));
  }
  const rows: Rows = {
    scores: new Float64Array(size),
    lows: new Float64Array(size),
    players: new Float64Array(size),
  };
  list.forEach(({ score, low, players }, i) => {
    rows.scores[i] = score;
    rows.lows[i] = low;
    rows.players[i] = players;
  });
  return rows;
}

function indexesWhere({ players }: Rows, keep: (count: number) => boolean): Uint32Array {
  const indexes = new Uint32Array(players.length);
  let length = 0;
  players.forEach((count, index) => {
    if (keep(count)) indexes[length++] = index;
  });
  return indexes.subarray(0, length);
}
