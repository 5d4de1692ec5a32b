import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import type { Season } from "../documents/season.ts";
import { begunSeason } from "../../../test/support/season.ts";
import { alertsOf, type Evidence, isRanked, lateAfterMs, type RunSeen } from "./alerts.ts";

const key = { leaderboard: "chess", season: "all_time" };
const nowMs = Date.parse("2026-11-21T12:00:00Z");
const minute = 60_000;
const ago = (minutes: number) => Timestamp.fromMillis(nowMs - minutes * minute);

/** A season of five minutes, published an hour ago. */
function seasonWith(change: Partial<Season> = {}, publishedAgo = 60): Season {
  const begun = begunSeason({ opens_at: ago(9_000), next_run_at: ago(0) });
  return { ...begun, ranking: { ...begun.ranking, published_at: ago(publishedAgo) }, ...change };
}
function run(kind: string, outcome: string, minutesAgo: number, more: Partial<RunSeen> = {}): RunSeen {
  return { kind, outcome, started_at: ago(minutesAgo), finished_at: ago(minutesAgo), ...more };
}
const ranking = (outcome: string, minutesAgo: number, error?: string) =>
  run("ranking", outcome, minutesAgo, { error });
const audited = (minutesAgo: number, repair: "none" | "repair", more: Partial<RunSeen> = {}) =>
  run("audit", "done", minutesAgo, { repair, ...more });
const [wrong, wrongInFull] = [audited(3, "repair"), audited(9, "repair", { full: true })];
const repairing = (minutesAgo: number) => run("repair", "running", minutesAgo);
const differs = "audit_differs: repairSeason";
const silent = repairing(40);
const repaired = (minutesAgo: number) => run("repair", "done", minutesAgo);

const never = (change: Partial<Season> = {}) =>
  seasonWith({ ...change, ranking: { ...seasonWith().ranking, published_at: null } });
const parked = (change: Partial<Season> = {}) => seasonWith({ parked: "no_definition", ...change });
const week = (change: Partial<Season>) => seasonWith({ status: "closing", league: "open", ...change });
const closed = (minutesAgo: number) => seasonWith({ status: "closed", closed_at: ago(minutesAgo) });
const waiting = (minutes: number, change: Partial<Season> = {}) => ({
  season: seasonWith(change),
  pendingSinceMs: nowMs - minutes * minute,
});
/** Evidence of a run after which changes wait, with these records. */
const failed = (records: RunSeen[], season = seasonWith()) => ({ records, season, pendingSinceMs: nowMs });
const damaged = ranking("failed", 5, "The published ranking of chess is damaged: page 0 is missing.");

const listed = (parts: Partial<Evidence>) =>
  alertsOf({ key, season: seasonWith(), records: [], ...parts }, nowMs);

