import { describe, expect, test } from "vitest";
import { type DocumentSnapshot, Timestamp } from "../../documents/firestore.ts";
import { comparePlaces } from "../../documents/standings.ts";
import { dated, entryOf, listedOf } from "./entries.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);

/** A document as a query returns it. */
const found = (data: Record<string, unknown> | undefined, updateTime: Timestamp | undefined = at(9_000)) =>
  ({ id: "ann", updateTime, data: () => data }) as unknown as DocumentSnapshot;
const stored = { score: 5, status: "active", attempts: 1, achieved_at: at(4_000) };

describe("a player's document", () => {
  test("is listed at its score and time", () => {
    expect(listedOf(found(stored))).toMatchObject({
      player: "ann",
      score: 5,
      achievedAt: at(4_000),
      place: [5, at(4_000), "ann"],
      shown: { attempts: 1 },
    });
  });

  test("without a time is listed where the trigger will put it: at the time when it was written", () => {
    const { achieved_at: _, ...without } = stored;
    expect(listedOf(found(without))).toMatchObject({
      achievedAt: at(9_000),
      place: [5, at(9_000), "ann"],
    });
  });

  test("whose time is no time is found by that value, and listed at the time when it was written", () => {
    const listed = listedOf(found({ ...stored, achieved_at: "yesterday" }));
    expect(listed).toMatchObject({ achievedAt: at(9_000), place: [5, "yesterday", "ann"] });
  });

  test("is not listed if it has no ranked score, or is gone", () => {
    expect(listedOf(found({ ...stored, status: "hidden" }))).toBeUndefined();
    expect(listedOf(found({ ...stored, score: "5" }))).toBeUndefined();
    expect(listedOf(found(undefined))).toBeUndefined();
  });
});

describe("the total order", () => {
  const ann = { player: "ann", score: 5, achievedAt: new Timestamp(4, 1) };

  test("lists the better score first, negative ones too", () => {
    const worse = { ...ann, score: -7 };
    expect(comparePlaces("descending", "first", ann, worse)).toBeLessThan(0);
    expect(comparePlaces("descending", "first", worse, ann)).toBeGreaterThan(0);
    expect(comparePlaces("ascending", "first", ann, worse)).toBeGreaterThan(0);
    expect(comparePlaces("ascending", "first", worse, ann)).toBeLessThan(0);
  });

  test.each([
    ["second", { ...ann, achievedAt: new Timestamp(5, 0) }],
    ["nanosecond", { ...ann, achievedAt: new Timestamp(4, 2) }],
    ["id", { ...ann, player: "bob" }],
  ])("lists the lower %s first among equal scores, or last with `ties: last`", (_what, later) => {
    expect(comparePlaces("descending", "first", ann, later)).toBeLessThan(0);
    expect(comparePlaces("descending", "first", later, ann)).toBeGreaterThan(0);
    expect(comparePlaces("descending", "last", ann, later)).toBeGreaterThan(0);
    expect(comparePlaces("descending", "last", later, ann)).toBeLessThan(0);
  });
});

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
    const columns = [
      { name: "wins", min: 0, max: 9, order: "descending" as const },
      { name: "goals", min: 0, max: 9, order: "descending" as const },
    ];
    const shown = { display_name: "Ann", metadata: { flag: "at" } };
    const entry = entryOf({ order: "descending", columns }, { ...ann, shown }, sure, {
      position: 3,
      exact: true,
    });
    expect(entry).toMatchObject({ ...shown, columns: { wins: 1, goals: 2 } });
  });

  test("says which of rank and position are guesses", () => {
    const guess = entryOf(
      { order: "descending" },
      ann,
      { rank: 2, exact: false },
      { position: 3, exact: false },
    );
    expect(guess).toMatchObject({ exact: false, position_exact: false });
  });
});

test("a list is dated by its publication", () => {
  expect(dated({ asOf: at(60_000), generation: 4 })).toEqual({
    as_of: "1970-01-01T00:01:00.000Z",
    generation: 4,
  });
});
