import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { emptyPage } from "../documents/page-bounds.ts";
import { slimPage } from "./slim-page.ts";

const page = emptyPage("descending", Timestamp.fromMillis(0));
const hundred = Array.from({ length: 100 }, (_, row) => row);

test.each([
  ["small ones", hundred, Uint16Array],
  ["up to 65,535", [...hundred, 65_535], Uint16Array],
  ["above that", [...hundred, 65_536], Int32Array],
  ["below 0", [...hundred, -1], Int32Array],
  ["fractions", [...hundred, 0.5], Array],
  ["large ones", [...hundred, 2 ** 53 - 1], Array],
  ["a few", hundred.slice(0, 3), Array],
])("rows keep their numbers, in few bytes: %s", (_, numbers, kind) => {
  const slim = slimPage({
    ...page,
    scores: numbers,
    players_above: numbers,
    lows: numbers,
    pending_above: numbers,
  });
  for (const found of [slim.scores, slim.players_above, slim.lows ?? [], slim.pending_above ?? []]) {
    expect(Array.from(found)).toEqual(numbers);
    expect(found).toBeInstanceOf(kind);
  }
});

test("a page keeps all else but what only runs need, and a slim one stays as it is", () => {
  const slim = slimPage({ ...page, scores: hundred, players_above: hundred, checks: "1 2 3" });
  expect(slimPage(slim)).toEqual(slim);
  expect({ ...slim, scores: [], players_above: [] }).toEqual(page);
});
