/** Checks the published pages: packing their rows again must make the same pages. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { QueryDocumentSnapshot } from "../../documents/firestore.ts";
import type { z } from "zod";
import { type Page, storedPage } from "../../documents/page.ts";
import { type SegmentPage, storedSegmentPage } from "../../documents/segment-page.ts";
import { storedTeams } from "../../documents/teams.ts";
import type { Definition } from "../../model/definition.ts";
import { type Order, sortKey } from "../../model/score.ts";
import {
  leftOutIn,
  packPages,
  packSegments,
  totalsIn,
  unpackPages,
  unpackSegments,
} from "../../ranking/pack-pages.ts";
import { noneRanked, type Ranked } from "../../ranking/ranked.ts";
import { noRows, type Rows } from "../../ranking/rows.ts";
import { teamsIn } from "../../ranking/teams.ts";

/** A document of `scores_ranking` or `segments_ranking` as it is stored. */
type FoundPage = Pick<QueryDocumentSnapshot, "id" | "data">;

/**
 * Checks a season's pages.
 * @param generation the season's generation; 0 if nothing was published, when there must be no page.
 * @returns the readable pages and their rows, in order, and problems in words that reveal no player's score.
 */
export function checkPages(
  order: Order,
  found: readonly FoundPage[],
  generation: number,
): { pages: Page[]; rows: Rows; problems: string[] } {
  const problems: string[] = [];
  const pages = readPages("page", storedPage, found, problems);
  const [first] = pages;
  if (first === undefined) {
    if (generation > 0) problems.push(`no page of generation ${generation} is there`);
    return { pages, rows: noRows, problems };
  }
  if (first.generation !== generation)
    problems.push(`the pages are of generation ${first.generation}, the season says ${generation}`);
  const rows = unpackPages(order, pages);
  if (!areInOrder(order, rows)) problems.push("the pages have rows out of order");
  const made = packPages(order, rows, generationOf(first));
  comparePages({ what: "page", count: first.pages, fields: fieldsMade }, pages, made, problems);
  return { pages, rows, problems };
}

function generationOf({ generation, unusable_scores, as_of, read_at, next_publish_at }: Page) {
  return { generation, unusable_scores, as_of, read_at, next_publish_at };
}

/** Checks a season's pages and its pages of segments. */
export function checkRanking(
  order: Order,
  found: readonly FoundPage[],
  foundOfSegments: readonly FoundPage[],
  generation: number,
): { pages: Page[]; ranked: Ranked; problems: string[] } {
  const { pages, rows, problems } = checkPages(order, found, generation);
  const [first] = pages;
  if (first === undefined) return { pages, ranked: noneRanked, problems };
  const what = "page of segments";
  const ofSegments = readPages(what, storedSegmentPage, foundOfSegments, problems);
  const segments = unpackSegments(order, ofSegments);
  const totals = totalsIn(ofSegments);
  if (![...segments.values()].every((some) => areInOrder(order, some)))
    problems.push("the pages of segments have rows out of order");
  const { segment_pages: count = 0 } = first;
  const again = count === 0 ? [] : packSegments(order, segments, generationOf(first), undefined, totals);
  const compared = { what, count, fields: fieldsOfSegmentsMade };
  comparePages(compared, ofSegments.map(withRowsAlone), again.map(withRowsAlone), problems);
  return { pages, ranked: { rows, segments, leftOut: leftOutIn(first), totals }, problems };
}

/**
 * Checks the documents of teams that page 0 names, each by its own settings: the definition may have been saved since.
 * @param found what is stored of the teams of each segment; undefined for a document that is missing.
 * @returns problems in words, also about teams whose total only a repair can tell.
 */
export function checkTeams(
  { order, segments = [] }: Pick<Definition, "order" | "segments">,
  found: ReadonlyMap<string, Record<string, unknown> | undefined>,
  ranked: Ranked,
  generation: number,
): string[] {
  const problems: string[] = [];
  for (const [name, data] of found) {
    const { success, data: stored } = storedTeams.safeParse(data);
    if (!success) {
      problems.push(
        `the document of the teams of ${name} ${data === undefined ? "is missing" : "cannot be read"}`,
      );
      continue;
    }
    const made = teamsIn(order, { name, teams: stored.teams }, ranked);
    if (made === undefined) continue;
    if (stored.generation !== generation)
      problems.push(
        `the teams of ${name} are of generation ${stored.generation}, the season says ${generation}`,
      );
    else if (!isDeepStrictEqual(stored.entries, made))
      problems.push(`the teams of ${name} do not fit the rows`);
  }
  for (const { name, teams } of segments) {
    // Of the best players, the next run reads what is not known.
    const isForRepair = teams !== undefined && teams.by !== "best";
    if (isForRepair && teamsIn(order, { name, teams }, ranked) === undefined)
      problems.push(
        `the totals of the teams of ${name} are not known, as rows were merged before it had teams`,
      );
  }
  return problems;
}

/** A page of segments without pending changes and check sums, which do not follow from the rows. */
function withRowsAlone({ parts, ...page }: SegmentPage) {
  return { ...page, parts: parts.map(({ pending_above: _, checks: __, ...part }) => part) };
}

/** Adds a problem for each page that is missing, beyond the last page, or not as the rows make it. */
function comparePages<Of extends { page: number }>(
  { what, count, fields }: { what: string; count: number; fields: readonly (keyof Of & string)[] },
  pages: readonly Of[],
  made: readonly Of[],
  problems: string[],
): void {
  const there = new Set(pages.map(({ page }) => page));
  for (let page = 0; page < count; page++)
    if (!there.has(page)) problems.push(`${what} ${page} of ${count} is missing`);
  for (const page of pages) {
    const expected = made[page.page];
    if (expected === undefined || page.page >= count)
      problems.push(`${what} ${page.page} is beyond the last of ${count}`);
    const wrong = fields.filter((name) => expected && !isDeepStrictEqual(page[name], expected[name]));
    if (wrong.length > 0) problems.push(`${what} ${page.page} does not fit the rows: ${wrong.join(", ")}`);
  }
}

const fieldsOfSegmentsMade = ["generation", "pages", "from_key", "until_key", "parts"] as const;

/** The fields of a page that follow from the rows of all pages. */
const fieldsMade = [
  "generation",
  "pages",
  "players",
  "rows",
  "from_score",
  "until_score",
  "rows_above",
  "scores",
  "lows",
  "players_above",
  "players_until",
  "owed",
  "owed_players",
  "owed_above",
] as const;

function readPages<Of extends { page: number }>(
  what: string,
  stored: z.ZodType<Of>,
  found: readonly FoundPage[],
  problems: string[],
): Of[] {
  const pages: Of[] = [];
  for (const document of found) {
    const { success, data: page, error } = stored.safeParse(document.data());
    const fields = new Set(error?.issues.map(({ path }) => path.join(".")));
    if (!success) problems.push(`${what} ${document.id} cannot be read: ${[...fields].join(", ")}`);
    else if (String(page.page) === document.id) pages.push(page);
    else problems.push(`document ${document.id} says it is ${what} ${page.page}`);
  }
  return pages.sort((a, b) => a.page - b.page);
}

/** Whether each row begins after the row before it ends, and does not end before it begins. */
function areInOrder(order: Order, { scores, lows }: Rows): boolean {
  return scores.every((score, row) => {
    const [from, to] = [sortKey(order, score), sortKey(order, lows[row] ?? NaN)];
    return to >= from && (row === 0 || from > sortKey(order, lows[row - 1] ?? NaN));
  });
}
