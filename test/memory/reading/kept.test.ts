/**
 * What an instance remembers is weighed: it is bounded by bytes, and these must be the bytes that it takes. An instance
 * has room for many small boards.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { emptyPage, type PageRead } from "../../../functions/src/documents/page-bounds.ts";
import { recentNumbersMax } from "../../../functions/src/documents/recent-runs.ts";
import { readSeason, unpublished } from "../../../functions/src/documents/season.ts";
import { definitionSchema, readDefinition } from "../../../functions/src/model/definition.ts";
import { schemaVersion } from "../../../functions/src/model/schema-version.ts";
import { createServices } from "../../../functions/src/operations/shared/services.ts";
import { bytesOfPage, pageCacheOf, pagesShare } from "../../../functions/src/reading/page-cache.ts";
import { slimPage } from "../../../functions/src/reading/slim-page.ts";
import { boardCacheOf, boardsShare, bytesOfBoard } from "../../../functions/src/seasons/board.ts";
import type { Board } from "../../../functions/src/seasons/read-board.ts";
import { begunSeason } from "../../support/season.ts";
import { allTime, createWorld } from "../../support/world.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** The bytes of memory that are free once nothing refers any more to what is remembered. */
function weigh(remember: () => unknown): number {
  const taken = () => {
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  // The first time compiles code, which stays.
  remember();
  const remembered = [remember()];
  const before = taken();
  remembered.pop();
  return before - taken();
}

const count = 1_000;
const keys = Array.from({ length: count }, (_, i) => allTime(`level-${i}`));
const timeOf = (at: number) => Timestamp.fromMillis(Date.parse("2100-01-02T12:00:00.123Z") + at);

/** As read from the database: nothing in one is the same object as in another. */
function boardOf(key: SeasonKey, at: number): Board {
  const stored = { schema_version: schemaVersion, ...definitionSchema(1).parse({}) };
  const ordering = structuredClone({ order: "descending", aggregation: "best" } as const);
  const numbers = { ...unpublished, generation: 3, players: 1_000, rows: 1_000, pages: 1 };
  const times = {
    as_of: timeOf(at),
    published_at: timeOf(at),
    next_publish_at: timeOf(at),
    shards_from: timeOf(at),
  };
  const begun = begunSeason({ ordering, opens_at: timeOf(at), next_run_at: timeOf(at) });
  return {
    key: structuredClone(key),
    definition: readDefinition(structuredClone(stored)),
    running: {},
    gotAllTimeLate: false,
    segmentsGone: [],
    hasBoards: false,
    movementSinceMs: undefined,
    season: readSeason({
      ...begun,
      span: structuredClone("all_time"),
      // Of as many runs as a season has in the mean.
      recent_runs: Array.from({ length: recentNumbersMax / 2 }, (_, number) => 2 ** 52 + at + number),
      ranking: { ...numbers, ...times },
    }),
    createdMs: timeOf(at).toMillis(),
    openedMs: timeOf(at).toMillis(),
  };
}

function pageOf(players: number, at: number): PageRead {
  const rows = Array.from({ length: players }, (_, row) => row);
  const counts = { generation: 3, players, rows: players, players_until: players };
  const times = { as_of: timeOf(at), read_at: timeOf(at), next_publish_at: timeOf(at + 300_000) };
  const scores = rows.map((row) => 1_000_000 - 997 * row);
  return { ...emptyPage("descending", timeOf(at)), ...counts, ...times, scores, players_above: rows };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** Whether counted bytes are what was weighed, to a fifth: what is weighed once has other things beside it. */
function expectAlike(counted: number, weighed: number): void {
  expect(counted / weighed).toBeGreaterThan(0.8);
  expect(counted / weighed).toBeLessThan(1.25);
}

function boardsKept(services = createWorld().services) {
  const boards = boardCacheOf(services);
  keys.forEach((key, at) => {
    boards.keep(boardOf(key, at));
  });
  return boards;
}

function pagesKept(players: number, services = createWorld().services) {
  const pages = pageCacheOf(services);
  keys.forEach((key, at) => {
    pages.keep(key, pageOf(players, at), 0);
  });
  return pages;
}

test("a board takes some 2.8 KB, and counts as what it takes", () => {
  const boards = boardsKept();
  const counted = keys.map((key) => bytesOfBoard(boards.peek(key)?.value ?? expect.fail()));
  const bytes = weigh(() => boardsKept());
  expectAlike(sumOf(counted), bytes);
  expect(bytes / count).toBeLessThan(2_900);
  const room = createWorld().services.memoryBytes * boardsShare;
  expect(room / Math.max(...counted)).toBeGreaterThan(11_000);
});

test.each([
  ["1,000 scores", 1_000, 8_000],
  ["a score", 1, 1_500],
])("a page of %s counts as what it takes", (_, players, most) => {
  const pages = pagesKept(players);
  expect(keys.map((key) => pages.generationOf(key))).toEqual(keys.map(() => 3));
  const bytes = weigh(() => pagesKept(players));
  expectAlike(count * bytesOfPage(slimPage(pageOf(players, 0))), bytes);
  expect(bytes / count).toBeLessThan(most);
});

test("an instance keeps what its share of memory holds, what was used last", () => {
  const memoryBytes = 1_048_576;
  const small = createServices({ ...createWorld().services, memoryBytes });
  const [boards, pages] = [boardsKept(small), pagesKept(100, small)];
  const expectKept = (isKept: (key: SeasonKey) => boolean, share: number, bytes: number) => {
    const kept = keys.filter(isKept);
    expect(kept).toEqual(keys.slice(-kept.length));
    expect(kept).toHaveLength(Math.floor((memoryBytes * share) / bytes));
  };
  const board = boardOf(keys.at(-1) ?? expect.fail(), 0);
  expectKept((key) => boards.peek(key) !== undefined, boardsShare, bytesOfBoard(board));
  const page = bytesOfPage(slimPage(pageOf(100, 0)));
  expectKept((key) => pages.generationOf(key) > 0, pagesShare, page);
});
