import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { newSeason, type Season } from "../../../functions/src/documents/season.ts";
import type { ListedSeason } from "../data/documents.ts";
import { pinned } from "./shown.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);
const listed = (id: string, span: Season["span"], opensMs = 0, closesMs?: number): ListedSeason => ({
  id,
  season: newSeason({
    span,
    opens_at: at(opensMs),
    closes_at: closesMs === undefined ? null : at(closesMs),
    interval_ms: 60_000,
    next_run_at: null,
  }),
});

test("spans come first, in the order of the board, however many tournaments are newer", () => {
  const tournaments = Array.from({ length: 20 }, (_, i) => listed(`cup-${10 + i}`, "custom", 900, 2_000 + i));
  const open = [...tournaments, listed("daily-2", "daily", 500, 9_000), listed("all_time", "all_time")];
  expect(pinned(open, ["all_time", "daily"], 1_000).map(({ id }) => id)).toEqual([
    "all_time",
    "daily-2",
    ...tournaments.map(({ id }) => id),
  ]);
});

test("of tournaments the one that closes first is first, and seasons to come are last", () => {
  const open = [
    listed("in-two-days", "custom", 8_000),
    listed("tomorrow", "custom", 5_000, 6_000),
    listed("without-end", "custom"),
    { id: "unreadable", season: undefined },
    listed("soon-over", "custom", 0, 1_500),
    listed("later-over", "custom", 0, 4_000),
  ];
  expect(pinned(open, [], 1_000).map(({ id }) => id)).toEqual([
    "soon-over",
    "later-over",
    "without-end",
    "tomorrow",
    "in-two-days",
    "unreadable",
  ]);
});

test("a season of a span that the board no longer has stands among the tournaments", () => {
  const open = [
    listed("cup", "custom", 0, 9_000),
    listed("weekly-1", "weekly", 0, 5_000),
    listed("daily-1", "daily"),
  ];
  expect(pinned(open, ["daily"], 1_000).map(({ id }) => id)).toEqual(["daily-1", "weekly-1", "cup"]);
});
