/** Packs rows into the pages of a generation, and unpacks them. Pure. */
import type { Page } from "../documents/page.ts";
import { covers } from "../documents/page-bounds.ts";
import { rowsPerPageMax } from "../model/limits.ts";
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import { packChecks, unpackChecks } from "./check-sum.ts";
import { pickRows, type Row, type Rows, rowsOf, shownPlayers } from "./rows.ts";

/** What all pages of a generation have in common. */
export type Generation = Pick<
  Page,
  "generation" | "unusable_scores" | "as_of" | "read_at" | "next_publish_at"
> &
  Partial<Pick<Page, "shards_from" | "baselines" | "remade_at" | "final">>;

/**
 * Packs rows into pages; at least one, so that an empty ranking can be read too.
 * @param pending changes that are not in the rows, which pages with merged rows show separately; see {@link Page}.
 */
export function packPages(order: Order, rows: Rows, about: Generation, pending?: Rows): Page[] {
  const { final, ...generation } = about;
  const indexes = [...rows.players.keys()];
  const shown = indexes.filter((row) => (rows.players[row] ?? 0) > 0);
  const owed = indexes.filter((row) => (rows.players[row] ?? 0) <= 0);
  const pageCount = Math.max(1, Math.ceil(shown.length / rowsPerPageMax));
  const common = { ...generation, pages: pageCount, players: shownPlayers(rows), rows: shown.length };
  const owedAbove = createSumAbove(order, pickRows(rows, owed));
  const pendingAbove = pending && createSumAbove(order, pending);
  const pages: Page[] = [];
  let until = 0;
  for (let page = 0; page < pageCount; page++) {
    const start = page * rowsPerPageMax;
    const { scores, lows, players, checks } = pickRows(rows, shown.slice(start, start + rowsPerPageMax));
    const above = Array.from(players, (count) => (until += count) - count);
    const next = shown[start + rowsPerPageMax];
    const merged = {
      lows: Array.from(lows),
      ...(checks && { checks: packChecks(checks) }),
      ...(pendingAbove && {
        pending_above: Array.from(scores, (score) => pendingAbove(score) + owedAbove(score)),
      }),
    };
    pages.push({
      ...common,
      page,
      ...(final === true && page === 0 ? { final } : {}),
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

/** Pages with the owed rows, each on the page that covers its score. */
function withOwed(order: Order, pages: readonly Page[], { scores, lows, players, checks }: Rows): Page[] {
  const list = Array.from(scores, (score, i) => ({
    score,
    low: lows[i] ?? NaN,
    players: players[i] ?? NaN,
    ...(checks && lows[i] !== score && { check: checks[i] ?? 0 }),
  }));
  const total = list.reduce((sum, row) => sum + row.players, 0);
  let above = 0;
  return pages.map((page) => {
    const here = list.filter(({ score }) => covers(order, page, score));
    const owed = { owed_players: total, owed_above: above, ...(here.length === 0 ? {} : { owed: here }) };
    above += here.reduce((sum, row) => sum + row.players, 0);
    return { ...page, ...owed };
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
export function unpackPages(order: Order, pages: readonly Page[]): Rows {
  const list: Row[] = [];
  for (const { scores, lows, players_above: above, players_until: until, checks, owed } of pages) {
    const checkAt = checks === undefined ? undefined : unpackChecks(checks);
    scores.forEach((score, i) => {
      const players = (above[i + 1] ?? until) - (above[i] ?? NaN);
      list.push({ score, low: lows?.[i] ?? score, players, check: checkAt?.(i) });
    });
    list.push(...(owed ?? []));
  }
  // Stryker disable next-line ConditionalExpression: rows that are already sorted stay as they are
  if (pages.some(({ owed }) => owed !== undefined)) {
    list.sort((a, b) => (order === "descending" ? b.score - a.score : a.score - b.score));
  }
  return rowsOf(list);
}
