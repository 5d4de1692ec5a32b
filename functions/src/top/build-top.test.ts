import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import type { Metadata } from "../documents/player.ts";
import { type ListedPlayer, readTop, readTopHeader, type Top } from "../documents/top.ts";
import { documentSize, fieldsSize } from "../model/document-size.ts";
import { topBytesMax } from "../model/limits.ts";
import { toEntry } from "../reading/top-answer.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { buildTop } from "./build-top.ts";

const path = "leaderboards/chess/seasons/all_time/top/current";
const generation = { generation: 3, as_of: Timestamp.fromMillis(900_000), players: 12 };
const achieved = Timestamp.fromMillis(600_000);

const player = (id: string, score: unknown, more: Record<string, unknown> = {}): ListedPlayer => ({
  id,
  data: { score, status: "active", attempts: 1, achieved_at: achieved, ...more },
});
const topOf = (board: Parameters<typeof definitionOf>[0], ...listed: ListedPlayer[]): Top =>
  buildTop(path, definitionOf(board), listed, generation);

describe("the top", () => {
  test("lists players with all their fields", () => {
    const metadata = { level: 3 };
    const top = topOf(
      {},
      player("ann", 50, { display_name: "Ann", metadata, team: "blue" }),
      player("bo", 40),
    );
    expect(top).toEqual({
      ...generation,
      lowest_score: null,
      lowest_at: null,
      entries: [
        {
          player: "ann",
          rank: 1,
          position: 1,
          score: 50,
          display_name: "Ann",
          metadata,
          achieved_at: achieved,
        },
        { player: "bo", rank: 2, position: 2, score: 40, achieved_at: achieved },
      ],
    });
    expect(readTop({ ...top })).toEqual(top);
  });

  test("leaves out what a player lacks, as Firestore takes no empty fields", () => {
    const { entries } = topOf({}, player("ann", 50));
    expect(Object.keys(entries[0] ?? {}).sort()).toEqual([
      "achieved_at",
      "player",
      "position",
      "rank",
      "score",
    ]);
  });

  test("ends where a trusted server's very long names fill the document", () => {
    const listed = Array.from({ length: 100 }, (_, i) =>
      player(`p${i}`, 100 - i, { display_name: "x".repeat(20_000) }),
    );
    const { entries, ...header } = topOf({ top_size: 100 }, ...listed);
    const sizeOf = (count: number) => documentSize(path, topOf({ top_size: 100 }, ...listed.slice(0, count)));
    expect(documentSize(path, { ...header, entries })).toBeLessThanOrEqual(topBytesMax);
    expect(entries.map(({ player: id }) => id)).toEqual(listed.slice(0, entries.length).map(({ id }) => id));
    expect(sizeOf(entries.length) + 20_000).toBeGreaterThan(topBytesMax - 1_000);
    expect(entries.length).toBeGreaterThan(40);
    expect(readTopHeader({ ...header, entries })).toMatchObject({ generation: 3, players: 12 });
    expect(readTopHeader({})).toBeUndefined();
  });

  test("shares ranks among players who tie, 1, 1, 3, and counts positions on", () => {
    const { entries } = topOf(
      {},
      player("a", 50),
      player("b", 50),
      player("c", 40),
      player("d", 40),
      player("e", 30),
    );
    expect(entries.map(({ rank }) => rank)).toEqual([1, 1, 3, 3, 5]);
    expect(entries.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
  });

  test("gives each player the rank that counting the better ones gives, on either kind of board", () => {
    const anyBoard = fc.constantFrom("descending" as const, "ascending" as const);
    fc.assert(
      fc.property(anyBoard, fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 20 }), (order, scores) => {
        const sorted = scores.toSorted((a, b) => (order === "descending" ? b - a : a - b));
        const { entries } = topOf({ order }, ...sorted.map((score, i) => player(`p${i}`, score)));
        for (const { score, rank } of entries) {
          expect(rank).toBe(
            1 + scores.filter((other) => (order === "descending" ? other > score : other < score)).length,
          );
        }
        expect(entries.length).toBe(scores.length);
      }),
    );
  });

  test("lets anybody in while there is room, and then only players who beat the last", () => {
    const players = [player("a", 50), player("b", 40), player("c", 30)];
    expect(topOf({ top_size: 4 }, ...players).lowest_score).toBeNull();
    expect(topOf({ top_size: 3 }, ...players).lowest_score).toBe(30);
    expect(topOf({ top_size: 1 }).lowest_score).toBeNull();
  });

  test("leaves out players whose score is invalid, and counts nobody as below them", () => {
    const top = topOf(
      { top_size: 5 },
      player("a", 50),
      player("b", "60"),
      player("c", NaN),
      player("d", 2 ** 54),
      player("e", undefined),
      player("f", 40),
    );
    expect(top.entries.map(({ player, rank, position }) => [player, rank, position])).toEqual([
      ["a", 1, 1],
      ["f", 2, 2],
    ]);
    expect(top.lowest_score).toBeNull();
  });

  test("uses the time of the list for a score whose own time is unknown", () => {
    expect(topOf({}, player("a", 50, { achieved_at: "yesterday" })).entries[0]?.achieved_at).toBe(
      generation.as_of,
    );
  });

  test("shows the columns that a score stands for, and none for a score that is not a tuple", () => {
    const board = {
      columns: [
        { name: "points", min: 0, max: 9 },
        { name: "goals", min: 0, max: 9 },
      ],
    };
    const { entries } = topOf(board, player("a", 42), player("b", -1, { columns: { points: 7, goals: 7 } }));
    expect(entries[0]?.columns).toEqual({ points: 4, goals: 2 });
    expect(entries[1]).not.toHaveProperty("columns");
  });
});

