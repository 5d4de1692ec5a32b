/** What a run writes, given what it read. */
import { describe, expect, test } from "vitest";
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { type Bill, emptyRecord } from "../documents/ranking-record.ts";
import { recentNumbersMax, runInNumbers } from "../documents/recent-runs.ts";
import type { Season } from "../documents/season.ts";
import { readShard } from "../documents/shard.ts";
import { dozeMs, onePageRowsMax } from "../model/limits.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { someRows } from "../../../test/support/rows.ts";
import { begunSeason } from "../../../test/support/season.ts";
import { planPublication, planReplacement } from "./publication.ts";
import type { FoundTop } from "../top/document.ts";
import { noneChanged, noneRanked } from "./ranked.ts";
import type { Rows } from "./rows.ts";
import { addShard, noChanges, noSums } from "./shards.ts";
import type { Snapshot, Taken } from "./state.ts";

const key = { leaderboard: "board", season: "all_time" };
const minute = 60_000;
const at = (ms: number) => Timestamp.fromMillis(ms);
const nowMs = 10 * minute + 2_000;

const openSeason = begunSeason({ next_run_at: at(10 * minute) });

const ranked = (rows: Rows) => ({ ...noneRanked, rows });

const taken: Taken = {
  deleted: [
    { path: "a", updateTime: at(1) },
    { path: "b", updateTime: at(2) },
  ],
  reversed: [],
  sums: { ...noSums(), marks: 7, changes: 5, unreadable: 1, newestSlotEndMs: 9 * minute },
  changed: [],
  more: false,
  isOverfull: false,
  slotToJoin: undefined,
  firstMs: Infinity,
  untilMs: Infinity,
};

/** What a run found: three players at two scores, and one of them is listed. The second generation replaces the first. */
const found: Snapshot & { top: FoundTop } = {
  readAt: at(nowMs - 1_000),
  asOf: at(9 * minute),
  shardsFrom: at(9 * minute),
  unusable: 3,
  taken,
  ranked: ranked(someRows([90, 1], [80, 2])),
  pending: undefined,
  generation: 1,
  firstPage: { updateTime: at(5 * minute), pages: 1, segmentPages: 0 },
  midnights: { pages: [], added: [], kept: [] },
  mayDoze: false,
  top: {
    listed: [{ id: "ann", data: { score: 90, status: "active", attempts: 1, achieved_at: at(7) } }],
    readAt: at(nowMs - 500),
    document: { updateTime: undefined, header: undefined, entries: undefined },
  },
};

function plan({
  snapshot = {},
  definition = {},
  season = openSeason,
  shardsFrom = at(9 * minute),
  billed = { reads: 20, writes: 1, deletes: 4 },
}: {
  snapshot?: Partial<Snapshot>;
  definition?: Parameters<typeof definitionOf>[0];
  season?: Season | null;
  shardsFrom?: Timestamp | null;
  billed?: Bill;
} = {}) {
  return planPublication(
    {
      key,
      definition: definitionOf({ ranking_interval_minutes: 5, ...definition }),
      season: season ?? undefined,
    },
    { ...found, shardsFrom, ...snapshot },
    { ...emptyRecord(key, nowMs - 2_000), billed },
    nowMs,
  );
}

