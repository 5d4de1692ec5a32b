import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { comparePlaces } from "../documents/standings.ts";
import { standingsBytesMax, standingsMetadataBytesMax, standingsPerDocument } from "../model/limits.ts";
import {
  createSums,
  documentsOf,
  isCut,
  packStandings,
  playersOf,
  type Standing,
  standingOf,
} from "./pack.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);
const standing = (player: string, score: number, ms = 0, metadata = ""): Standing => ({
  player,
  score,
  achievedAt: at(ms),
  name: "",
  metadata,
});
const many = (count: number, score: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => standing(`p${i}`, score(i)));

describe("packStandings", () => {
  test("takes a thousand players, or all of them where there are fewer", () => {
    expect(packStandings(many(standingsPerDocument + 1, () => 1)).standings.players).toHaveLength(1_000);
    expect(packStandings(many(7, () => 1)).standings.players).toHaveLength(7);
  });

  test("writes metadata only where a player has some", () => {
    expect(packStandings(many(3, () => 1))).toMatchObject({
      standings: { has_metadata: false },
      metadata: undefined,
    });
    const packed = packStandings([standing("a", 1), standing("b", 1, 0, '{"x":1}')]);
    expect(packed.standings.has_metadata).toBe(true);
    expect(packed.metadata).toEqual({ metadata: ["", '{"x":1}'] });
  });

  test("ends a document where longer ids, names or metadata than Firerank's would not fit", () => {
    const long = many(1_000, () => 1).map((player) => ({ ...player, name: "n".repeat(1_400) }));
    expect(packStandings(long).standings.players.length).toBeLessThan(700);
    const full = many(1_000, () => 1).map((player) => ({ ...player, metadata: "m".repeat(1_024) }));
    expect(packStandings(full).standings.players).toHaveLength(1_000);
    const huge = many(2, () => 1).map((player) => ({ ...player, metadata: "m".repeat(600_000) }));
    expect(packStandings(huge).standings.players).toHaveLength(1);
  });

  test("fills a document to its last byte, of players and of metadata", () => {
    // A player takes the id and the name, a byte more for each of the two, and 16 for score and time.
    const named = (player: string, bytes: number) => ({
      ...standing(player, 1),
      name: "n".repeat(bytes - player.length - 2 - 16),
    });
    const half = standingsBytesMax / 2;
    expect(packStandings([named("a", half), named("b", half)]).standings.players).toEqual(["a", "b"]);
    expect(packStandings([named("a", half), named("b", half + 1)]).standings.players).toEqual(["a"]);
    const described = (player: string, bytes: number) => standing(player, 1, 0, "m".repeat(bytes - 1));
    const halfOfMetadata = standingsMetadataBytesMax / 2;
    const full = [described("a", halfOfMetadata), described("b", halfOfMetadata)];
    expect(packStandings(full).standings.players).toEqual(["a", "b"]);
    const over = [described("a", halfOfMetadata), described("b", halfOfMetadata + 1)];
    expect(packStandings(over).standings.players).toEqual(["a"]);
  });

  test("takes a player who is too large alone, so that the next documents go on", () => {
    const large = { ...standing("a", 2), name: "n".repeat(standingsBytesMax) };
    expect(packStandings([large, standing("b", 1)]).standings.players).toEqual(["a"]);
  });

  test("is undone by playersOf, with metadata and without", () => {
    const players = [standing("a", 3, 5, "{}"), { ...standing("b", 2), name: "Bea" }];
    expect(playersOf(documentsOf(players))).toEqual(players);
    const without = [standing("a", 3), standing("b", 2)];
    expect(playersOf(documentsOf(without))).toEqual(without);
  });
});

