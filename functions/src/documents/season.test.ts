import { expect, test } from "vitest";
import { Timestamp } from "./firestore.ts";
import { hasUnpublishedRevision, newSeason, readSeason, readSeasonIfValid, unpublished } from "./season.ts";

const begun = {
  span: "custom",
  opens_at: Timestamp.fromMillis(1_000),
  closes_at: Timestamp.fromMillis(2_000),
  interval_ms: 300_000,
  next_run_at: Timestamp.fromMillis(1_500),
} as const;

test("a new season is open and awake, has nothing published, and its end is due when it closes", () => {
  const never = { closed_at: null, closing_run: null, cleared_at: null, dormant_at: null, parked: null };
  const open = { ...begun, schema_version: 1, status: "open", end_due_at: begun.closes_at };
  expect(newSeason(begun)).toEqual({ ...open, ...never, ranking: unpublished });
});

test("a publication is owed while the standings have revisions that it does not show", () => {
  const season = newSeason(begun);
  expect(hasUnpublishedRevision(season)).toBe(false);
  expect(hasUnpublishedRevision({ ...season, revisions: 1 })).toBe(true);
  expect(hasUnpublishedRevision({ ...season, revisions: 1, published_revisions: 1 })).toBe(false);
  expect(hasUnpublishedRevision({ ...season, revisions: 2, published_revisions: 1 })).toBe(true);
});

test("a season of a form to come is refused, also in lists, and one that names no form is damaged", () => {
  const season = newSeason(begun);
  expect(readSeason({ ...season })).toEqual(season);
  for (const read of [readSeason, readSeasonIfValid])
    expect(() => read({ ...season, schema_version: 99 })).toThrow(
      /^A season .*deploy the newer package again/,
    );
  expect(readSeasonIfValid({ ...season, status: "lost" }).success).toBe(false);
  for (const damaged of ["two", undefined])
    expect(readSeasonIfValid({ ...season, schema_version: damaged }).success).toBe(false);
});
