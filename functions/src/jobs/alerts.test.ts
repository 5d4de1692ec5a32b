import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { newSeason, type Season } from "../documents/season.ts";
import { type Alert, alertsOf, type Evidence, isRanked, lateAfterMs, type RunSeen } from "./alerts.ts";

const key = { leaderboard: "chess", season: "all_time" };
const nowMs = Date.parse("2026-11-21T12:00:00Z");
const minute = 60_000;
const hour = 60 * minute;
const ago = (minutes: number) => Timestamp.fromMillis(nowMs - minutes * minute);

/** A season of five minutes, published an hour ago. */
function seasonWith(change: Partial<Season> = {}, publishedAgo = 60): Season {
  const begun = newSeason({
    span: "all_time",
    opens_at: ago(9_000),
    closes_at: null,
    interval_ms: 5 * minute,
    next_run_at: ago(0),
  });
  return { ...begun, ranking: { ...begun.ranking, published_at: ago(publishedAgo) }, ...change };
}
function run(kind: string, outcome: string, minutesAgo: number, more: Partial<RunSeen> = {}): RunSeen {
  return { kind, outcome, started_at: ago(minutesAgo), finished_at: ago(minutesAgo), ...more };
}
const ranking = (outcome: string, minutesAgo: number, error?: string) =>
  run("ranking", outcome, minutesAgo, { error });
const audited = (minutesAgo: number, repair: "none" | "repair", more: Partial<RunSeen> = {}) =>
  run("audit", "done", minutesAgo, { repair, ...more });
const auditedInFull = (minutesAgo: number, repair: "none" | "repair") =>
  audited(minutesAgo, repair, { full: true });
const repaired = (minutesAgo: number) => run("repair", "done", minutesAgo);

const listed = (parts: Partial<Evidence> = {}) =>
  alertsOf({ key, season: seasonWith(), records: [], ...parts }, nowMs);
const first = (parts: Partial<Evidence>): Alert => listed(parts)[0] ?? expect.fail("there is no alert");
const codes = (parts: Partial<Evidence> = {}) =>
  listed(parts).map(({ code, call }) => (call === undefined ? code : `${code}: ${call}`));

test("a season without trouble has no alert", () => {
  expect(codes()).toEqual([]);
  const records = [ranking("published", 1), audited(60, "none"), run("closing", "done", 70)];
  expect(codes({ records, pendingSinceMs: nowMs })).toEqual([]);
});

test("an alert names its season, and since when it stands", () => {
  expect(first({ season: seasonWith({ end_due_at: ago(21) }) })).toMatchObject({
    ...key,
    code: "closing_stuck",
    since: "2026-11-21T11:39:00.000Z",
  });
});

test("a season that cannot be read says whether it is damaged or of another release", () => {
  expect(codes({ season: "damaged" })).toEqual(["season_unreadable: auditSeason"]);
  expect(codes({ season: "unknown" })).toEqual(["season_unreadable"]);
  expect(first({ season: "unknown" })).toMatchObject({ ...key, since: "2026-11-21T12:00:00.000Z" });
});

test("a parked season is told once, and not that its changes wait", () => {
  const season = seasonWith({ parked: "no_definition", dormant_at: ago(7) });
  expect(codes({ season, pendingSinceMs: nowMs - hour })).toEqual(["season_parked"]);
  expect(first({ season }).since).toBe("2026-11-21T11:53:00.000Z");
  expect(first({ season: { ...season, dormant_at: null } }).since).toBe("2026-11-21T12:00:00.000Z");
});

test("a parked season that is being deleted is no longer told: its board has no definition by then", () => {
  const season = seasonWith({ status: "deleting", parked: "no_definition" });
  expect(codes({ season })).toEqual([]);
  expect(codes({ season: { ...season, end_due_at: ago(21) } })).toEqual(["closing_stuck"]);
  expect(codes({ season: { ...season, status: "closing" } })).toEqual(["season_parked"]);
});

