import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { flatten } from "./flatten.ts";

test("inner fields are named by their path, times become dates, and lists stay", () => {
  const time = Timestamp.fromMillis(1_000);
  expect(flatten({ a: 1, billed: { reads: 2, by: { page: 3 } }, at: time, list: [1], none: null })).toEqual([
    ["a", 1],
    ["billed.reads", 2],
    ["billed.by.page", 3],
    ["at", new Date(1_000)],
    ["list", [1]],
    ["none", null],
  ]);
});