test.each<[what: string, evidence: Partial<Evidence>, ...codes: string[]]>([
  ["nothing", {}],
  ["all is well", failed([ranking("published", 1), audited(60, "none"), run("closing", "done", 70)])],
  ["the season is damaged", { season: "damaged" }, "season_unreadable: auditSeason"],
  ["the season is of another release", { season: "unknown" }, "season_unreadable"],
  ["it is parked, once, though its changes wait", { ...waiting(60), season: parked() }, "season_parked"],
  ["it is parked and closing", { season: parked({ status: "closing" }) }, "season_parked"],
  // Its board has no definition by then.
  ["it is being deleted, not parked", { season: parked({ status: "deleting" }) }],

  ["a run failed and changes wait", failed([ranking("failed", 1)]), "run_failed: auditSeason"],
  ["a run failed and no change waits", { records: [ranking("failed", 1)] }],
  ["a run failed before the last publication", failed([ranking("failed", 1)], seasonWith({}, 1))],
  ["other jobs followed", failed([audited(0, "none"), ranking("failed", 1)]), "run_failed: auditSeason"],
  ["a first run failed", failed([ranking("failed", 1)], never()), "run_failed: auditSeason"],
  ["its error names a repair", failed([damaged]), "run_failed: repairSeason"],
  ["a later repair is done", failed([repaired(2), damaged])],
  ["a repair was done before", failed([damaged, repaired(5)]), "run_failed: repairSeason"],
  ["a repair is running", failed([repairing(2), damaged]), "run_failed: repairSeason"],

  ["changes wait for two intervals and two minutes", waiting(12)],
  ["changes wait for longer", waiting(13), "not_ranked: runRanking"],
  ["changes wait for 4 minutes with an interval of a second", waiting(4, { interval_ms: 1_000 })],
  ["and for longer", waiting(5, { interval_ms: 1_000 }), "not_ranked: runRanking"],
  ["their run is overdue", waiting(13, { next_run_at: ago(3) }), "season_late: runRanking"],
  ["their run is due", waiting(13, { next_run_at: ago(2) }), "not_ranked: runRanking"],
  ["no run is to come", waiting(13, { next_run_at: null }), "not_ranked: runRanking"],
  ["they lie in a slot of the future", waiting(-10)],
  ["and too far in it", waiting(-11), "not_ranked: repairSeason"],
  ["the season has ended", waiting(99, { status: "closed" })],
  ["the season is closing", waiting(99, { status: "closing" }), "not_ranked: runRanking"],
  ["the season is yet to open", waiting(99, { span: "custom", opens_at: ago(-1) })],

  ["a player is missing", { uncounted: 1 }, "players_uncounted: repairSeason"],
  ["none is missing", { uncounted: 0 }],
  ["an audit found it", { uncounted: 1, records: [audited(1, "repair")] }, differs],

  ["an audit found errors", { records: [wrong] }, differs],
  ["and a later repair is done", { records: [repaired(1), wrong] }],
  ["and one before", { records: [wrong, repaired(4)] }, differs],
  ["and a repair is running", { records: [repairing(1), wrong] }, differs],
  ["an audit is running", { records: [audited(3, "repair", { outcome: "running" })] }],
  ["a later audit found none", { records: [audited(1, "none"), wrong] }],
  ["a later full one found none", { records: [audited(1, "none", { full: true }), wrongInFull] }],
  ["only totals agree after a full one", { records: [audited(1, "none"), wrongInFull] }, differs],
  ["and a repair was done", { records: [audited(1, "none"), repaired(5), wrongInFull] }],
  ["and totals differ since", { records: [audited(1, "repair"), repaired(5), wrongInFull] }, differs],

  ["the end failed twice", { season: seasonWith({ end_failures: 2, end_due_at: ago(-10) }) }],
  ["and three times", { season: seasonWith({ end_failures: 3, end_due_at: ago(-10) }) }, "closing_failing"],
  ["the end is due since 20 minutes", { season: seasonWith({ end_due_at: ago(20) }) }],
  ["and since longer", { season: seasonWith({ end_due_at: ago(21) }) }, "closing_stuck"],
  ["it closes for six hours", { season: seasonWith({ status: "closing", closes_at: ago(360) }) }],
  ["and longer", { season: seasonWith({ status: "closing", closes_at: ago(361) }) }, "closing_stuck"],
  [
    "it began to close late",
    { season: seasonWith({ status: "closing", closes_at: ago(999), ended_at: ago(360) }) },
  ],
  ["and is closed", { season: seasonWith({ status: "closed", closes_at: ago(361) }) }],
  ["a league's week is over for an hour", { season: week({ closes_at: ago(60) }) }],
  ["and longer", { season: week({ closes_at: ago(61) }) }, "league_unsettled"],
  [
    "and its final table is there",
    { season: week({ status: "closed", closes_at: ago(61) }) },
    "league_unsettled",
  ],
  ["its last step has failed", { season: week({ status: "closed", closes_at: ago(40), end_failures: 2 }) }],
  [
    "and three times",
    { season: week({ status: "closed", closes_at: ago(40), end_failures: 3 }) },
    "league_unsettled",
  ],
  [
    "it closes since six hours",
    { season: week({ closes_at: ago(361) }) },
    "league_unsettled",
    "closing_stuck",
  ],
  ["the week began to close late", { season: week({ closes_at: ago(999), ended_at: ago(60) }) }],
  ["the league is settled", { season: week({ league: "settled", closes_at: ago(61) }) }],
  ["the week goes on", { season: week({ status: "open", closes_at: ago(-61) }) }],
  ["the week is being deleted", { season: week({ status: "deleting", closes_at: ago(61) }) }],
  ["it closes, and says not since when", { season: seasonWith({ status: "closing" }) }],

  ["a repair is silent for 35 minutes", { records: [repairing(35)] }],
  ["and longer", { records: [repairing(36)] }, "repair_dead: repairSeason"],
  ["an audit is silent for longer", { records: [run("audit", "running", 36)] }, "repair_dead: auditSeason"],
  ["a closing is silent", { records: [run("closing", "running", 99)] }],
  ["another repair is done", { records: [repaired(3), silent] }],
  ["another repair is running", { records: [repairing(3), silent] }],
  [
    "an audit is done after a dead repair",
    { records: [audited(3, "none"), silent] },
    "repair_dead: repairSeason",
  ],
  ["an audit is done after a failed one", { records: [audited(3, "none"), run("audit", "failed", 40)] }],
  ["the season has closed since", { records: [silent, wrong, run("audit", "failed", 4)], season: closed(2) }],
  ["it had closed before", { records: [wrong, silent], season: closed(50) }, "repair_dead: repairSeason"],
  ["a repair is done after a failed audit", { records: [repaired(3), run("audit", "failed", 40)] }],
])("the alerts where %s", (_what, evidence, ...codes) => {
  const told = listed(evidence).map(({ code, call }) => (call === undefined ? code : `${code}: ${call}`));
  expect(told).toEqual(codes);
});