describe("a publication", () => {
  test("is the next generation, due again at the end of its interval", () => {
    const { pages, top, season, record } = plan();
    const common = {
      generation: 2,
      players: 3,
      rows: 2,
      unusable_scores: 3,
      as_of: at(9 * minute),
      next_publish_at: at(15 * minute),
      shards_from: at(9 * minute),
    };
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ ...common, read_at: at(nowMs - 1_000) });
    expect(top).toMatchObject({ generation: 2, as_of: at(nowMs - 500), players: 3 });
    expect(top?.entries.map(({ player }) => player)).toEqual(["ann"]);
    expect(season).toEqual({
      ranking: { ...common, pages: 1, exact: true, published_at: at(nowMs) },
      next_run_at: at(15 * minute),
      dormant_at: null,
    });
    expect(record.generation).toBe(2);
  });

  test("counts its changed scores for the board's day of the last of them, and drops days before yesterday", () => {
    const endsMs = Date.parse("2026-12-01T23:30:00Z");
    const planAt = (time_zone: string, scores_by_day?: Record<string, number>) =>
      plan({
        snapshot: { taken: { ...taken, sums: { ...taken.sums, newestSlotEndMs: endsMs } } },
        definition: { time_zone },
        season: { ...openSeason, ...(scores_by_day && { scores_by_day }) },
      }).scores;
    expect(planAt("UTC")).toEqual({ day: "2026-12-01", changed: 7, over: [] });
    const kept = { "2026-11-29": 1, "2026-11-30": 2, "2026-12-01": 3 };
    expect(planAt("UTC", kept).over).toEqual(["2026-11-29"]);
    expect(planAt("Europe/Vienna", kept)).toEqual({
      day: "2026-12-02",
      changed: 7,
      over: ["2026-11-29", "2026-11-30"],
    });
    // A zone that this runtime does not know.
    expect(planAt("Mars/Olympus").day).toBe("2026-12-01");
  });

  describe("of a usual run of a small board", () => {
    const usual = { unusable: 0, taken: { ...taken, sums: { ...taken.sums, unreadable: 0 } } };
    const keptTop = { ...found.top, listed: undefined };
    const planUsual = (recent_runs?: number[], snapshot: Partial<Snapshot> = {}, generation = 1) =>
      plan({
        snapshot: { ...usual, top: keptTop, ...snapshot },
        billed: { reads: 5, writes: 0, deletes: 0 },
        season: {
          ...openSeason,
          ranking: { ...openSeason.ranking, generation },
          ...(recent_runs && { recent_runs }),
        },
      });

    test("puts the run in numbers into the season's document, beside those before it", () => {
      const { season, takenOver, record } = planUsual();
      expect(takenOver).toBeUndefined();
      expect(runInNumbers(key, season.recent_runs ?? [])).toEqual(record);
      // The page, the top and the season.
      expect(record.billed.writes).toBe(3);
      expect(planUsual([1, 2, 3]).season.recent_runs).toEqual([1, 2, 3, ...(season.recent_runs ?? [])]);
    });

    test.each<[string, Partial<Snapshot>]>([
      ["read the top's players", { top: found.top }],
      ["found what cannot be ranked", { unusable: 1 }],
      ["made the first page", { firstPage: undefined }],
      ["deleted pages", { firstPage: { updateTime: at(1), pages: 2, segmentPages: 0 } }],
      ["ranked more than a thousand players", { ranked: ranked(someRows([90, 1_500])) }],
    ])("leaves a record if it %s, which takes the numbers before it over", (_what, snapshot) => {
      const { season, takenOver, record } = planUsual([1, 2, 3], snapshot);
      expect(takenOver).toEqual([1, 2, 3]);
      expect(season.recent_runs).toEqual([]);
      expect(record.billed.writes).toBe(4);
      expect(planUsual(undefined, snapshot).season).not.toHaveProperty("recent_runs");
    });

    test("leaves a record if the season's document is full", () => {
      const full = Array<number>(recentNumbersMax).fill(1);
      expect(planUsual(full.slice(3)).takenOver).toBeUndefined();
      expect(planUsual(full)).toMatchObject({ takenOver: full, season: { recent_runs: [] } });
    });

    test("leaves a record, and the numbers alone, if the season in memory is of another generation", () => {
      const { season, takenOver } = planUsual([1, 2, 3], {}, 2);
      expect(takenOver).toEqual([]);
      expect(season).not.toHaveProperty("recent_runs");
    });
  });

  test("lets a rarely played season doze until the last look", () => {
    const { season } = plan({ snapshot: { mayDoze: true } });
    expect(season).toMatchObject({
      ranking: { generation: 2, next_publish_at: at(15 * minute) },
      dormant_at: at(nowMs),
      next_run_at: at(nowMs + dozeMs),
    });
  });

  test("leaves out where pending documents begin if that is unknown", () => {
    const { pages, season } = plan({ shardsFrom: null });
    expect(pages[0]).not.toHaveProperty("shards_from");
    expect(season.ranking.shards_from).toBeNull();
  });

  test("is not exact where a row covers several scores, and says what is pending above each row", () => {
    const snapshot = {
      ranked: ranked(someRows([90, 3, 80])),
      pending: { ...noneChanged, rows: someRows([95, 2]) },
    };
    const { pages, season, record } = plan({ snapshot });
    expect([season.ranking.exact, record.exact]).toEqual([false, false]);
    expect(pages[0]?.pending_above).toEqual([2]);
  });

  test("has the pages of segments too, where the board or its ranking has some, and counts them", () => {
    const segments = new Map([["country=AT", someRows([90, 1])]]);
    const leftOut = new Map([
      ["country", { players: 4, check: 7 }],
      ["guild", { players: 0, check: 0 }],
    ]);
    const { pages, segmentPages, record, season } = plan({
      snapshot: {
        ranked: { ...ranked(someRows([90, 1], [80, 2])), segments, leftOut },
        firstPage: { updateTime: at(1), pages: 2, segmentPages: 4 },
      },
    });
    expect(pages[0]).toMatchObject({ segment_pages: 1, left_out: { country: { players: 4, check: 7 } } });
    expect(segmentPages).toHaveLength(1);
    expect(season.ranking.left_out).toEqual({ country: 4 });
    expect(record).toMatchObject({
      read: { pages: 2 + 4 },
      wrote: { pages: 1, segment_pages: 1, pages_deleted: 1 + 3 },
      found: { segments: 1, left_out: { country: 4 } },
      billed: { writes: 1 + 1 + 1 + 3, deletes: 4 + 4 + 2 },
    });
    const country = { name: "country", from: "server" } as const;
    expect(plan({ definition: { segments: [country] } }).pages[0]).toHaveProperty("segment_pages");
    const bare = plan();
    for (const field of ["segment_pages", "left_out", "baselines", "remade_at"])
      expect(bare.pages[0]).not.toHaveProperty(field);
    expect(bare.segmentPages).toEqual([]);
    expect(bare.record.found).not.toHaveProperty("left_out");
    expect(bare.season.ranking).not.toHaveProperty("left_out");
  });

  test("says which midnights are kept, and when a repair has read the players, if that is later", () => {
    const pageWith = (remadeMs: number) => {
      const kept = [{ at: 1, copy: 2 }];
      return plan({ snapshot: { midnights: { pages: [], added: [], kept, remadeAt: at(remadeMs) } } })
        .pages[0];
    };
    const later = 9 * minute + 1;
    expect(pageWith(later)).toMatchObject({ baselines: [{ at: 1, copy: 2 }], remade_at: at(later) });
    expect(pageWith(9 * minute)).not.toHaveProperty("remade_at");
  });

  test("of a season that has ended says on each page with which tiers, and is followed by no run", () => {
    const closed = { ...openSeason, status: "closed" as const };
    const { pages, season } = plan({ season: closed });
    expect(pages.map(({ final }) => final)).toEqual([{}]);
    const tiers = [{ name: "gold", top_percent: 10 }];
    const rows = someRows(...Array.from({ length: onePageRowsMax + 1 }, (_, i): [number, number] => [-i, 1]));
    const many = plan({ season: closed, definition: { tiers }, snapshot: { ranked: ranked(rows) } });
    expect(many.pages.length).toBeGreaterThan(1);
    for (const page of many.pages) expect(page).toHaveProperty("final", { tiers });
    expect(season.next_run_at).toBeNull();
    expect(season.ranking.next_publish_at).toEqual(at(15 * minute));
    for (const other of [{ ...openSeason, status: "closing" as const }, null])
      expect(plan({ season: other }).pages[0]).not.toHaveProperty("final");
  });

  test("tells of the first top, and not of a later one that finds none before it; each event is billed", () => {
    const first = { snapshot: { generation: 0, firstPage: undefined } };
    const { events, record } = plan(first);
    expect(events.map(({ event }) => event.kind)).toEqual(["top_entered", "lead_changed"]);
    const quiet = plan({ ...first, definition: { events: [] } });
    expect(record.billed.writes).toBe(quiet.record.billed.writes + 2);
    expect(plan().events).toEqual([]);
  });

  test("reverses documents that writers still use by others in the same slot, which are billed too", () => {
    const changes = noChanges(11 * minute);
    addShard(changes, readShard({ slot_ends_at: at(11 * minute), player_count: { "90": 1 }, marks: 2 }));
    const reversed = [changes, noChanges(12 * minute)];
    const { reversals, record } = plan({ snapshot: { taken: { ...taken, reversed } } });
    expect(reversals).toEqual([{ slot_ends_at: at(11 * minute), player_count: { "90": -1 }, marks: -2 }]);
    expect(record.billed.writes).toBe(plan().record.billed.writes + 1);
  });
});

