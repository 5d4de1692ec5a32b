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
    dueMs: undefined,
    intervalMs: 5 * minute,
    isLeftToCounts: false,
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

test("an index that was left to counts asks for a full rebuild, whatever its runs say", () => {
  const runs = [ranking("failed", 1, "the index was left to counts")];
  expect(idsOf({ runs, isLeftToCounts: true })).toEqual(["left: full_rebuild"]);
});

describe("a failed run", () => {
  test("is shown until a run publishes", () => {
    expect(idsOf({ runs: [ranking("failed", 1, "beaten 8 times")] })).toEqual(["failed: audit"]);
    expect(idsOf({ runs: [ranking("published", 1), ranking("failed", 2)] })).toEqual([]);
  });

  test("names the repair that its error names", () => {
    const damaged = "The published ranking of chess is damaged: page 0 of generation 3 is missing.";
    expect(idsOf({ runs: [ranking("failed", 1, damaged)] })).toEqual(["failed: rebuild"]);
    const counted = "rebuildSeason with full: true indexes all players";
    expect(idsOf({ runs: [ranking("failed", 1, counted)] })).toEqual(["failed: full_rebuild"]);
  });

  test("is over once a rebuild was done", () => {
    const runs = [ranking("failed", 5, "damaged")];
    expect(idsOf({ runs, repairs: [repair("rebuild", 2)] })).toEqual([]);
    expect(idsOf({ runs, repairs: [repair("rebuild", 9)] })).toEqual(["failed: rebuild"]);
    expect(idsOf({ runs, repairs: [repair("rebuild", 2, { outcome: "failed" })] })).toEqual([
      "failed: rebuild",
    ]);
  });
});

describe("an audit that found something", () => {
  test("is shown with the repair that it names", () => {
    expect(idsOf({ repairs: [audited(3, "sweep")] })).toEqual(["drift: sweep"]);
    expect(idsOf({ repairs: [audited(3, "full_rebuild")] })).toEqual(["drift: full_rebuild"]);
  });

  test("is over after that repair or a larger one, not after a smaller one", () => {
    expect(idsOf({ repairs: [repair("sweep", 1), audited(3, "sweep")] })).toEqual([]);
    expect(idsOf({ repairs: [repair("rebuild", 1), audited(3, "sweep")] })).toEqual([]);
    expect(idsOf({ repairs: [repair("sweep", 1), audited(3, "rebuild")] })).toEqual(["drift: rebuild"]);
    expect(idsOf({ repairs: [repair("rebuild", 1), audited(3, "full_rebuild")] })).toEqual([
      "drift: full_rebuild",
    ]);
    expect(idsOf({ repairs: [repair("rebuild", 1, { full: true }), audited(3, "full_rebuild")] })).toEqual(
      [],
    );
  });

  test("is over when a later audit that is just as thorough finds nothing", () => {
    expect(idsOf({ repairs: [audited(1, "none"), audited(3, "rebuild")] })).toEqual([]);
    expect(idsOf({ repairs: [auditedInFull(1, "none"), audited(3, "rebuild")] })).toEqual([]);
    expect(idsOf({ repairs: [auditedInFull(1, "none"), auditedInFull(3, "rebuild")] })).toEqual([]);
  });

  test("is not over when it was full and the next one only compares totals", () => {
    const full = auditedInFull(9, "full_rebuild");
    expect(idsOf({ repairs: [audited(1, "none"), full] })).toEqual(["drift: full_rebuild"]);
    expect(idsOf({ repairs: [audited(1, "sweep"), full] })).toEqual(["drift: full_rebuild"]);
    expect(idsOf({ repairs: [repair("sweep", 1), audited(3, "sweep"), full] })).toEqual([
      "drift: full_rebuild",
    ]);
    expect(idsOf({ repairs: [audited(1, "none"), repair("rebuild", 5, { full: true }), full] })).toEqual([]);
  });
});

test("changes that wait longer than an interval plus two minutes are late", () => {
  expect(idsOf({ pendingSinceMs: nowMs - 6 * minute })).toEqual([]);
  expect(idsOf({ pendingSinceMs: nowMs - 8 * minute })).toEqual(["late: rank"]);
  expect(idsOf({ pendingSinceMs: nowMs - 4 * minute, intervalMs: 1_000 })).toEqual(["late: rank"]);
});

test("a counted ranking is late when its run has been due for three minutes and more", () => {
  expect(idsOf({ dueMs: nowMs + minute })).toEqual([]);
  expect(idsOf({ dueMs: nowMs - 2 * minute })).toEqual([]);
  expect(idsOf({ dueMs: nowMs - 4 * minute })).toEqual(["late: rank"]);
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
    repair("rebuild", minutes, {
      outcome: "running",
      finished_at: Timestamp.fromMillis(nowMs - minutes * minute),
    });
  expect(idsOf({ repairs: [running(20)] })).toEqual([]);
  expect(idsOf({ repairs: [running(40)] })).toEqual(["stuck: rebuild"]);
  expect(idsOf({ repairs: [repair("rebuild", 3), running(40)] })).toEqual([]);
});

test("old data never becomes late or stuck, but failures stay failures", () => {
  const parts = {
    runs: [ranking("failed", 20)],
    repairs: [repair("sweep", 60, { outcome: "running" })],
    pendingSinceMs: nowMs - 60 * minute,
    dueMs: nowMs - 60 * minute,
  };
  expect(idsOf(parts)).toEqual(["failed: audit", "late: rank", "stuck: sweep"]);
  expect(idsOf({ ...parts, isRemembered: true })).toEqual(["failed: audit"]);
});