const found = {
  row_players: 3,
  shard_players: 0,
  counted: 5,
  players: 6,
  pages: ["page 0 is missing"],
  foreign: [],
  conservation: { difference: -2, scores: 2, examples: [] },
  convergence: { difference: -1, players: 3, in_flight: 0, examples: [] },
};
const evenTotals = {
  ...found,
  pages: [],
  conservation: { ...found.conservation, difference: 0 },
  convergence: { ...found.convergence, difference: 0, players: 0 },
};
const failing = { end_failures: 3, end_due_at: ago(-10) };
const tooBig = run("closing", "failed", 1, { error: "too big" });

test.each<[evidence: Partial<Evidence>, since: string, message: string]>([
  [{ season: "unknown" }, "12:00", "Another release stored this season"],
  [{ season: parked({ dormant_at: ago(7) }) }, "11:53", "The definition of the board was deleted"],
  [{ season: parked() }, "12:00", "The definition of the board was deleted"],
  [failed([ranking("failed", 1, "beaten 8 times")]), "11:59", "The last ranking run failed: beaten 8 times"],
  [failed([ranking("failed", 1)]), "11:59", "The last ranking run failed: Its record does not say why."],
  [waiting(13), "11:47", "Changes have waited for more than two intervals"],
  [{ uncounted: 1 }, "11:00", "The ranking lacks 1 player, and no change is pending."],
  [{ uncounted: -1_200 }, "11:00", "The ranking has 1,200 players too many, and no change is pending."],
  [{ uncounted: 1, season: never({ opens_at: ago(90) }) }, "10:30", "The ranking lacks 1 player"],
  [
    { records: [audited(1, "repair", { found })] },
    "11:59",
    "An audit found errors: page 0 is missing; 2 players too many or too few in the ranking; 3 players counted wrongly.",
  ],
  [
    { records: [audited(1, "repair", { found: evenTotals })] },
    "11:59",
    "An audit found errors: wrong numbers of players at 2 scores.",
  ],
  [{ records: [audited(1, "repair")] }, "11:59", "An audit found errors: see its record."],
  [{ season: seasonWith(failing) }, "11:40", "The end of the season has failed 3 times in a row."],
  [
    { season: seasonWith({ ...failing, status: "deleting" }), records: [tooBig, repaired(9)] },
    "11:40",
    "The deletion of the season has failed 3 times in a row: too big",
  ],
  [{ season: seasonWith({ end_failures: 3 }) }, "11:40", "The end of the season has failed 3 times"],
  [
    { season: parked({ status: "deleting", end_due_at: ago(21) }) },
    "11:39",
    "The deletion of the season does not go on: no task for it has run.",
  ],
  [
    { season: seasonWith({ status: "closing", closes_at: ago(361), end_due_at: ago(0) }) },
    "05:59",
    "The season is still closing after six hours.",
  ],
  [{ records: [run("audit", "running", 36)] }, "11:24", "The last audit stopped before its end."],
  [
    { records: [run("audit", "failed", 1, { error: "out of memory" })] },
    "11:59",
    "The last audit stopped before its end: out of memory",
  ],
])("an alert for %o stands since %s and says: %s", (evidence, since, message) => {
  const [alert] = listed(evidence);
  expect(alert).toMatchObject({ ...key, since: `2026-11-21T${since}:00.000Z` });
  expect(alert?.message.slice(0, message.length)).toBe(message);
});

test("changes are ranked in a season that has begun, goes on and has a definition", () => {
  const others = [seasonWith({ status: "deleting" }), parked()];
  expect([seasonWith(), ...others].map((season) => isRanked(season, nowMs))).toEqual([true, false, false]);
  expect(lateAfterMs({ interval_ms: 5 * minute })).toBe(12 * minute);
});