describe("a ranking that was made anew", () => {
  const page = (generation: unknown) =>
    ({ get: (field: string) => (field === "generation" ? generation : 99) }) as unknown as DocumentSnapshot;
  const remade = {
    ranked: ranked(someRows([90, 1], [80, 2])),
    readAt: at(nowMs - 1_000),
    asOf: at(9 * minute),
    pending: { ...noneChanged, rows: someRows([95, 2]) },
    unusable: 4,
    remadeAt: at(10 * minute),
  };
  const replace = (
    changed: Partial<typeof remade> = {},
    {
      definition = {},
      pages = [1],
      first = 1,
    }: { definition?: object; pages?: unknown[]; first?: unknown } = {},
  ) => {
    const season = { ...openSeason, ranking: { ...openSeason.ranking, generation: 5 } };
    const board = { key, definition: definitionOf(definition), season };
    const replaced = { pages: pages.map(page), first: page(first), top: found.top };
    return planReplacement(board, { ...remade, ...changed }, replaced, nowMs);
  };

  test("follows every generation that its season and its pages name", () => {
    const generationOf = (first: unknown, ...pages: unknown[]) =>
      replace({}, { first, pages }).season.ranking.generation;
    expect([generationOf(7, 3), generationOf(3, 7), generationOf(3)]).toEqual([8, 8, 6]);
    expect(generationOf("9", 9.5, null, undefined)).toBe(6);
  });

  test("has all that was read, and nothing of the ranking before", () => {
    const { pages, segmentPages, season } = replace();
    const common = { generation: 6, players: 3, unusable_scores: 4, as_of: at(9 * minute) };
    expect(pages).toMatchObject([{ ...common, read_at: at(nowMs - 1_000) }]);
    expect(season.ranking).toMatchObject({ ...common, shards_from: null });
    for (const field of ["shards_from", "baselines"]) expect(pages[0]).not.toHaveProperty(field);
    expect(segmentPages).toEqual([]);
  });

  test("says what is pending above its rows only where they have more than one score", () => {
    const above = (rows: Rows) => replace({ ranked: ranked(rows) }).pages[0]?.pending_above;
    expect(above(someRows([90, 3, 80]))).toEqual([2]);
    expect(above(someRows([90, 3]))).toBeUndefined();
  });

  test("says when its players were read, as the board may keep movement again later", () => {
    for (const movement of [true, false])
      expect(replace({}, { definition: { movement } }).pages[0]?.remade_at).toEqual(at(10 * minute));
  });
});

