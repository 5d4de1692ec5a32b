import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import type { Metadata } from "../documents/player.ts";
import { type ListedPlayer, readTop, readTopHeader, type Top } from "../documents/top.ts";
import { documentSize, fieldsSize } from "../model/document-size.ts";
import { topBytesMax } from "../model/limits.ts";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { placePlainly } from "../../../test/support/pages.ts";
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
    const profile = { display_name: "Ann", metadata };
    const top = topOf({}, player("ann", 50, { ...profile, team: "blue" }), player("bo", 40));
    // Firestore takes no empty fields.
    expect(top).toStrictEqual({
      ...generation,
      whole_at: generation.as_of,
      ties: "first",
      lowest_score: null,
      lowest_at: null,
      entries: [
        { player: "ann", rank: 1, position: 1, score: 50, ...profile, achieved_at: achieved },
        { player: "bo", rank: 2, position: 2, score: 40, achieved_at: achieved },
      ],
    });
    expect(readTop({ ...top })).toEqual(top);
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

  test("gives each player the rank that counting the better ones gives, and positions that count on", () => {
    fc.assert(
      fc.property(anyOrder, fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 20 }), (order, scores) => {
        const sorted = scores.toSorted((a, b) => (order === "descending" ? b - a : a - b));
        const { entries } = topOf({ order }, ...sorted.map((score, i) => player(`p${i}`, score)));
        expect(entries.map(({ score, rank, position }) => [score, rank, position])).toEqual(
          sorted.map((score, i) => [score, placePlainly(order, scores, score).rank, i + 1]),
        );
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
    const invalid = ["60", NaN, 2 ** 54, undefined].map((score, i) => player(`x${i}`, score));
    const top = topOf({ top_size: 5 }, player("a", 50), ...invalid, player("f", 40));
    expect(top.entries.map((entry) => [entry.player, entry.rank, entry.position])).toEqual([
      ["a", 1, 1],
      ["f", 2, 2],
    ]);
    expect(top.lowest_score).toBeNull();
  });

  test("uses the time of the list for a score whose own time is unknown", () => {
    const { entries } = topOf({}, player("a", 50, { achieved_at: "yesterday" }));
    expect(entries[0]?.achieved_at).toBe(generation.as_of);
  });

  test("shows the columns that a score stands for, and none for a score that is not a tuple", () => {
    const columns = ["points", "goals"].map((name) => ({ name, min: 0, max: 9 }));
    const listed = [player("a", 42), player("b", -1, { columns: { points: 7, goals: 7 } })];
    const { entries } = topOf({ columns }, ...listed);
    expect(entries[0]?.columns).toEqual({ points: 4, goals: 2 });
    expect(entries[1]).not.toHaveProperty("columns");
  });
});

describe("a top that would be too large", () => {
  const metadata = (bytes: number): Metadata => ({ text: "x".repeat(bytes) });
  const hasMetadata = (entry: Top["entries"][number]) => entry.metadata !== undefined;

  test("keeps all its entries, and the metadata of as many of the best as fit 900 KB", () => {
    const listed = Array.from({ length: 1_000 }, (_, i) =>
      player(`player-${i}`, -i, { metadata: metadata(1_000), display_name: "👑".repeat(64) }),
    );
    const top = topOf({ top_size: 1_000 }, ...listed);
    const kept = top.entries.filter(hasMetadata).length;
    expect(top.entries.map(hasMetadata)).toEqual(listed.map((_, i) => i < kept));
    expect(documentSize(path, top)).toBeLessThanOrEqual(topBytesMax);
    expect(documentSize(path, top) + fieldsSize({ metadata: metadata(1_000) })).toBeGreaterThan(topBytesMax);
    expect(top.entries.every(({ display_name }) => display_name === "👑".repeat(64))).toBe(true);
  });

  test("leaves out metadata that would lie too deep, of this entry alone", () => {
    const nested = (levels: number): Metadata => (levels === 0 ? {} : { a: nested(levels - 1) });
    const listed = [17, 18, 0].map((levels, i) => player(`p${i}`, -i, { metadata: nested(levels) }));
    expect(topOf({}, ...listed).entries.map(hasMetadata)).toEqual([true, false, true]);
  });

  test("begins a byte above 900 KB", () => {
    const entries = (bytes: number) =>
      topOf({}, player("a", 2, { metadata: metadata(1) }), player("b", 1, { metadata: metadata(bytes) }));
    const most = topBytesMax - documentSize(path, entries(0));
    expect(documentSize(path, entries(most))).toBe(topBytesMax);
    expect(entries(most).entries.map(hasMetadata)).toEqual([true, true]);
    expect(entries(most + 1).entries.map(hasMetadata)).toEqual([true, false]);
  });

  test("skips entries that have no metadata to leave out", () => {
    const top = topOf({}, player("a", 3), player("b", 2, { metadata: metadata(2_000_000) }), player("c", 1));
    expect(top.entries.map(hasMetadata)).toEqual([false, false, false]);
    expect(top.entries.length).toBe(3);
  });
});