describe("a failed run", () => {
  const pendingSinceMs = nowMs;

  test("is shown while changes wait, until a run publishes", () => {
    const records = [ranking("failed", 1, "beaten 8 times")];
    expect(codes({ records, pendingSinceMs })).toEqual(["run_failed: auditSeason"]);
    expect(first({ records, pendingSinceMs })).toMatchObject({
      message: "The last ranking run failed: beaten 8 times",
      since: "2026-11-21T11:59:00.000Z",
    });
    expect(codes({ records })).toEqual([]);
    expect(codes({ records, pendingSinceMs, season: seasonWith({}, 0) })).toEqual([]);
    expect(codes({ records, pendingSinceMs, season: seasonWith({}, 1) })).toEqual([]);
  });

  test("is shown though other jobs followed, and before anything was published", () => {
    const records = [audited(0, "none"), ranking("failed", 1)];
    const season = seasonWith();
    const unpublished = { ...season, ranking: { ...season.ranking, published_at: null } };
    expect(codes({ records, pendingSinceMs, season: unpublished })).toEqual(["run_failed: auditSeason"]);
    expect(first({ records, pendingSinceMs }).message).toContain("does not say why");
  });

  test("names the repair that its error names", () => {
    const records = [ranking("failed", 1, "The published ranking of chess is damaged: page 0 is missing.")];
    expect(codes({ records, pendingSinceMs })).toEqual(["run_failed: repairSeason"]);
    expect(first({ records, pendingSinceMs }).what_to_do).toBe("Repair the season.");
  });

  test("is over once a repair that began later is done", () => {
    const failed = ranking("failed", 5, "damaged");
    expect(codes({ pendingSinceMs, records: [repaired(2), failed] })).toEqual([]);
    expect(codes({ pendingSinceMs, records: [failed, repaired(5)] })).toEqual(["run_failed: repairSeason"]);
    expect(codes({ pendingSinceMs, records: [run("repair", "running", 2), failed] })).toEqual([
      "run_failed: repairSeason",
    ]);
  });
});

describe("changes that wait", () => {
  const waiting = (minutes: number, season: Partial<Season> = {}) =>
    codes({ season: seasonWith(season), pendingSinceMs: nowMs - minutes * minute });

  test("for more than two intervals and two minutes are late", () => {
    expect(lateAfterMs({ interval_ms: 5 * minute })).toBe(12 * minute);
    expect(waiting(12)).toEqual([]);
    expect(waiting(13)).toEqual(["not_ranked: runRanking"]);
    expect(waiting(4, { interval_ms: 1_000 })).toEqual([]);
    expect(waiting(5, { interval_ms: 1_000 })).toEqual(["not_ranked: runRanking"]);
  });

  test("for a run that is overdue tell of schedule and queue", () => {
    expect(waiting(13, { next_run_at: ago(3) })).toEqual(["season_late: runRanking"]);
    expect(waiting(13, { next_run_at: ago(2) })).toEqual(["not_ranked: runRanking"]);
    expect(waiting(13, { next_run_at: null })).toEqual(["not_ranked: runRanking"]);
    expect(first({ pendingSinceMs: nowMs - 13 * minute }).since).toBe("2026-11-21T11:47:00.000Z");
  });

  test("in a season that has ended, or is yet to open, are not looked for", () => {
    expect(waiting(99, { status: "closed" })).toEqual([]);
    expect(waiting(99, { status: "closing" })).toEqual(["not_ranked: runRanking"]);
    expect(waiting(99, { span: "custom", opens_at: ago(-1) })).toEqual([]);
    expect(isRanked(seasonWith(), nowMs)).toBe(true);
    expect(isRanked(seasonWith({ status: "deleting" }), nowMs)).toBe(false);
    expect(isRanked(seasonWith({ parked: "no_definition" }), nowMs)).toBe(false);
  });
});

describe("players whom nobody counts", () => {
  test("are told, and too many as well", () => {
    expect(codes({ uncounted: 1 })).toEqual(["players_uncounted: repairSeason"]);
    expect(first({ uncounted: 1 })).toMatchObject({
      message: "The ranking lacks 1 player, and no change is pending.",
      since: "2026-11-21T11:00:00.000Z",
    });
    expect(first({ uncounted: -1_200 }).message).toBe(
      "The ranking has 1,200 players too many, and no change is pending.",
    );
    expect(codes({ uncounted: 0 })).toEqual([]);
  });

  test("of a season that has never published, since it opened", () => {
    const season = seasonWith();
    const unpublished = { ...season, opens_at: ago(90), ranking: { ...season.ranking, published_at: null } };
    expect(first({ uncounted: 1, season: unpublished }).since).toBe("2026-11-21T10:30:00.000Z");
  });

  test("are left to the audit that has found them", () => {
    expect(codes({ uncounted: 1, records: [audited(1, "repair")] })).toEqual(["audit_differs: repairSeason"]);
  });
});

