import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { searchFrom, shardsFromOf } from "./shards-from.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);
const page = (from: number | undefined, generation = 7) =>
  from === undefined ? { generation } : { generation, shards_from: at(from) };

test("a search begins where the last publication ended, and each sixtieth generation at the very beginning", () => {
  expect(shardsFromOf(59, at(5))).toEqual(at(5));
  expect(shardsFromOf(60, at(5))).toBeNull();
  expect(shardsFromOf(61, at(5))).toEqual(at(5));
  expect(shardsFromOf(61, null)).toBeNull();
  expect(shardsFromOf(61, undefined)).toBeNull();
});

test.each([
  ["the pages", page(5_000), 9_000, 5_000],
  ["memory, if that is earlier", page(9_000), 5_000, 5_000],
  ["both", page(5_000), 5_000, 5_000],
  ["the very beginning after a rebuild, whose pages have no bound", page(undefined), 5_000, null],
  ["the very beginning before the first generation", undefined, 5_000, null],
  ["the very beginning if the caller asks for it", page(5_000), null, null],
  ["the very beginning after the sixtieth generation", page(5_000, 60), 9_000, null],
])("a search begins by %s", (_, published, remembered, expected) => {
  const from = searchFrom(published, remembered === null ? null : at(remembered));
  expect(from?.toMillis() ?? null).toBe(expected);
});

test("a search that begins as remembered is known by the same bound", () => {
  const remembered = at(5_000);
  expect(searchFrom(page(5_000), remembered)).toBe(remembered);
});
