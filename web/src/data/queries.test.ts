import fc from "fast-check";
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { packSegments } from "../../../functions/src/ranking/pack-pages.ts";
import { rowsOf } from "../../../functions/src/ranking/rows.ts";
import {
  boardsOfTemplate,
  edgesOfSegment,
  endedSeasons,
  failedRuns,
  newestOfSpan,
  openSeasons,
  openTournaments,
  type QuerySpec,
  repairsOf,
  runsOf,
  segmentPages,
} from "./queries.ts";

const key = { leaderboard: "board", season: "all_time" };
const at = Timestamp.fromMillis(0);
const about = { generation: 1, unusable_scores: 0, as_of: at, read_at: at, next_publish_at: at };
/** In the order of texts; some begin with others. */
const names = ["a=A", "a=A-", "a=AT", "a=A_", "ab=A", "b=A"];

/** The documents that a query of one field finds; texts are compared as Firestore does. */
function found<Page extends object>(pages: readonly Page[], { where, orderBy, limit }: QuerySpec): Page[] {
  const [field = "", direction] = orderBy[0] ?? [];
  const textOf = (page: Page) => String((page as Record<string, unknown>)[field]);
  const matching = pages.filter((page) =>
    where.every(([, op, value]) =>
      op === ">=" ? textOf(page) >= String(value) : textOf(page) < String(value),
    ),
  );
  const sorted = matching.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  return (direction === "desc" ? sorted.reverse() : sorted).slice(0, limit);
}

test("a list by time finds only documents with a time, so foreign ones take no place of it", () => {
  const lists = [
    newestOfSpan("board", "daily"),
    openTournaments("board", new Date()),
    openSeasons("board"),
    endedSeasons("board", 9),
    boardsOfTemplate("level", "all_time", 9),
    runsOf(key, "all", 9),
    repairsOf(key, 9),
    failedRuns(new Date(0), 9),
  ];
  for (const { where, orderBy } of lists) {
    const [[field] = [""]] = orderBy;
    expect(where).toContainEqual([field, ">=", expect.any(Date)]);
  }
});

test("a segment is on all pages between its edges that have rows of it, and on no other", () => {
  const sizes = fc.array(fc.nat({ max: 600 }), { minLength: names.length, maxLength: names.length });
  fc.assert(
    fc.property(sizes, (rows) => {
      const segments = names.flatMap((name, i) => {
        const scores = Array.from({ length: rows[i] ?? 0 }, (_, n) => ({ score: n, low: n, players: 1 }));
        return scores.length === 0 ? [] : [[name, rowsOf(scores)] as const];
      });
      const pages = packSegments("ascending", new Map(segments), about);
      expect(found(pages, segmentPages(key, 100))).toEqual(pages);
      for (const [i, name] of names.entries()) {
        const [first, last] = edgesOfSegment(key, name).map((spec) => found(pages, spec)[0]?.page ?? NaN);
        const on = pages.filter(({ parts }) => parts.some(({ segment }) => segment === name));
        const between = pages.slice(first, (last ?? NaN) + 1);
        if ((rows[i] ?? 0) > 0) expect(between).toEqual(on);
        else expect(on).toEqual([]);
      }
    }),
    { numRuns: 50 },
  );
});
