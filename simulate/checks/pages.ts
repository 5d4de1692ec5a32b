/** What pages say, held against the players of each mark that are due in them, with code of its own. */
import { type Page, readPage } from "../../functions/src/documents/page.ts";
import {
  pagesPath,
  type SeasonKey,
  seasonPath,
  segmentPagesPath,
} from "../../functions/src/documents/paths.ts";
import { storedSegmentPage } from "../../functions/src/documents/segment-page.ts";
import { valuesRankedMax } from "../../functions/src/model/limits.ts";
import { type Order, sortKey } from "../../functions/src/model/score.ts";
import { fieldToMark, otherSegments, segmentName } from "../../functions/src/model/segments.ts";
import { checkSum, unpackChecks } from "../../functions/src/ranking/check-sum.ts";
import type { Documents } from "../memory/store.ts";
import { type Marks, playersIn } from "./counts.ts";
import { insist, Violation } from "./violation.ts";

/** All pages, which must be of one generation, the one that the season names. @throws a violation */
export function wholeGeneration(store: Documents, key: SeasonKey): Page[] {
  const pages = store.list(pagesPath(key)).map(({ data }) => readPage(data));
  pages.sort((a, b) => a.page - b.page);
  const [first] = pages;
  pages.forEach((page, i) => {
    insist(
      page.page === i && page.pages === pages.length && page.generation === first?.generation,
      () =>
        `whole generations: page ${page.page} of ${page.pages}, generation ${page.generation}, is the ${i + 1}th of ${pages.length}`,
    );
  });
  const season = store.get(seasonPath(key))?.data["ranking"] as { generation?: number } | undefined;
  insist(
    (season?.generation ?? 0) === (first?.generation ?? 0),
    () => `whole generations: the season names ${season?.generation}, the pages are of ${first?.generation}`,
  );
  return pages;
}

/**
 * Checks the pages of segments: they are of the same generation as page 0, and their rows hold exactly the players due in
 * each segment. Who is left out is counted, by segment, none of which ranks more than it may. @returns the segments that are ranked
 * @throws a violation
 */
export function checkSegments(
  store: Documents,
  key: SeasonKey,
  order: Order,
  { generation, segment_pages: count = 0, left_out: leftOut }: Page,
  marks: Marks,
): Set<string> {
  const pages = store.list(segmentPagesPath(key)).map(({ data }) => storedSegmentPage.parse(data));
  pages.sort((a, b) => a.page - b.page);
  const isWhole = pages.every(
    (page, i) => page.page === i && page.pages === count && page.generation === generation,
  );
  insist(
    isWhole && pages.length === count,
    () =>
      `whole generations: ${pages.map((page) => `${page.page} of ${page.pages}, ${page.generation}`).join("; ")} are the pages of segments beside ${count}, ${generation}`,
  );
  const ranked = Map.groupBy(
    pages.flatMap(({ parts }) => parts),
    ({ segment }) => segment,
  );
  for (const [segment, parts] of ranked) {
    try {
      const players = playersIn(marks, segment);
      checkRows(order, parts, { players });
      const shown = parts.flatMap(rowsOf).filter((row) => row.players > 0);
      const sum = shown.reduce((total, row) => total + row.players, 0);
      insist(
        parts.every((part) => part.players === sum && part.rows === shown.length),
        () => `conservation: ${parts[0]?.players} players are told, rows have ${sum}`,
      );
    } catch (error) {
      throw new Violation(`${String(error)} in ${segment} of ${key.season}`, { cause: error });
    }
  }
  const named = new Set([...marks.keys()].flatMap((field) => fieldToMark(field)?.segments ?? []));
  const missing = [...named].filter((one) => !ranked.has(one) && playersIn(marks, one).size > 0);
  const groupOf = (segment: string) => {
    const name = segmentName(segment);
    return leftOut !== undefined && name in leftOut ? name : otherSegments;
  };
  for (const [group, { players }] of Object.entries(leftOut ?? { [otherSegments]: { players: 0 } })) {
    const left = missing.filter((segment) => groupOf(segment) === group);
    const due = left.flatMap((segment) => [...playersIn(marks, segment).values()]).reduce((a, b) => a + b, 0);
    insist(
      players === due,
      () => `conservation: ${players} players of ${group} are left out in ${key.season}, due are ${due}`,
    );
  }
  for (const [name, some] of Map.groupBy(ranked.keys(), segmentName))
    insist(
      some.length <= valuesRankedMax,
      () => `conservation: ${some.length} values of ${name} are ranked in ${key.season}`,
    );
  return new Set(ranked.keys());
}

/**
 * Checks that each row holds exactly the players due in it, with their check sum where it is merged, and that none are
 * due outside the rows. @throws a violation
 */
export function checkRows(
  order: Order,
  pages: readonly (Rows & Partial<Page>)[],
  due: { players: ReadonlyMap<number, number>; unusable?: number },
): void {
  const rows = pages.flatMap(rowsOf).sort((a, b) => sortKey(order, a.score) - sortKey(order, b.score));
  const left = [...due.players].map(([score, players]) => ({ key: sortKey(order, score), score, players }));
  left.sort((a, b) => a.key - b.key);
  let next = 0;
  for (const { score, low, players, check } of rows) {
    let sum = 0;
    let checked = 0;
    const from = sortKey(order, score);
    const to = sortKey(order, low);
    for (; next < left.length; next++) {
      const change = left[next];
      if (change === undefined || change.key > to) break;
      insist(change.key >= from, () => `conservation: no row covers ${change.score}, due ${change.players}`);
      sum += change.players;
      checked = (checked + checkSum(change.score, change.players)) | 0;
    }
    insist(
      sum === players,
      () => `conservation: the row of ${score} to ${low} has ${players} players, due are ${sum}`,
    );
    insist(
      score === low || check === checked,
      () => `conservation: the row of ${score} to ${low} has another check sum than the players due in it`,
    );
  }
  insist(
    next === left.length,
    () => `conservation: no row covers ${left[next]?.score}, due ${left[next]?.players}`,
  );
  const unusable = pages[0]?.unusable_scores;
  insist(
    unusable === due.unusable,
    () => `conservation: ${unusable} unusable scores are shown, due are ${due.unusable}`,
  );
}

type Rows = Pick<Page, "scores" | "lows" | "players_above" | "players_until" | "checks" | "owed">;

function rowsOf({ scores, lows, players_above: above, players_until: until, checks = "", owed = [] }: Rows) {
  const checkAt = unpackChecks(checks);
  const shown = scores.map((score, i) => ({
    score,
    low: lows?.[i] ?? score,
    players: (above[i + 1] ?? until) - (above[i] ?? NaN),
    check: checkAt(i),
  }));
  return [...shown, ...owed];
}
