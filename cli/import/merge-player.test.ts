import { expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { mergePlayer } from "./merge-player.ts";

const now = Timestamp.fromMillis(1_000_000);
const before = Timestamp.fromMillis(1_000);
const absent = { columns: undefined, display_name: undefined, metadata: undefined };
const document = {
  score: 12,
  achieved_at: before,
  attempts: 3,
  status: "banned",
  display_name: "Ann",
  metadata: { a: 1 },
  team: "red",
};

test("a new player has the record's score, the import's time, no attempts, and is active", () => {
  const fields = { ...absent, score: 12, achieved_at: now, attempts: 0, status: "active" };
  expect(mergePlayer(undefined, { player: "ann", score: 12 }, now)).toEqual(fields);
});

test("the record replaces score, name and metadata, even if the score gets worse", () => {
  expect(mergePlayer(document, { player: "ann", score: 5 }, now)).toEqual({
    ...absent,
    score: 5,
    achieved_at: now,
    attempts: 3,
    status: "banned",
  });
});

test("a record's time, attempts and status are used", () => {
  const record = { player: "ann", score: 5, achieved_at: before, attempts: 1, status: "active" } as const;
  expect(mergePlayer(document, record, now)).toMatchObject({
    achieved_at: before,
    attempts: 1,
    status: "active",
  });
});

test("the same score keeps its time", () => {
  expect(mergePlayer(document, { player: "ann", score: 12 }, now)).toMatchObject({ achieved_at: before });
});

test("a document that is already the same is not written", () => {
  const record = { player: "ann", score: 12, display_name: "Ann", metadata: { a: 1 } };
  expect(mergePlayer(document, record, now)).toBeUndefined();
  const imported = mergePlayer(undefined, { player: "bob", score: 1 }, before);
  expect(mergePlayer(imported, { player: "bob", score: 1 }, now)).toBeUndefined();
});

test("a document with wrong types is corrected", () => {
  const broken = { score: "12", achieved_at: "yesterday", attempts: -1, status: 5 };
  expect(mergePlayer(broken, { player: "ann", score: 12 }, now)).toEqual({
    ...absent,
    score: 12,
    achieved_at: now,
    attempts: 0,
    status: "active",
  });
});
