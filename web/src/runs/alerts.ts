/** What is wrong with a season, and the call that fixes it. Pure. */
import type { RankingRecord } from "../../../functions/src/documents/ranking-record.ts";
import {
  type AuditRecord,
  type Repair,
  repairs as repairsByGravity,
} from "../../../functions/src/documents/repair-record.ts";
import { isRepair, type Run } from "../data/documents.ts";
import { formatMany } from "../format/numbers.ts";
import { formatDuration } from "../format/times.ts";

/** A call that an alert's button makes. */
export type Remedy = "rank" | "audit" | Exclude<Repair, "none">;

export interface Alert {
  id: "failed" | "left" | "late" | "drift" | "stuck";
  title: string;
  text: string;
  remedy: Remedy;
}

/** The data for alerts: the page listens to all of it anyway. */
export interface Situation {
  /** The newest ranking runs, the last first. */
  runs: readonly Run[];
  /** The newest audits, sweeps and rebuilds, the last first. */
  repairs: readonly Run[];
  /** The end of the oldest slot whose changes are not ranked; undefined if none is pending, or on a counted board. */
  pendingSinceMs: number | undefined;
  /** When the next run of a counted ranking was or is due; undefined if it sleeps, or if the board has an index. */
  dueMs: number | undefined;
  intervalMs: number;
  /** Whether the board has an index that was left to counts, and waits for a full rebuild. */
  isLeftToCounts: boolean;
  nowMs: number;
  /** Whether all this may be out of date: then it is unknown what has happened since. */
  isRemembered: boolean;
}

/** How often the schedule runs. */
const scheduleMs = 60_000;
/** A run takes a moment: later than that is late. */
const patienceMs = 2 * 60_000;
const scheduleQuestion = "Does rankSeasons run every minute?";
/** A repair that has written nothing for this long has died: its task may take half an hour. */
const stuckMs = 35 * 60_000;

/** What is wrong, the most serious first. */
export function alertsOf(situation: Situation): Alert[] {
  const alerts = [
    left(situation),
    failure(situation),
    drift(situation),
    lateness(situation),
    stuck(situation),
  ];
  return alerts.filter((alert) => alert !== undefined);
}

function left({ isLeftToCounts }: Situation): Alert | undefined {
  if (!isLeftToCounts) return undefined;
  const text =
    "The board's source was count for a time, and the index lacks the changes of that time. A minute after the change a full rebuild indexes all players.";
  return { id: "left", title: "Nothing is ranked until a full rebuild", text, remedy: "full_rebuild" };
}

function failure({ runs, repairs, isLeftToCounts }: Situation): Alert | undefined {
  if (isLeftToCounts) return undefined; // its runs fail for that reason
  const record = recordsOf(runs).find((found): found is RankingRecord => found.kind === "ranking");
  if (record?.outcome !== "failed" || repairedSince(repairs, record.started_at.toMillis())) return undefined;
  const error = record.error ?? "The record does not say why.";
  return { id: "failed", title: "The last ranking run failed", text: error, remedy: remedyFor(error) };
}

/** The repair that a run's error asks for; for any other error an audit has to find the cause. */
function remedyFor(error: string): Remedy {
  if (error.includes("full: true")) return "full_rebuild";
  return error.includes("damaged") ? "rebuild" : "audit";
}

/**
 * The most serious finding of audits that was not repaired. The newest audit decides, except for findings of the newest
 * full one: totals may agree even if the players behind them are wrong.
 */
function drift({ repairs }: Situation): Alert | undefined {
  const audits = recordsOf(repairs).filter(
    (record): record is AuditRecord => record.kind === "audit" && record.outcome === "done",
  );
  const standing = [audits.find(({ full }) => full), audits[0]].flatMap((record) => {
    if (record === undefined || record.repair === "none") return [];
    const { repair } = record;
    return repairedSince(repairs, record.started_at.toMillis(), repair) ? [] : [{ record, repair }];
  });
  const [gravest] = standing.toSorted((a, b) => gravityOf(b.repair) - gravityOf(a.repair));
  if (gravest === undefined) return undefined;
  const { record, repair } = gravest;
  return {
    id: "drift",
    title: "An audit found errors in this season",
    text: findings(record),
    remedy: repair,
  };
}

function gravityOf(repair: Repair): number {
  return repairsByGravity.indexOf(repair);
}

function lateness({ pendingSinceMs, dueMs, intervalMs, nowMs, isRemembered }: Situation): Alert | undefined {
  if (isRemembered) return undefined;
  const late = (text: string): Alert => ({ id: "late", title: "The ranking is late", text, remedy: "rank" });
  const pendingMs = nowMs - (pendingSinceMs ?? nowMs);
  if (pendingMs > Math.max(intervalMs, scheduleMs) + patienceMs)
    return late(`Changes from ${minutesText(pendingMs)} ago are not ranked yet. ${scheduleQuestion}`);
  const overdueMs = nowMs - (dueMs ?? nowMs);
  if (overdueMs > scheduleMs + patienceMs)
    return late(`A run has been due for ${minutesText(overdueMs)}. ${scheduleQuestion}`);
  return undefined;
}

/** A repair that died, unless one of its kind was started since. */
function stuck({ repairs, nowMs, isRemembered }: Situation): Alert | undefined {
  if (isRemembered) return undefined;
  const records = recordsOf(repairs).filter(isRepair);
  const newest = records.filter(({ kind }, i) => records.findIndex((other) => other.kind === kind) === i);
  const record = newest.find(
    ({ outcome, finished_at: written }) => outcome === "running" && nowMs - written.toMillis() > stuckMs,
  );
  if (record === undefined) return undefined;
  return {
    id: "stuck",
    title: `A running ${record.kind} seems to have stopped`,
    text: `It has written nothing for ${minutesText(nowMs - record.finished_at.toMillis())}; start it again.`,
    remedy: record.kind === "rebuild" && record.full ? "full_rebuild" : record.kind,
  };
}

/** A duration in whole minutes, as alerts are read out whenever their text changes. */
function minutesText(ms: number): string {
  return formatDuration(Math.floor(ms / 60_000) * 60_000);
}

/** Whether a sufficient repair has been done since a time. */
function repairedSince(repairs: readonly Run[], sinceMs: number, repair: Repair = "rebuild"): boolean {
  return recordsOf(repairs).some((record) => {
    if (!isRepair(record) || record.outcome !== "done" || record.started_at.toMillis() <= sinceMs)
      return false;
    if (record.kind === "sweep") return repair === "sweep";
    return record.kind === "rebuild" && (repair !== "full_rebuild" || record.full);
  });
}

function findings({ found }: AuditRecord): string {
  if (found === null) return "See its record.";
  const { pages, conservation, convergence } = found;
  const parts = [
    ...pages,
    ...(conservation.difference === 0 && (conservation.scores ?? 0) === 0
      ? []
      : [`the ranking and the index differ by ${formatMany(Math.abs(conservation.difference), "player")}`]),
    ...(convergence.difference === 0 && (convergence.players ?? 0) === 0
      ? []
      : [
          `the index and the players differ by ${formatMany(convergence.players ?? Math.abs(convergence.difference), "player")}`,
        ]),
  ];
  return parts.length === 0 ? "See its record." : `${parts.join("; ")}.`;
}

function recordsOf(runs: readonly Run[]) {
  return runs.map(({ record }) => record).filter((record) => record !== undefined);
}
