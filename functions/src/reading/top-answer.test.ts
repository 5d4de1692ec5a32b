import { expect, test } from "vitest";
import { emptyTop, toEntry, topAnswer, type TopRead } from "./top-answer.ts";

const at = (ms: number) => ({ toMillis: () => ms });
const key = { leaderboard: "arena", season: "all_time" };
const entry = (player: string, position: number) => ({
  player,
  rank: position,
  position,
  score: 100 - position,
  achieved_at: at(1_000 * position),
});
const topOf = (...players: string[]): TopRead => ({
  generation: 4,
  players: 9,
  lowest_score: 97,
  as_of: at(60_000),
  entries: players.map((player, i) => entry(player, i + 1)),
});

test("a top's answer has the season, the best first, and what a score must beat", () => {
  expect(topAnswer(key, topOf("ann"))).toEqual({
    leaderboard: "arena",
    season: "all_time",
    entries: [{ player: "ann", rank: 1, position: 1, score: 99, achieved_at: "1970-01-01T00:00:01.000Z" }],
    lowest_score: 97,
    players: 9,
    as_of: "1970-01-01T00:01:00.000Z",
    generation: 4,
  });
});

test("a limit takes the best", () => {
  const top = topOf("ann", "bob", "cy");
  expect(topAnswer(key, top, 2).entries.map(({ player }) => player)).toEqual(["ann", "bob"]);
  expect(topAnswer(key, top).entries).toHaveLength(3);
  // The answers from one document share their entries.
  expect(topAnswer(key, top).entries[0]).toBe(topAnswer(key, top).entries[0]);
});

test("before the first publication the top is empty, and any score may enter", () => {
  expect(topAnswer(key, emptyTop(at(0)))).toEqual({
    ...key,
    entries: [],
    lowest_score: null,
    players: 0,
    as_of: "1970-01-01T00:00:00.000Z",
    generation: 0,
  });
});

test("an entry has a name, columns and metadata only if the player has", () => {
  const profile = { display_name: "Ann", columns: { points: 3 }, metadata: { flag: "at" } };
  expect(toEntry({ ...entry("ann", 1), ...profile })).toMatchObject(profile);
  const bare = ["player", "rank", "position", "score", "achieved_at"];
  expect(Object.keys(toEntry(entry("ann", 1)))).toEqual(bare);
});
