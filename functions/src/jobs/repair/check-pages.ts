/** Checks the published pages: they must be those that their own rows make. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { QueryDocumentSnapshot } from "../../documents/firestore.ts";
import { type Page, storedPage } from "../../documents/page.ts";
import { type Order, sortKey } from "../../model/score.ts";
import { packPages, unpackPages } from "../../ranking/pack-pages.ts";
import { noRows, type Rows } from "../../ranking/rows.ts";

/** A document of `scores_ranking` as it is stored. */
type FoundPage = Pick<QueryDocumentSnapshot, "id" | "data">;

/**
 * Checks pages.
 * @param generation the season's; 0 if nothing was published: then there must be no page.
 * @returns the readable pages and their rows, in order, and what is wrong, in words that reveal no player's score.
 */
export function checkPages(
  order: Order,
  found: readonly FoundPage[],
  generation: number,
): { pages: Page[]; rows: Rows; problems: string[] } {
  const problems: string[] = [];
  const pages = readPages(found, problems);
  const [first] = pages;
  if (first === undefined) {
    if (generation > 0) problems.push(`no page of generation ${generation} is there`);
    return { pages, rows: noRows, problems };
  }
  if (first.generation !== generation)
    problems.push(`the pages are of generation ${first.generation}, the season says ${generation}`);
  const rows = unpackPages(order, pages);
  if (!areInOrder(order, rows)) problems.push("the pages have rows out of order");
  const { unusable_scores, as_of, read_at, next_publish_at } = first;
  const about = { generation: first.generation, unusable_scores, as_of, read_at, next_publish_at };
  const made = packPages(order, rows, about);
  const there = new Set(pages.map(({ page }) => page));
  for (let page = 0; page < first.pages; page++)
    if (!there.has(page)) problems.push(`page ${page} of ${first.pages} is missing`);
  for (const page of pages) {
    const expected = made[page.page];
    if (expected === undefined || page.page >= first.pages)
      problems.push(`page ${page.page} is beyond the last of ${first.pages}`);
    const wrong = fieldsMade.filter((name) => expected && !isDeepStrictEqual(page[name], expected[name]));
    if (wrong.length > 0) problems.push(`page ${page.page} does not fit the rows: ${wrong.join(", ")}`);
  }
  return { pages, rows, problems };
}

/** The fields of a page that follow from the rows of all. */
const fieldsMade = [
  ...(["generation", "pages", "players", "rows", "from_score", "until_score", "rows_above"] as const),
  ...(["scores", "lows", "players_above", "players_until", "owed", "owed_players", "owed_above"] as const),
];

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

/** Whether each row begins behind the one before, and does not end before it begins. */
function areInOrder(order: Order, { scores, lows }: Rows): boolean {
  return scores.every((score, row) => {
    const [from, to] = [sortKey(order, score), sortKey(order, lows[row] ?? NaN)];
    return to >= from && (row === 0 || from > sortKey(order, lows[row - 1] ?? NaN));
  });
}
