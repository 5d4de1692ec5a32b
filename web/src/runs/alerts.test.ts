import { describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { emptyRecord, type RankingRecord } from "../../../functions/src/documents/ranking-record.ts";
import {
  type AuditRecord,
  beginRecord,
  type RepairRecord,
} from "../../../functions/src/documents/repair-record.ts";
import { alertsOf, type Situation } from "./alerts.ts";

const key = { leaderboard: "chess", season: "all_time" };
const nowMs = Date.parse("2026-11-21T12:00:00Z");
const minute = 60_000;

function situation(parts: Partial<Situation> = {}): Situation {
  return {
    runs: [],
    repairs: [],
    pendingSinceMs: undefined,
    intervalMs: 5 * minute,
    nowMs,
    isRemembered: false,
    ...parts,
  };
}
const run = (record: RankingRecord | RepairRecord) => ({ id: "run", key, record });
const ranking = (outcome: RankingRecord["outcome"], minutesAgo: number, error?: string) =>
  run({
    ...emptyRecord(key, nowMs - minutesAgo * minute),
    outcome,
    ...(error === undefined ? {} : { error }),
  });
function repair(kind: RepairRecord["kind"], minutesAgo: number, change: Partial<RepairRecord> = {}) {
  const begun = beginRecord(kind, key, {
    run: "run",
    full: false,
    total: 1,
    nowMs: nowMs - minutesAgo * minute,
  });
  return run({ ...begun, outcome: "done", ...change } as RepairRecord);
}
const audited = (minutesAgo: number, needed: AuditRecord["repair"]) =>
  repair("audit", minutesAgo, { repair: needed });
const auditedInFull = (minutesAgo: number, needed: AuditRecord["repair"]) =>
  repair("audit", minutesAgo, { repair: needed, full: true });
const idsOf = (parts: Partial<Situation>) =>
  alertsOf(situation(parts)).map(({ id, remedy }) => `${id}: ${remedy}`);

test("a season without trouble has no alert", () => {
  expect(idsOf({ runs: [ranking("published", 1)], repairs: [audited(60, "none")] })).toEqual([]);
});

describe("a failed run", () => {
  test("is shown until a run publishes", () => {
    expect(idsOf({ runs: [ranking("failed", 1, "beaten 8 times")] })).toEqual(["failed: audit"]);
    expect(idsOf({ runs: [ranking("published", 1), ranking("failed", 2)] })).toEqual([]);
  });

  test("names the repair that its error names", () => {
    const damaged = "The published ranking of chess is damaged: page 0 of generation 3 is missing.";
    expect(idsOf({ runs: [ranking("failed", 1, damaged)] })).toEqual(["failed: repair"]);
  });

  test("is over once a repair was done", () => {
    const runs = [ranking("failed", 5, "damaged")];
    expect(idsOf({ runs, repairs: [repair("repair", 2)] })).toEqual([]);
    expect(idsOf({ runs, repairs: [repair("repair", 9)] })).toEqual(["failed: repair"]);
    expect(idsOf({ runs, repairs: [repair("repair", 2, { outcome: "failed" })] })).toEqual([
      "failed: repair",
    ]);
  });
});

describe("an audit that found something", () => {
  test("is shown with what it found, until a repair that began later is done", () => {
    expect(idsOf({ repairs: [audited(3, "repair")] })).toEqual(["drift: repair"]);
    expect(idsOf({ repairs: [repair("repair", 1), audited(3, "repair")] })).toEqual([]);
    expect(idsOf({ repairs: [audited(3, "repair"), repair("repair", 4)] })).toEqual(["drift: repair"]);
    const running = repair("repair", 1, { outcome: "running", finished_at: Timestamp.fromMillis(nowMs) });
    expect(idsOf({ repairs: [running, audited(3, "repair")] })).toEqual(["drift: repair"]);
  });

  test("says what it found", () => {
    const found = {
      row_players: 3,
      shard_players: 0,
      counted: 5,
      players: 6,
      pages: ["page 0 is missing"],
      conservation: { difference: -2, scores: 2, examples: [] },
      convergence: { difference: -1, players: 3, in_flight: 0, examples: [] },
    };
    const textOf = (change: Partial<typeof found>) =>
      alertsOf(
        situation({ repairs: [repair("audit", 1, { repair: "repair", found: { ...found, ...change } })] }),
      )[0]?.text;
    expect(textOf({})).toBe(
      "page 0 is missing; 2 players too many or too few in the ranking; 3 players counted wrongly.",
    );
    const conservation = { difference: 0, scores: 2, examples: [] };
    const convergence = { difference: 0, players: 0, in_flight: 4, examples: [] };
    expect(textOf({ pages: [], conservation, convergence })).toBe("wrong numbers of players at 2 scores.");
  });

  test("is over when a later audit that is just as thorough finds nothing", () => {
    expect(idsOf({ repairs: [audited(1, "none"), audited(3, "repair")] })).toEqual([]);
    expect(idsOf({ repairs: [auditedInFull(1, "none"), audited(3, "repair")] })).toEqual([]);
    expect(idsOf({ repairs: [auditedInFull(1, "none"), auditedInFull(3, "repair")] })).toEqual([]);
  });

  test("is not over when it was full and the next one only compares totals", () => {
    const full = auditedInFull(9, "repair");
    expect(idsOf({ repairs: [audited(1, "none"), full] })).toEqual(["drift: repair"]);
    expect(idsOf({ repairs: [audited(1, "none"), repair("repair", 5), full] })).toEqual([]);
    expect(idsOf({ repairs: [audited(1, "repair"), repair("repair", 5), full] })).toEqual(["drift: repair"]);
  });
});

test("changes that wait longer than an interval plus two minutes are late", () => {
  expect(idsOf({ pendingSinceMs: nowMs - 6 * minute })).toEqual([]);
  expect(idsOf({ pendingSinceMs: nowMs - 8 * minute })).toEqual(["late: rank"]);
  expect(idsOf({ pendingSinceMs: nowMs - 4 * minute, intervalMs: 1_000 })).toEqual(["late: rank"]);
});

test("an alert's text changes at most once a minute, as it is read out again each time", () => {
  const textAt = (seconds: number) =>
    alertsOf(situation({ pendingSinceMs: nowMs - 20 * minute, nowMs: nowMs + seconds * 1_000 }))[0]?.text;
  expect(textAt(0)).toContain("from 20 min ago");
  expect(textAt(59)).toBe(textAt(0));
  expect(textAt(60)).toContain("from 21 min ago");
});

test("a repair that writes nothing for more than half an hour is considered dead", () => {
  const running = (minutes: number) =>
    repair("repair", minutes, {
      outcome: "running",
      finished_at: Timestamp.fromMillis(nowMs - minutes * minute),
    });
  expect(idsOf({ repairs: [running(20)] })).toEqual([]);
  expect(idsOf({ repairs: [running(40)] })).toEqual(["stuck: repair"]);
  expect(idsOf({ repairs: [repair("repair", 3), running(40)] })).toEqual([]);
});

test("old data never becomes late or stuck, but failures stay failures", () => {
  const parts = {
    runs: [ranking("failed", 20)],
    repairs: [repair("repair", 60, { outcome: "running" })],
    pendingSinceMs: nowMs - 60 * minute,
  };
  expect(idsOf(parts)).toEqual(["failed: audit", "late: rank", "stuck: repair"]);
  expect(idsOf({ ...parts, isRemembered: true })).toEqual(["failed: audit"]);
});