test("a player who is not ranked has no line, and metadata too large for any document is left out", () => {
  const achieved = { achieved_at: at(1), status: "active" };
  expect(standingOf("a", { ...achieved, score: -0, display_name: "Ann", metadata: { x: 1 } })).toEqual({
    player: "a",
    score: 0,
    achievedAt: at(1),
    name: "Ann",
    metadata: '{"x":1}',
  });
  expect(standingOf("a", { ...achieved, score: 1, status: "hidden" })).toBeUndefined();
  expect(standingOf("a", { ...achieved, score: "1" })).toBeUndefined();
  expect(standingOf("a", achieved)).toBeUndefined();
  expect(standingOf("a", undefined)).toBeUndefined();
  // As JSON, {"x":"…"} takes 8 bytes beside the text in it, and one more in a document.
  const standingWith = (bytes: number) =>
    standingOf("a", { ...achieved, score: 1, metadata: { x: "x".repeat(bytes - 9) } });
  expect(standingWith(standingsMetadataBytesMax)?.metadata).toHaveLength(standingsMetadataBytesMax - 1);
  expect(standingWith(standingsMetadataBytesMax + 1)?.metadata).toBe("");
});

test("a player without a name and metadata is in the standings without them", () => {
  const data = { achieved_at: at(1), score: 5 };
  expect(standingOf("a", data)).toEqual({ player: "a", score: 5, achievedAt: at(1), name: "", metadata: "" });
});

test("a player is cut whose name or metadata are longer than the standings hold, and nobody else", () => {
  const achieved = { achieved_at: at(1), score: 1 };
  const cut = (fields: Record<string, unknown>) => {
    const data = { ...achieved, ...fields };
    const shown = standingOf("a", data);
    return shown === undefined ? undefined : isCut(shown, data);
  };
  const long = { x: "x".repeat(standingsMetadataBytesMax) };
  expect(cut({})).toBe(false);
  expect(cut({ display_name: "Ann" })).toBe(false);
  expect(cut({ display_name: "Ann", metadata: { x: 1 } })).toBe(false);
  expect(cut({ metadata: {} })).toBe(false);
  expect(cut({ display_name: "n".repeat(2_000) })).toBe(true);
  expect(cut({ display_name: "n".repeat(2_000), metadata: { x: 1 } })).toBe(true);
  expect(cut({ metadata: long })).toBe(true);
  expect(cut({ display_name: "Ann", metadata: long })).toBe(true);
});

test("sums give a document without players the score of the last one before it, and count on behind it", () => {
  const sums = createSums();
  for (const scores of [[7, 5], [], [5, 3]]) sums.add(scores);
  expect(sums.finish()).toEqual({
    players: 4,
    counts: [2, 0, 2],
    first_scores: [7, 5, 5],
    ties_before: [0, 1, 1],
    dense_before: [0, 1, 1],
  });
});

describe.each(["descending", "ascending"] as const)("%s", (order) => {
  test.each(["first", "last"] as const)("ties %s: equal scores by time, then by id", (ties) => {
    const players = [standing("b", 1, 5), standing("a", 1, 5), standing("c", 1, 4), standing("d", 2, 9)];
    const ids = players.toSorted((a, b) => comparePlaces(order, ties, a, b)).map(({ player }) => player);
    const equals = ties === "first" ? ["c", "a", "b"] : ["b", "a", "c"];
    expect(ids).toEqual(order === "descending" ? ["d", ...equals] : [...equals, "d"]);
  });

  test("the sums of each document are those of counting everybody before it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        (scores, size) => {
          const better = (a: number, b: number) => (order === "descending" ? b - a : a - b);
          const sorted = scores.toSorted(better);
          const sums = createSums();
          for (let i = 0; i < sorted.length; i += size) sums.add(sorted.slice(i, i + size));
          const {
            players,
            counts,
            first_scores: firsts,
            ties_before: ties,
            dense_before: dense,
          } = sums.finish();
          expect(players).toBe(sorted.length);
          let before = 0;
          counts.forEach((count, n) => {
            const first = sorted[before] ?? NaN;
            const above = sorted.slice(0, before);
            expect(firsts[n]).toBe(first);
            expect(ties[n]).toBe(above.filter((score) => score === first).length);
            expect(dense[n]).toBe(new Set(above.filter((score) => score !== first)).size);
            before += count;
          });
        },
      ),
    );
  });
});
