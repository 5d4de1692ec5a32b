/** Checks the published pages: complete, of one generation, in order, with matching totals. Pure. */
import type { QueryDocumentSnapshot } from "../../documents/firestore.ts";
import { type Page, storedPage } from "../../documents/page.ts";
import { bestPossible, type Order, sortKey } from "../../model/score.ts";

/** A document of `scores_ranking` as it is stored. */
type FoundPage = Pick<QueryDocumentSnapshot, "id" | "data">;

/**
 * Checks pages.
 * @param generation the season's; 0 if nothing was published: then there must be no page.
 * @returns the readable pages, in order, and what is wrong, in words that reveal no player's score.
 */
export function checkPages(
  order: Order,
  found: readonly FoundPage[],
  generation: number,
): { pages: Page[]; problems: string[] } {
  const problems: string[] = [];
  const pages = readPages(found, problems);
  const first = pages[0];
  if (first === undefined) {
    if (generation > 0) problems.push(`no page of generation ${generation} is there`);
    return { pages, problems };
  }
  if (first.generation !== generation)
    problems.push(`the pages are of generation ${first.generation}, the season says ${generation}`);
  checkSet(pages, first, problems);
  let expected = { rowsAbove: 0, playersAbove: 0, key: -Infinity };
  for (const [i, page] of pages.entries()) {
    const next = pages[i + 1];
    if (next?.page === page.page + 1 && page.until_score !== next.from_score)
      problems.push(`page ${page.page} ends where page ${next.page} does not begin`);
    expected = checkPage(order, page, expected, problems);
  }
  if (expected.rowsAbove !== first.rows)
    problems.push(`the pages hold ${expected.rowsAbove} rows, their total says ${first.rows}`);
  if (expected.playersAbove !== first.players)
    problems.push(`the pages hold ${expected.playersAbove} players, their total says ${first.players}`);
  return { pages, problems };
}

function readPages(found: readonly FoundPage[], problems: string[]): Page[] {
  const pages: Page[] = [];
  for (const document of found) {
    const { success, data: page, error } = storedPage.safeParse(document.data());
    const fields = new Set(error?.issues.map(({ path }) => path.join(".")));
    if (!success) problems.push(`page ${document.id} cannot be read: ${[...fields].join(", ")}`);
    else if (String(page.page) === document.id) pages.push(page);
    else problems.push(`document ${document.id} says it is page ${page.page}`);
  }
  return pages.sort((a, b) => a.page - b.page);
}

/** The pages must be of one generation, none missing and none too many. */
function checkSet(pages: readonly Page[], first: Page, problems: string[]): void {
  const there = new Set(pages.map(({ page }) => page));
  for (let page = 0; page < first.pages; page++) {
    if (!there.has(page)) problems.push(`page ${page} of ${first.pages} is missing`);
  }
  for (const { page, pages: count, generation, players, rows } of pages) {
    if (page >= first.pages) problems.push(`page ${page} is beyond the last of ${first.pages}`);
    if (generation !== first.generation)
      problems.push(`page ${page} is of generation ${generation}, page ${first.page} of ${first.generation}`);
    else if (count !== first.pages || players !== first.players || rows !== first.rows)
      problems.push(`page ${page} and page ${first.page} disagree about the totals`);
  }
}

interface Expected {
  rowsAbove: number;
  playersAbove: number;
  /** The next row's sort key must be greater. */
  key: number;
}

function checkPage(order: Order, page: Page, expected: Expected, problems: string[]): Expected {
  const { scores, lows, players_above: above, players_until: until } = page;
  const wrong = (what: string) => problems.push(`page ${page.page} ${what}`);
  if (page.rows_above !== expected.rowsAbove)
    wrong(`says ${page.rows_above} rows are above it, there are ${expected.rowsAbove}`);
  const start = page.page === 0 ? bestPossible(order) : scores[0];
  if (page.from_score !== start) wrong("does not begin with its first row");
  if (above.length !== scores.length || (lows !== undefined && lows.length !== scores.length))
    wrong("has lists of different lengths");
  if ((above[0] ?? until) !== expected.playersAbove)
    wrong(`says ${above[0] ?? until} players are above it, there are ${expected.playersAbove}`);
  let { key } = expected;
  let ordered = true;
  let counted = true;
  for (const [i, score] of scores.entries()) {
    const from = sortKey(order, score);
    const to = sortKey(order, lows?.[i] ?? score);
    ordered &&= from > key && to >= from;
    // A merged row may be empty, an exact one may not.
    const players = (above[i + 1] ?? until) - (above[i] ?? NaN);
    counted &&= Number.isSafeInteger(players) && (players > 0 || (players === 0 && to > from));
    key = to;
  }
  if (!ordered) wrong("has rows out of order");
  if (!counted) wrong("has rows without players");
  return { rowsAbove: page.rows_above + scores.length, playersAbove: until, key };
}
