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

test("a season is open until its last millisecond, and closing from its end on, whether its closing has begun or not", () => {
  expect(shownAt(weekly, closesMs - 1).status).toBe("open");
  expect(shownAt(weekly, closesMs).status).toBe("closing");
  expect(shownAt({ ...weekly, status: "closing" }, closesMs).status).toBe("closing");
});

test("a tournament that an admin ends early is closing before its time", () => {
  expect(shownAt({ ...weekly, status: "closing" }, opensMs).status).toBe("closing");
});

test("a season without an end stays open", () => {
  const endless = { ...weekly, closes_at: null };
  expect(shownAt(endless, closesMs)).toMatchObject({ status: "open", closes_at: null });
});

test("a closed season stays closed and says since when", () => {
  const closed: Season = { ...weekly, status: "closed", closed_at: Timestamp.fromMillis(closesMs + 90_000) };
  expect(shownAt(closed, closesMs + 100_000)).toMatchObject({
    status: "closed",
    closed_at: "2026-11-09T00:01:30.000Z",
  });
});

test("a season that is being deleted is shown as closed", () => {
  expect(shownAt({ ...weekly, status: "deleting" }, closesMs).status).toBe("closed");
});