describe("an audit that found something", () => {
  const drift = ["audit_differs: repairSeason"];

  test("is shown with what it found, until a repair that began later is done", () => {
    expect(codes({ records: [audited(3, "repair")] })).toEqual(drift);
    expect(codes({ records: [repaired(1), audited(3, "repair")] })).toEqual([]);
    expect(codes({ records: [audited(3, "repair"), repaired(4)] })).toEqual(drift);
    expect(codes({ records: [run("repair", "running", 1), audited(3, "repair")] })).toEqual(drift);
    expect(codes({ records: [audited(3, "repair", { outcome: "running" })] })).toEqual([]);
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
    const said = (change: Partial<typeof found>) =>
      first({ records: [audited(1, "repair", { found: { ...found, ...change } })] }).message;
    expect(said({})).toBe(
      "An audit found errors: page 0 is missing; 2 players too many or too few in the ranking; 3 players counted wrongly.",
    );
    const conservation = { difference: 0, scores: 2, examples: [] };
    const convergence = { difference: 0, players: 0, in_flight: 4, examples: [] };
    expect(said({ pages: [], conservation, convergence })).toBe(
      "An audit found errors: wrong numbers of players at 2 scores.",
    );
    expect(first({ records: [audited(1, "repair")] }).message).toBe("An audit found errors: see its record.");
  });

  test("is over when a later audit that is just as thorough finds nothing", () => {
    expect(codes({ records: [audited(1, "none"), audited(3, "repair")] })).toEqual([]);
    expect(codes({ records: [auditedInFull(1, "none"), audited(3, "repair")] })).toEqual([]);
    expect(codes({ records: [auditedInFull(1, "none"), auditedInFull(3, "repair")] })).toEqual([]);
  });

  test("is not over when it was full and the next one only compares totals", () => {
    const full = auditedInFull(9, "repair");
    expect(codes({ records: [audited(1, "none"), full] })).toEqual(drift);
    expect(codes({ records: [audited(1, "none"), repaired(5), full] })).toEqual([]);
    expect(codes({ records: [audited(1, "repair"), repaired(5), full] })).toEqual(drift);
  });
});

describe("the end of a season", () => {
  const ends = (change: Partial<Season>, records: RunSeen[] = []) =>
    codes({ season: seasonWith(change), records });

  test("that fails three times in a row is told, with the closing's error", () => {
    const failing = { end_failures: 3, end_due_at: ago(-10) };
    expect(ends({ ...failing, end_failures: 2 })).toEqual([]);
    expect(ends(failing)).toEqual(["closing_failing"]);
    expect(first({ season: seasonWith(failing) })).toMatchObject({
      since: "2026-11-21T11:40:00.000Z",
      message: "The end of the season has failed 3 times in a row.",
    });
    const records = [run("closing", "failed", 1, { error: "too big" }), run("repair", "done", 9)];
    expect(first({ season: seasonWith({ ...failing, status: "deleting" }), records }).message).toBe(
      "The deletion of the season has failed 3 times in a row: too big",
    );
    expect(first({ season: seasonWith({ end_failures: 3 }) }).since).toBe("2026-11-21T11:40:00.000Z");
  });

  test("that is overdue by more than twenty minutes stands still", () => {
    expect(ends({ end_due_at: ago(20) })).toEqual([]);
    expect(ends({ end_due_at: ago(21), status: "deleting" })).toEqual(["closing_stuck"]);
    expect(first({ season: seasonWith({ end_due_at: ago(21), status: "deleting" }) }).message).toBe(
      "The deletion of the season does not go on: no task of it has run.",
    );
  });

  test("that takes more than six hours is told", () => {
    const closing = { status: "closing", end_due_at: ago(0) } as const;
    expect(ends({ ...closing, closes_at: ago(360) })).toEqual([]);
    expect(ends({ ...closing, closes_at: ago(361) })).toEqual(["closing_stuck"]);
    expect(first({ season: seasonWith({ ...closing, closes_at: ago(361) }) })).toMatchObject({
      since: "2026-11-21T05:59:00.000Z",
      message: "The season is still closing after six hours.",
    });
    expect(ends({ ...closing, status: "closed", closes_at: ago(361) })).toEqual([]);
    expect(ends(closing)).toEqual([]);
  });
});

describe("an audit or a repair", () => {
  test("that writes nothing for more than half an hour is dead", () => {
    expect(codes({ records: [run("repair", "running", 35)] })).toEqual([]);
    expect(codes({ records: [run("repair", "running", 36)] })).toEqual(["repair_dead: repairSeason"]);
    expect(codes({ records: [run("audit", "running", 36)] })).toEqual(["repair_dead: auditSeason"]);
    expect(first({ records: [run("audit", "running", 36)] }).message).toBe(
      "The last audit stopped before its end.",
    );
    expect(codes({ records: [run("closing", "running", 99)] })).toEqual([]);
  });

  test("that failed is told with its error", () => {
    const records = [run("audit", "failed", 1, { error: "out of memory" })];
    expect(first({ records })).toMatchObject({
      since: "2026-11-21T11:59:00.000Z",
      message: "The last audit stopped before its end: out of memory",
    });
  });

  test("is over once another of its kind, or a repair, is done", () => {
    const dead = run("repair", "running", 40);
    expect(codes({ records: [repaired(3), dead] })).toEqual([]);
    expect(codes({ records: [audited(3, "none"), dead] })).toEqual(["repair_dead: repairSeason"]);
    expect(codes({ records: [audited(3, "none"), run("audit", "failed", 40)] })).toEqual([]);
    expect(codes({ records: [repaired(3), run("audit", "failed", 40)] })).toEqual([]);
    expect(codes({ records: [run("repair", "running", 3), dead] })).toEqual([]);
  });
});
