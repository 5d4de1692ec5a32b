import { describe, expect, test } from "vitest";
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { comparePlayers } from "../model/compare-players.ts";
import { dated, entryOf, isIn, listedOf, notRanked } from "./entries.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);

/** A document as a query returns it. */
const found = (data: Record<string, unknown> | undefined, updateTime: Timestamp | undefined = at(9_000)) =>
  ({ id: "ann", updateTime, data: () => data }) as unknown as DocumentSnapshot;
const stored = { score: 5, status: "active", attempts: 1, achieved_at: at(4_000) };

describe("a player's document", () => {
  const { achieved_at: _, ...without } = stored;

  // Without a time the trigger will put it at the time when it was written. It is found by the value that it has.
  test.each([
    [stored, at(4_000), [5, at(4_000), "ann"]],
    [without, at(9_000), [5, at(9_000), "ann"]],
    [{ ...stored, achieved_at: "yesterday" }, at(9_000), [5, "yesterday", "ann"]],
  ])("%o is listed at its score and time, or when it was written", (data, achievedAt, listKey) => {
    const listed = { player: "ann", score: 5, achievedAt, listKey, shown: { attempts: 1 } };
    expect(listedOf(found(data))).toMatchObject(listed);
  });

  test("is in the segments of its mark, and without one in none", () => {
    const segmentsOf = (more: object) => listedOf(found({ ...stored, ...more }))?.segments;
    const counted = { score: 5, segments: ["country=AT"], of: "x" };
    expect([segmentsOf({ counted }), segmentsOf({})]).toEqual([["country=AT"], []]);
  });

  test("is not listed if it has no ranked score, or is gone", () => {
    for (const data of [{ ...stored, status: "hidden" }, { ...stored, score: "5" }, undefined])
      expect(listedOf(found(data))).toBeUndefined();
  });
});

test.each([
  ["score", { score: -7, achievedAt: at(3_000) }, "worse"],
  ["second", { achievedAt: new Timestamp(5, 0) }, "later"],
  ["nanosecond", { achievedAt: new Timestamp(4, 2) }, "later"],
  ["id", { player: "bob" }, "later"],
])(
  "the total order has by its %s: the better score first, then the lower one, or last with `ties: last`",
  (...drawn) => {
    const [, other, how] = drawn;
    const ann = { player: "ann", score: 5, achievedAt: new Timestamp(4, 1) };
    for (const order of ["descending", "ascending"] as const)
      for (const ties of ["first", "last"] as const) {
        const isFirst = how === "worse" ? order === "descending" : ties === "first";
        const sign = isFirst ? -1 : 1;
        expect(Math.sign(comparePlayers(order, ties, ann, { ...ann, ...other }))).toBe(sign);
        expect(Math.sign(comparePlayers(order, ties, { ...ann, ...other }, ann))).toBe(-sign);
      }
  },
);

describe("an entry", () => {
  const ann = { player: "ann", score: 12, achievedAt: at(4_000), shown: {} };
  const sure = { rank: 2, exact: true };

  test("has only what is known of the player", () => {
    expect(entryOf({ order: "descending" }, ann, sure, { position: 3, exact: true })).toStrictEqual({
      player: "ann",
      rank: 2,
      position: 3,
      score: 12,
      achieved_at: "1970-01-01T00:00:04.000Z",
    });
  });

  test("has the columns of the board, and the player's name and metadata", () => {
    const columns = ["wins", "goals"].map((name) => ({ name, min: 0, max: 9, order: "descending" as const }));
    const shown = { display_name: "Ann", metadata: { flag: "at" } };
    const position = { position: 3, exact: true };
    const entry = entryOf({ order: "descending", columns }, { ...ann, shown }, sure, position);
    expect(entry).toMatchObject({ ...shown, columns: { wins: 1, goals: 2 } });
  });

  test("says which of rank and position are guesses", () => {
    const [rank, position] = [
      { rank: 2, exact: false },
      { position: 3, exact: false },
    ];
    const guess = entryOf({ order: "descending" }, ann, rank, position);
    expect(guess).toMatchObject({ exact: false, position_exact: false });
  });
});

test("a list is dated by its publication", () => {
  expect(dated({ asOf: at(60_000), generation: 4 })).toEqual({
    as_of: "1970-01-01T00:01:00.000Z",
    generation: 4,
  });
});

test("the segment that is asked for decides who is listed, and who is not is told so", () => {
  const board = { leaderboard: "arena", season: "all_time" };
  const keys = [board, ...["country=AT", "country=DE"].map((segment) => ({ ...board, segment }))];
  expect(keys.map((key) => isIn(key, { segments: ["country=AT"] }))).toEqual([true, true, false]);
  const code = "player_not_ranked";
  expect(keys.map((key) => notRanked("ann", key))).toMatchObject([
    { code, message: 'Player "ann" has no ranked score on leaderboard "arena".' },
    { code, message: 'Player "ann" is not in country=AT on leaderboard "arena".' },
    { code, message: 'Player "ann" is not in country=DE on leaderboard "arena".' },
  ]);
});
