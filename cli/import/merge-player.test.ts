import { expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { mergePlayer } from "./merge-player.ts";

const now = Timestamp.fromMillis(1_000_000);
const before = Timestamp.fromMillis(1_000);
const absent = { columns: undefined, display_name: undefined, metadata: undefined };
const state = { score: 12, achieved_at: before, attempts: 3, status: "banned" };
const document = { ...state, display_name: "Ann", metadata: { a: 1 }, team: "red" };
const kept = { ...absent, ...state };
const fresh = { ...absent, score: 12, achieved_at: now, attempts: 0, status: undefined };
const broken = { score: "12", achieved_at: "yesterday", attempts: -1, status: 5 };
test.each([
  ["a new player has the import's time, no attempts, and no status yet", undefined, { score: 12 }, fresh],
  ["score, name and metadata are replaced", document, { score: 5 }, { ...kept, score: 5, achieved_at: now }],
  ["the same score keeps its time", document, { score: 12 }, kept],
  [
    "the same score without a time gets none from the import: the commit gives it that of its write",
    { ...document, achieved_at: undefined },
    { score: 12 },
    { ...kept, achieved_at: undefined },
  ],
  [
    "a record's time, attempts and status are used",
    document,
    { score: 5, achieved_at: before, attempts: 1, status: "active" },
    { ...kept, score: 5, attempts: 1, status: "active" },
  ],
  [
    "a record's values of segments are used",
    { ...document, segments: { country: "AT", platform: "ios" } },
    { score: 12, segments: { country: "DE" } },
    { ...kept, segments: { country: "DE" } },
  ],
  ["segments stay if the record has none", { ...document, segments: { country: "AT" } }, { score: 12 }, kept],
  ["a document with wrong types is corrected", broken, { score: 12 }, fresh],
] as const)("%s", (_, data, record, fields) => {
  expect(mergePlayer(data, { player: "ann", ...record }, now)).toEqual(fields);
});

test("a document that is already the same is not written", () => {
  const record = { player: "ann", score: 12, display_name: "Ann", metadata: { a: 1 } };
  expect(mergePlayer(document, record, now)).toBeUndefined();
  const imported = mergePlayer(undefined, { player: "bob", score: 1 }, before);
  expect(mergePlayer(imported, { player: "bob", score: 1 }, now)).toBeUndefined();
});
