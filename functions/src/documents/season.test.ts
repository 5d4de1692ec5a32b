import { expect, test } from "vitest";
import { Timestamp } from "./firestore.ts";
import { isRevisionOwed, newSeason } from "./season.ts";

test("a publication is owed while the standings have revisions that it does not show", () => {
  const at = Timestamp.fromMillis(0);
  const season = newSeason({
    span: "custom",
    opens_at: at,
    closes_at: at,
    shards: 1,
    interval_ms: 300_000,
    next_run_at: null,
  });
  expect(isRevisionOwed(season)).toBe(false);
  expect(isRevisionOwed({ ...season, revisions: 1 })).toBe(true);
  expect(isRevisionOwed({ ...season, revisions: 1, published_revisions: 1 })).toBe(false);
  expect(isRevisionOwed({ ...season, revisions: 2, published_revisions: 1 })).toBe(true);
});