describe("the record of a publication", () => {
  test("says what was read, written, found and billed", () => {
    expect(plan().record).toMatchObject({
      outcome: "published",
      generation: 2,
      started_at: at(nowMs - 2_000),
      finished_at: at(nowMs),
      duration_ms: 2_000,
      read: { pages: 1, shards: 2, top: 1 },
      wrote: { pages: 1, pages_deleted: 0, shards_deleted: 2, top: 1 },
      found: { changed_players: 7, changes: 5, owed_rows: 0, unusable_scores: 3, unreadable_changes: 1 },
      players: 3,
      rows: 2,
      exact: true,
      // One page, the top, the season and this record.
      billed: { reads: 20, writes: 1 + 1 + 3, deletes: 4 + 2 },
    });
  });

  const noTop = { ...found.top, listed: [] };
  const nothing: Partial<Snapshot> = { generation: 0, firstPage: undefined };
  const many = Array.from({ length: onePageRowsMax + 1 }, (_, i): [number, number] => [-i, 1]);
  test.each<[string, Partial<Snapshot>, object]>([
    [
      "the earlier pages that are no longer needed",
      { firstPage: { updateTime: at(1), pages: 4, segmentPages: 0 } },
      { read: { pages: 4 }, wrote: { pages_deleted: 3 }, billed: { deletes: 4 + 3 + 2 } },
    ],
    [
      "more pages than before",
      { ranked: ranked(someRows(...many)) },
      { wrote: { pages: 4, pages_deleted: 0 } },
    ],
    ["nobody", { ranked: noneRanked, top: noTop }, { players: 0, wrote: { pages: 1, top: 0 } }],
    ["no page before the first", nothing, { generation: 1, read: { pages: 0 } }],
    [
      "owed rows",
      { ranked: ranked(someRows([90, 1], [85, -1])) },
      { players: 1, rows: 1, found: { owed_rows: 1 } },
    ],
    [
      "the players of merged rows that are still too wide",
      { ranked: ranked(someRows([99, 100_000], [90, 20, 80], [70, 260_000, 60], [50, 9])) },
      { found: { wide_players: 260_000 } },
    ],
    [
      "none that are narrow",
      { ranked: ranked(someRows([99, 100_000], [90, 20, 80])) },
      { found: { wide_players: 0 } },
    ],
  ])("counts %s", (_what, snapshot, expected) => {
    expect(plan({ snapshot }).record).toMatchObject(expected);
  });

  test("says how long ago the newest change was due, at the end of its interval", () => {
    const lag = (newestSlotEndMs: number) =>
      plan({ snapshot: { taken: { ...taken, sums: { ...taken.sums, newestSlotEndMs } } } }).record.lag_ms;
    const due = [9, 10, 5, 11].map((minutes) => lag(minutes * minute));
    expect(due).toEqual([2_000, 2_000, 5 * minute + 2_000, 0]);
    expect(lag(0)).toBeNull();
  });
});
