import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { readCursor, writeCursor, cursorCharactersMax } from "./cursor.ts";

const key = { leaderboard: "arena", season: "all_time" };
const achieved = new Timestamp(1_700_000_000, 123_456_789);
const ann = [-2.5, achieved, "ann"] as const;

/** A cursor with these fields in place of those of a good one. */
const withFields = (fields: object) =>
  Buffer.from(
    JSON.stringify({ v: 1, ...key, after: [5, 1_700_000_000, 0, "ann"], position: 9, ...fields }),
  ).toString("base64url");

const refusal = (cursor: string, of = key) => {
  try {
    return readCursor(of, cursor);
  } catch (error) {
    return error;
  }
};

test("a cursor leads back to the place and the position where the list ended, and to its standings", () => {
  const found = { listKey: [-2.5, achieved, "ann"], position: 50 };
  expect(readCursor(key, writeCursor(key, ann, 50))).toEqual({ ...found, standings: undefined });
  const closed = writeCursor(key, ann, 50, [2, 1_700_000_000_000]);
  expect(readCursor(key, closed)).toEqual({ ...found, standings: [2, 1_700_000_000_000] });
  // After a player without a time, the list continues after all with the same score.
  expect(readCursor(key, writeCursor(key, [-2.5, "yesterday", "ann"], 50)).listKey).toEqual([-2.5]);
});

test("a cursor can be put into a URL as it is", () => {
  const cursor = writeCursor(key, [-2.5, achieved, "???>>>ÿÿ"], 50);
  expect(encodeURIComponent(cursor)).toBe(cursor);
});

describe("a cursor is refused", () => {
  const saying = (text: string) => ({
    code: "invalid_request",
    details: { fields: [{ path: "cursor", message: expect.stringContaining(text) as string }] },
  });
  const damaged = saying("is damaged");

  test.each([
    ["that is no JSON", "%%%"],
    ["without its place", withFields({ after: [] })],
    ["with a score that cannot be stored", withFields({ after: [2 ** 60] })],
    ["with a field that Firerank does not write", withFields({ more: 1 })],
    ["before the first position", withFields({ position: 0 })],
    ["before the first second of Firestore", withFields({ after: [5, -62_135_596_801, 0, "ann"] })],
    ["after the last second of Firestore", withFields({ after: [5, 253_402_300_800, 0, "ann"] })],
    ["with a negative part of a second", withFields({ after: [5, 0, -1, "ann"] })],
    ["with a whole second as a part of one", withFields({ after: [5, 0, 1_000_000_000, "ann"] })],
    ["of negative revisions", withFields({ standings: [-1, 0] })],
  ])("%s", (_what, cursor) => {
    expect(refusal(cursor)).toMatchObject(damaged);
  });

  test("that is longer than any that Firerank writes", () => {
    const text = JSON.stringify({ v: 1, ...key, after: [5], position: 9 });
    const ofLength = (length: number) => Buffer.from(text.padEnd(length)).toString("base64url");
    const longest = ofLength(Math.floor((cursorCharactersMax * 3) / 4));
    expect(longest).toHaveLength(cursorCharactersMax);
    expect(readCursor(key, longest)).toMatchObject({ listKey: [5] });
    expect(refusal(`${longest}A`)).toMatchObject(damaged);
  });

  test.each([
    ["board", { ...key, leaderboard: "other" }],
    ["season", { ...key, season: "daily-2026-11-22" }],
  ])("of another %s, and the error names both", (_what, of) => {
    const named = `season "${of.season}" of leaderboard "${of.leaderboard}"; begin with an offset in season "all_time"`;
    expect(refusal(writeCursor(of, ann, 50))).toMatchObject(saying(named));
  });

  test("of another segment, or of all players, and the error names both", () => {
    const austria = { ...key, segment: "country=AT" };
    expect(readCursor(austria, writeCursor(austria, ann, 50)).position).toBe(50);
    const named = [
      [key, austria, "is of all players; begin with an offset in country=AT"],
      [austria, key, "is of country=AT; begin with an offset in all players"],
    ] as const;
    for (const [of, asked, text] of named)
      expect(refusal(writeCursor(of, ann, 50), asked)).toMatchObject(saying(text));
  });
});

test("the first and the last moment that Firestore can store can be a place", () => {
  for (const [seconds, nanoseconds] of [
    [-62_135_596_800, 0],
    [253_402_300_799, 999_999_999],
  ] as const) {
    const { listKey } = readCursor(key, withFields({ after: [5, seconds, nanoseconds, "ann"], position: 1 }));
    expect(listKey).toEqual([5, new Timestamp(seconds, nanoseconds), "ann"]);
  }
  expect(readCursor(key, withFields({ standings: [0, 5] })).standings).toEqual([0, 5]);
});
