import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { shownChange } from "./gate.ts";

const ann = {
  score: 5,
  achieved_at: Timestamp.fromMillis(1),
  status: "active",
  display_name: "Ann",
  metadata: { level: 1 },
};
const changes = {
  score: { ...ann, score: 6 },
  time: { ...ann, achieved_at: Timestamp.fromMillis(2) },
  status: { ...ann, status: "hidden" },
  completed: { score: 5, achieved_at: ann.achieved_at, display_name: "Ann", metadata: { level: 1 } },
  gone: undefined,
  name: { ...ann, display_name: "Anna" },
  metadata: { ...ann, metadata: { level: 2 } },
};
const names = ["name", "metadata"];

test.each(Object.entries(changes))("a change of %s shows, from either side", (what, other) => {
  for (const change of [
    { before: ann, after: other },
    { before: other, after: ann },
  ]) {
    expect(shownChange(change)).toBe(names.includes(what) ? "names" : "change");
  }
});

test("a change of anything else does not show", () => {
  expect(shownChange({ before: ann, after: { ...ann, attempts: 9, team: "blue" } })).toBeUndefined();
  const banned = { ...ann, status: "banned" };
  expect(shownChange({ before: banned, after: { ...banned, score: 9 } })).toBeUndefined();
  expect(shownChange({ before: undefined, after: banned })).toBeUndefined();
});
