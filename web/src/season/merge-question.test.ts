import { expect, test } from "vitest";
import { isScored, mergeQuestion } from "./merge-question.ts";

const asked = { leaderboard: "arena", player: "bob", to: "nobody2x" };

test("a merge into somebody without a score says so, and has the id typed that gets the scores", () => {
  const { text, typed } = mergeQuestion({ ...asked, hasScore: false });
  expect(text).toMatch(/^nobody2x has no score on arena yet: check the ID\. It gets the scores of bob /);
  expect(text).not.toContain("of both");
  expect(typed).toBe("nobody2x");
});

test("a merge of two with scores says what becomes of both", () => {
  const { text, typed } = mergeQuestion({ ...asked, hasScore: true });
  expect(text).toMatch(/^nobody2x gets the scores of both, .* bob is gone then\. This cannot be undone\.$/);
  expect(typed).toBe("nobody2x");
});

test("a player is scored with a score in a document or a line of a final table", () => {
  const season = { season: "all_time", span: "all_time", status: "open", opens_at: null, closes_at: null };
  const standing = { rank: 1, position: 1, players: 1, score: 1, achieved_at: "2026-01-01T00:00:00Z" };
  const seasonsOf = (more: object) => ({ seasons: [{ ...season, documents: [], ...more }] });
  expect(isScored({ seasons: [] })).toBe(false);
  expect(isScored(seasonsOf({ player: { status: "banned" } }))).toBe(false);
  expect(isScored(seasonsOf({ player: { score: 0 } }))).toBe(true);
  expect(isScored(seasonsOf({ standing }))).toBe(true);
});
