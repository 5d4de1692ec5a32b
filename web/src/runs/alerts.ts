/** What is wrong with a season, and the call that fixes it. Pure. */
import type { RankingRecord } from "../../../functions/src/documents/ranking-record.ts";
import type { AuditRecord } from "../../../functions/src/documents/repair-record.ts";
import { isRepair, type Run } from "../data/documents.ts";
import { formatDuration } from "../format/times.ts";
import { differencesIn } from "./describe.ts";

/** A call that an alert's button makes. */
export type Remedy = "rank" | "audit" | "repair";

export interface Alert {
  id: "failed" | "late" | "drift" | "stuck";
  title: string;
  text: string;
  remedy: Remedy;
}

/** The data for alerts: the page listens to all of it anyway. */
export interface Situation {
  /** The newest ranking runs, the last first. */
  runs: readonly Run[];
  /** The newest audits and repairs, the last first. */
  repairs: readonly Run[];
  /** The end of the oldest slot whose changes are not ranked; undefined if none is pending. */
  pendingSinceMs: number | undefined;
  intervalMs: number;
  nowMs: number;
  /** Whether all this may be out of date: then it is unknown what has happened since. */
  isRemembered: boolean;
}

/** How often the schedule runs. */
const scheduleMs = 60_000;
/** A run takes a moment: later than that is late. */
const patienceMs = 2 * 60_000;
/** A repair that has written nothing for this long has died: its task may take half an hour. */
const stuckMs = 35 * 60_000;

/** What is wrong, the most serious first. */
export function alertsOf(situation: Situation): Alert[] {
  const alerts = [failure(situation), drift(situation), lateness(situation), stuck(situation)];
  return alerts.filter((alert) => alert !== undefined);
}

function failure({ runs, repairs }: Situation): Alert | undefined {
  const record = recordsOf(runs).find((found): found is RankingRecord => found.kind === "ranking");
  if (record?.outcome !== "failed" || repairedSince(repairs, record.started_at.toMillis())) return undefined;
  const error = record.error ?? "The record does not say why.";
  return { id: "failed", title: "The last ranking run failed", text: error, remedy: remedyFor(error) };
}

/** The repair that a run's error asks for; for any other error an audit has to find the cause. */
function remedyFor(error: string): Remedy {
  return error.includes("damaged") ? "repair" : "audit";
}

/**
 * What an audit found and no repair has mended. The newest audit decides, except for findings of the newest full one:
 * totals may agree even if the players behind them are wrong.
 */
function drift({ repairs }: Situation): Alert | undefined {
  const audits = recordsOf(repairs).filter(
    (record): record is AuditRecord => record.kind === "audit" && record.outcome === "done",
  );
  const standing = [audits.find(({ full }) => full), audits[0]].find(
    (record) => record?.repair === "repair" && !repairedSince(repairs, record.started_at.toMillis()),
  );
  if (standing === undefined) return undefined;
  return {
    id: "drift",
    title: "An audit found errors in this season",
    text: `${differencesIn(standing) ?? "See its record"}.`,
    remedy: "repair",
  };
}

function lateness({ pendingSinceMs, intervalMs, nowMs, isRemembered }: Situation): Alert | undefined {
  if (isRemembered) return undefined;
  const pendingMs = nowMs - (pendingSinceMs ?? nowMs);
  if (pendingMs <= Math.max(intervalMs, scheduleMs) + patienceMs) return undefined;
  const text = `Changes from ${minutesText(pendingMs)} ago are not ranked yet. Does rankSeasons run every minute?`;
  return { id: "late", title: "The ranking is late", text, remedy: "rank" };
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
    remedy: record.kind,
  };
}

/** A duration in whole minutes, as alerts are read out whenever their text changes. */
function minutesText(ms: number): string {
  return formatDuration(Math.floor(ms / 60_000) * 60_000);
}

/** Whether a repair that began after a time is done. */
function repairedSince(repairs: readonly Run[], sinceMs: number): boolean {
  return recordsOf(repairs).some(
    ({ kind, outcome, started_at: started }) =>
      kind === "repair" && outcome === "done" && started.toMillis() > sinceMs,
  );
}

function recordsOf(runs: readonly Run[]) {
  return runs.map(({ record }) => record).filter((record) => record !== undefined);
}
