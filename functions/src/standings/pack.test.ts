import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GeoPoint, Timestamp } from "../documents/firestore.ts";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { standingsOf } from "../../../test/support/standings.ts";
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
  segments: "",
  metadata,
});
const many = (count: number, score: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => standing(`p${i}`, score(i)));

describe("packStandings", () => {
  test("takes a thousand players, or all of them where there are fewer", () => {
    const taken = (players: Standing[]) => packStandings(players).standings.players.length;
    expect(taken(many(standingsPerDocument + 1, () => 1))).toBe(1_000);
    expect(taken(many(7, () => 1))).toBe(7);
    const full = many(1_000, () => 1).map((player) => ({ ...player, metadata: "m".repeat(1_024) }));
    expect(taken(full)).toBe(1_000);
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
    const inSegments = { ...standing("c", 1), segments: "country=AT platform=ios" };
    const players = [standing("a", 3, 5, "{}"), { ...standing("b", 2), name: "Bea" }, inSegments];
    expect(playersOf(documentsOf(players))).toEqual(players);
    const without = [standing("a", 3), standing("b", 2)];
    expect(playersOf(documentsOf(without))).toEqual(without);
  });
});

test("a player who is not ranked has no line, and metadata too large for any document is left out", () => {
  const achieved = { achieved_at: at(1), status: "active" };
  const ann = { player: "a", score: 0, achievedAt: at(1), name: "Ann", segments: "a=b", metadata: '{"x":1}' };
  expect(
    standingOf(
      "a",
      {
        ...achieved,
        score: -0,
        display_name: "Ann",
        segments: { a: "not counted yet" },
        counted: { score: 0, segments: ["a=b"], of: "" },
        metadata: { x: 1 },
      },
      {},
    ),
  ).toEqual(ann);
  const bare = { ...ann, name: "", segments: "", metadata: "" };
  expect(standingOf("a", { ...achieved, score: 0 }, {})).toEqual(bare);
  for (const data of [
    { ...achieved, score: 1, status: "hidden" },
    { ...achieved, score: "1" },
    achieved,
    undefined,
  ])
    expect(standingOf("a", data, {})).toBeUndefined();
  // As JSON, {"x":"…"} takes 8 bytes beside the text in it, and one more in a document.
  const standingWith = (bytes: number) =>
    standingOf("a", { ...achieved, score: 1, metadata: { x: "x".repeat(bytes - 9) } }, {});
  expect(standingWith(standingsMetadataBytesMax)?.metadata).toHaveLength(standingsMetadataBytesMax - 1);
  expect(standingWith(standingsMetadataBytesMax + 1)?.metadata).toBe("");
});

test("a player is cut whose name or metadata are longer than the standings hold, and nobody else", () => {
  const isCutWith = (fields: Record<string, unknown>) => {
    const data = { achieved_at: at(1), score: 1, ...fields };
    const shown = standingOf("a", data, {});
    return shown === undefined ? undefined : isCut(shown, data);
  };
  const [ann, name] = [{ display_name: "Ann" }, { display_name: "n".repeat(2_000) }];
  const metadata = { x: "x".repeat(standingsMetadataBytesMax) };
  const whole = [{}, ann, { ...ann, metadata: { x: 1 } }, { metadata: {} }];
  expect(whole.map(isCutWith)).toEqual([false, false, false, false]);
  const cut = [name, { ...name, metadata: { x: 1 } }, { metadata }, { ...ann, metadata }];
  expect(cut.map(isCutWith)).toEqual([true, true, true, true]);
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

test("the sums of each document are those of counting everybody before it", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });
  fc.assert(
    fc.property(anyOrder, scores, fc.integer({ min: 1, max: 5 }), (order, all, size) => {
      const players = all.map((score, i) => ({ id: `p${i}`, score, achievedMs: i }));
      const { summary, documents } = standingsOf({ order, ties: "first" }, players, { size });
      const sums = createSums();
      for (const { scores } of documents) sums.add(scores);
      expect(summary).toMatchObject(sums.finish());
    }),
  );
});

test("a final table has a time or a place in a server's metadata as answers say it, and NaN as a text", () => {
  const achieved = Timestamp.fromMillis(5);
  const metadata = { at: new Timestamp(1, 999_600_000), where: new GeoPoint(1, 2), nan: NaN };
  const made = standingOf("ann", { score: 5, status: "active", achieved_at: achieved, metadata }, {});
  expect(JSON.parse(made?.metadata ?? "")).toEqual({
    at: "1970-01-01T00:00:01.9996Z",
    where: { latitude: 1, longitude: 2 },
    nan: "NaN",
  });
});
