import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import type { Page } from "../../../functions/src/documents/page.ts";
import { packPages } from "../../../functions/src/ranking/pack-pages.ts";
import { pagesToRead, piecesOf, playersIn, scoreAt } from "./pieces.ts";

const time = Timestamp.fromMillis(0);
const generation = { generation: 1, unusable_scores: 0, as_of: time, read_at: time, next_publish_at: time };

/** A ranking with a number of players in each row, best score first. */
function ranking(count: number, players: (row: number) => number): Page[] {
  const scores = Float64Array.from({ length: count }, (_, i) => 10 * (count - i));
  const rows = {
    scores,
    lows: scores.slice(),
    players: Float64Array.from({ length: count }, (_, i) => players(i)),
  };
  return packPages("descending", rows, generation);
}

test("all pages are read if there are few, otherwise some from the first to the last", () => {
  expect(pagesToRead(3, 5)).toEqual([0, 1, 2]);
  expect(pagesToRead(256, 5)).toEqual([0, 64, 128, 191, 255]);
});

test("each row is a piece with its players", () => {
  expect(piecesOf(ranking(3, (row) => row + 1))).toEqual([
    { best: 30, worst: 30, players: 1 },
    { best: 20, worst: 20, players: 2 },
    { best: 10, worst: 10, players: 3 },
  ]);
});

test("whatever pages are read, the pieces hold all players from the first page to the last", () => {
  const pages = ranking(2_000, (row) => 1 + (row % 7));
  const all = playersIn(piecesOf(pages));
  expect(all).toBe(pages[0]?.players);
  for (const max of [2, 3, 5]) {
    const some = pagesToRead(pages.length, max)
      .map((page) => pages[page])
      .filter((page) => page !== undefined);
    expect(some).toHaveLength(max);
    expect(playersIn(piecesOf(some))).toBe(all);
  }
});

test("the gap between two pages is one piece, from the row after the first page to the first row of the second", () => {
  const pages = ranking(256 * 5, () => 1);
  const pieces = piecesOf([pages[0], pages[2]].filter((page) => page !== undefined));
  expect(pieces.filter(({ best, worst }) => best !== worst)).toEqual([
    { best: 10_240, worst: 7_680, players: 256 },
  ]);
});

test("the median is found among the pieces", () => {
  expect(scoreAt(piecesOf(ranking(3, () => 1)), 0.5)).toBe(20);
  expect(scoreAt([{ best: 100, worst: 0, players: 10 }], 0.25)).toBe(75);
  expect(scoreAt([], 0.5)).toBeUndefined();
});
