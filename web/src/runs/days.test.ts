import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import type { HistoryRecord } from "../data/documents.ts";
import { daysOf } from "./days.ts";

const record = (time: string, fields: object) =>
  ({
    started_at: Timestamp.fromMillis(Date.parse(time)),
    duration_ms: 1_000,
    billed: { reads: 100_000, writes: 0, deletes: 0 },
    ...fields,
  }) as unknown as HistoryRecord;
const published = (time: string, players: number, changed: number) =>
  record(time, {
    kind: "ranking",
    outcome: "published",
    players,
    found: { changed_players: changed },
  });

test("runs are added up by UTC day, with the players of the day's last publication", () => {
  const days = daysOf(
    [
      published("2026-12-02T00:00:00Z", 30, 5),
      record("2026-12-01T23:59:59Z", { kind: "audit", outcome: "done", steps: 1 }),
      published("2026-12-01T12:00:00Z", 25, 7),
      published("2026-12-01T00:00:01Z", 20, 1),
    ],
    "us-central1",
  );
  expect(days.map(({ day, players, changes, runs }) => ({ day, players, changes, runs }))).toEqual([
    { day: "2026-12-02", players: 30, changes: 5, runs: 1 },
    { day: "2026-12-01", players: 25, changes: 8, runs: 3 },
  ]);
  // A hundred thousand reads are three cents each time.
  expect(days[0]?.dollars).toBeGreaterThan(0.03);
  expect(days[1]?.dollars).toBeGreaterThan(0.09);
});

test("a day of failed runs has no players", () => {
  const failed = record("2026-12-01T12:00:00Z", {
    kind: "ranking",
    outcome: "failed",
    players: 0,
    found: { changed_players: 0 },
  });
  expect(daysOf([failed], "us-central1")).toMatchObject([{ players: undefined, runs: 1 }]);
});

test("a day on which nothing ran is a day of its own, so that neighbours in the list are neighbours in time", () => {
  const days = daysOf(
    [published("2026-12-03T00:00:01Z", 30, 5), published("2026-11-30T23:59:59Z", 20, 1)],
    "us-central1",
  );
  expect(days.map(({ day, runs }) => [day, runs])).toEqual([
    ["2026-12-03", 1],
    ["2026-12-02", 0],
    ["2026-12-01", 0],
    ["2026-11-30", 1],
  ]);
  expect(days[1]).toMatchObject({ players: undefined, changes: 0, dollars: 0 });
});
