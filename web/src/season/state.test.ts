import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { storedDefinition } from "../../../functions/src/model/definition.ts";
import type { Hours } from "../../../functions/src/seasons/open-now.ts";
import { sinceToday, stateOf } from "./state.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);
const cup: Hours = { span: "custom", status: "open", opens_at: at(1_000), closes_at: at(2_000) };

test("a tournament is upcoming, open, and closing, to the millisecond", () => {
  expect([999, 1_000, 1_999, 2_000].map((nowMs) => stateOf(cup, nowMs))).toEqual([
    "coming",
    "open",
    "open",
    "closing",
  ]);
});

test("one that was ended before it opened closes", () => {
  const early = { ...cup, closes_at: at(500) };
  expect([499, 500, 1_000].map((nowMs) => stateOf(early, nowMs))).toEqual(["coming", "closing", "closing"]);
});

test("without an end it stays open", () => {
  expect(stateOf({ ...cup, closes_at: null }, 1e12)).toBe("open");
});

test("a season that has begun to close is shown by its status", () => {
  expect(
    (["closing", "closed", "deleting"] as const).map((status) => stateOf({ ...cup, status }, 0)),
  ).toEqual(["closing", "closed", "deleting"]);
});

test("movement is asked for where calls answer it: on a board that keeps it, of all players, in no season of a day", () => {
  const asked = (season: string, movement: boolean, segment?: string) =>
    sinceToday({ leaderboard: "board", season }, storedDefinition.parse({ movement }), segment);
  expect(asked("all_time", true)).toEqual({ since: "day" });
  expect([
    asked("all_time", false),
    asked("all_time", true, "country=AT"),
    asked("daily-2026-11-26", true),
    sinceToday({ leaderboard: "board", season: "all_time" }, undefined, undefined),
  ]).toEqual([{}, {}, {}, {}]);
});
