import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { newSeason, type Season } from "../documents/season.ts";
import { seasonShown } from "./season-asked.ts";

const opensMs = Date.parse("2026-11-02T00:00:00Z");
const closesMs = Date.parse("2026-11-09T00:00:00Z");
const begun = newSeason({
  span: "weekly",
  opens_at: Timestamp.fromMillis(opensMs),
  closes_at: Timestamp.fromMillis(closesMs),
  interval_ms: 60_000,
  next_run_at: null,
});
const weekly: Season = { ...begun, ranking: { ...begun.ranking, players: 7, generation: 3 } };

const shownAt = (season: Season, ms: number) => seasonShown("weekly-2026-11-02", season, ms);

test("a season is shown with its times, players and generation", () => {
  expect(shownAt({ ...weekly, closes_at: null }, opensMs).closes_at).toBeNull();
  expect(shownAt(weekly, opensMs)).toEqual({
    season: "weekly-2026-11-02",
    span: "weekly",
    status: "open",
    opens_at: "2026-11-02T00:00:00.000Z",
    closes_at: "2026-11-09T00:00:00.000Z",
    players: 7,
    generation: 3,
  });
});

test.each<[Partial<Season>, ms: number, shown: Season["status"]]>([
  [{}, closesMs - 1, "open"],
  // Whether its closing has begun or not, and also if an admin ends it early.
  [{}, closesMs, "closing"],
  [{ status: "closing" }, closesMs, "closing"],
  [{ status: "closing" }, opensMs, "closing"],
  [{ closes_at: null }, closesMs, "open"],
  [{ status: "deleting" }, closesMs, "closed"],
])("a season of a week with %o is at %i %s", (season, ms, status) => {
  expect(shownAt({ ...weekly, ...season }, ms).status).toBe(status);
});

test("a closed season stays closed and says since when", () => {
  const closed: Season = { ...weekly, status: "closed", closed_at: Timestamp.fromMillis(closesMs + 90_000) };
  const expected = { status: "closed", closed_at: "2026-11-09T00:01:30.000Z" };
  expect(shownAt(closed, closesMs + 100_000)).toMatchObject(expected);
});
