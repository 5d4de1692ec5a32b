import { expect, test } from "vitest";
import { Timestamp } from "./firestore.ts";
import { readTopEntries } from "./top.ts";

const entry = { player: "ann", rank: 1, position: 1, score: 9, achieved_at: Timestamp.fromMillis(1) };

test("the entries of a top are read whatever its other fields are, and none where they are no entries", () => {
  expect(readTopEntries({ entries: [entry], generation: "none" })).toEqual([entry]);
  expect(readTopEntries({ entries: [{ ...entry, rank: "first" }] })).toBeUndefined();
  expect(readTopEntries({})).toBeUndefined();
  expect(readTopEntries(undefined)).toBeUndefined();
});