describe("a top that would be too large", () => {
  const metadata = (bytes: number): Metadata => ({ text: "x".repeat(bytes) });
  const crowd = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, i) =>
      player(`player-${i}`, -i, { metadata: metadata(bytes), display_name: "👑".repeat(64) }),
    );

  test("keeps all its entries, and the metadata of as many of the best as fit 900 KB", () => {
    const top = topOf({ top_size: 1_000 }, ...crowd(1_000, 1_000));
    const kept = top.entries.filter((entry) => entry.metadata !== undefined).length;
    expect(top.entries.length).toBe(1_000);
    expect(top.entries.map((entry) => entry.metadata !== undefined)).toEqual(
      top.entries.map((_, i) => i < kept),
    );
    expect(documentSize(path, top)).toBeLessThanOrEqual(topBytesMax);
    const oneMore = fieldsSize({ metadata: metadata(1_000) });
    expect(documentSize(path, top) + oneMore).toBeGreaterThan(topBytesMax);
    expect(top.entries.every(({ display_name }) => display_name === "👑".repeat(64))).toBe(true);
  });

  test("begins a byte above 900 KB", () => {
    const entries = (bytes: number) =>
      topOf({}, player("a", 2, { metadata: metadata(1) }), player("b", 1, { metadata: metadata(bytes) }));
    const most = topBytesMax - documentSize(path, entries(0));
    expect(documentSize(path, entries(most))).toBe(topBytesMax);
    expect(entries(most).entries.map((entry) => entry.metadata !== undefined)).toEqual([true, true]);
    expect(entries(most + 1).entries.map((entry) => entry.metadata !== undefined)).toEqual([true, false]);
  });

  test("skips entries that have no metadata to leave out", () => {
    const top = topOf({}, player("a", 3), player("b", 2, { metadata: metadata(2_000_000) }), player("c", 1));
    expect(top.entries.map((entry) => entry.metadata !== undefined)).toEqual([false, false, false]);
    expect(top.entries.length).toBe(3);
  });
});

test("an entry reaches callers with its time as text, and without the fields that it lacks", () => {
  const [whole, bare] = topOf(
    {},
    player("a", 5, { display_name: "Ann", metadata: { a: 1 } }),
    player("b", 4),
  ).entries.map(toEntry);
  const time = "1970-01-01T00:10:00.000Z";
  expect(whole).toStrictEqual({
    player: "a",
    rank: 1,
    position: 1,
    score: 5,
    display_name: "Ann",
    metadata: { a: 1 },
    achieved_at: time,
  });
  expect(bare).toStrictEqual({ player: "b", rank: 2, position: 2, score: 4, achieved_at: time });
});
