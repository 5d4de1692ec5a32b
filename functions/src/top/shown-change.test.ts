import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { changesNamesOnly, changesWhatIsShown } from "./shown-change.ts";

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
    expect(changesWhatIsShown(change)).toBe(true);
    expect(changesNamesOnly(change)).toBe(names.includes(what));
  }
});

test("a change of anything else does not show", () => {
  expect(changesWhatIsShown({ before: ann, after: { ...ann, attempts: 9, team: "blue" } })).toBe(false);
  const banned = { ...ann, status: "banned" };
  expect(changesWhatIsShown({ before: banned, after: { ...banned, score: 9 } })).toBe(false);
  expect(changesWhatIsShown({ before: undefined, after: banned })).toBe(false);
});
