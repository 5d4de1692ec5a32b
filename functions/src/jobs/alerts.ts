/**
 * Alerts: what an owner must know about a season. Pure: watch.ts reads the documents from which the alerts follow.
 * `listAlerts`, `doctor`, the dashboard and the log all show these alerts in the same words.
 */
import { z } from "zod";
import { Timestamp } from "../documents/firestore.ts";
import type { SeasonKey } from "../documents/paths.ts";
import { auditFindings, differencesIn } from "../documents/repair-record.ts";
import { many } from "../model/many.ts";
import type { Season } from "../documents/season.ts";
import { endRetryMs, slotAheadMsMax } from "../model/limits.ts";
import { leftOutSaid } from "../model/segments.ts";
import { countsNoMore, isToCome } from "../seasons/open-now.ts";

/** The codes of all alerts, the gravest first. */
export const alertCodes = [
  "season_unreadable",
  "season_parked",
  "time_zone_unknown",
  "run_failed",
  "season_late",
  "not_ranked",
  "players_uncounted",
  "audit_differs",
  "league_unsettled",
  "closing_failing",
  "closing_stuck",
  "repair_dead",
  "values_left_out",
] as const;
export type AlertCode = (typeof alertCodes)[number];

/** What an owner should do about a document that another release stored. */
export const newerPackage = "Deploy the newer package again, and use its command line.";

export const alertSchema = z.object({
  code: z.enum(alertCodes),
  leaderboard: z.string(),
  season: z.string(),
  /** Since when. */
  since: z.iso.datetime(),
  message: z.string(),
  what_to_do: z.string(),
  /** The call that mends the cause, if there is one. */
  call: z.enum(["runRanking", "auditSeason", "repairSeason"]).exactOptional(),
});
export type Alert = z.infer<typeof alertSchema>;

const time = z.instanceof(Timestamp);

/** A record of `runs`, as far as alerts need it. A document of another form is no record of Firerank. */
export const storedRunSeen = z.object({
  kind: z.string(),
  outcome: z.string(),
  started_at: time,
  finished_at: time,
  error: z.string().optional().catch(undefined),
  full: z.boolean().optional().catch(undefined),
  repair: z.string().optional().catch(undefined),
  found: auditFindings.nullish().catch(undefined),
});
export type RunSeen = z.infer<typeof storedRunSeen>;

export interface Evidence {
  key: SeasonKey;
  /** The season, or why it cannot be read. */
  season: Season | "damaged" | "unknown";
  /** The season's records that failed, are running or done, the last first. */
  records: readonly RunSeen[];
  /** When the oldest slot with pending changes ended, or will end; undefined if no change is pending. */
  pendingSinceMs?: number | undefined;
  /** How many players the ranking lacks or, below 0, has too many, if no change is pending; 0 if that is unknown. */
  uncounted?: number;
}

const minuteMs = 60_000;
/** How long an overdue run is no alert: the schedule comes each minute, and a run takes a moment. */
const patienceMs = 2 * minuteMs;
/** When a step of a season's end is stuck: a step takes five minutes, and a failed step is tried again after ten. */
const stuckMs = 20 * minuteMs;
/** How many failures in a row are an alert. Failures are ten minutes apart, so this is half an hour. */
const failuresMin = 3;
/** How long a closing may take. A usual closing takes minutes, and a closing of ten million players less than this. */
const closingMsMax = 6 * 60 * minuteMs;
/** How long a week may close until its league is settled: that of a million members takes some minutes. */
const settlingMsMax = 60 * minuteMs;
/** A repair that has not written its record for so long has died: its task may take half an hour. */
const deadMs = 35 * minuteMs;

/** How long a change may be pending before it is late: about two intervals. */
export function lateAfterMs({ interval_ms: intervalMs }: Pick<Season, "interval_ms">): number {
  return 2 * Math.max(intervalMs, minuteMs) + patienceMs;
}

/** Whether runs rank a season's changes: the season has begun and not ended, and its board has a definition. */
export function isRanked(season: Season, nowMs: number): boolean {
  return !countsNoMore(season) && season.parked === null && !isToCome(season, nowMs);
}

/** The alerts of a season, the gravest first. */
export function alertsOf(evidence: Evidence, nowMs: number): Alert[] {
  const { key, season } = evidence;
  if (season === "damaged" || season === "unknown") return [unreadable(key, season, nowMs)];
  const known = { ...evidence, records: recordsThatMatter(evidence, season), season, nowMs };
  const found = audited(known);
  const unsettled = unsettledLeague(known);
  const all = [
    // A board that is being deleted has no definition.
    ...(season.parked === null || season.status === "deleting" ? [] : [parked(season, nowMs)]),
    ...(isRanked(season, nowMs) ? [ranking(known, found !== undefined)] : []),
    found,
    unsettled,
    // Its last step fails where the league cannot be settled.
    unsettled !== undefined && season.status === "closed" ? undefined : ending(known),
    dead(known),
    leftOut(season),
  ];
  return all.flatMap((one) => (one === undefined ? [] : [{ ...key, ...one }]));
}

/**
 * A season's records but for audits and repairs that its end has settled: whatever they found in the index, or left undone,
 * the final table comes from the players' documents. An audit of a closed season asks for no repair: one that does has
 * audited the index, as its instance remembered the season from before its end.
 */
function recordsThatMatter({ records }: Evidence, { closed_at: closedAt }: Season): readonly RunSeen[] {
  if (closedAt === null) return records;
  const isSettled = ({ kind, started_at: at, repair }: RunSeen) =>
    (kind === "audit" || kind === "repair") && (at.toMillis() < closedAt.toMillis() || repair === "repair");
  return records.filter((record) => !isSettled(record));
}

/**
 * The alert of a board whose time zone is not known.
 * @param about a season of the board, and the time zone; `judge` names the runtime that does not know the zone, as
 *   another runtime may know it.
 */
export function unknownZone(
  about: { key: SeasonKey; zone: string; problem: string; judge: string },
  nowMs: number,
): Alert {
  const { key, zone, problem, judge } = about;
  return {
    ...key,
    code: "time_zone_unknown",
    since: iso(nowMs),
    message: `The time zone of the board, "${zone}", is not known to ${judge}, so days, weeks, months and movement stand still: it ${problem}.`,
    what_to_do:
      "Save the board with an IANA time zone. If the zone is a new one, a newer Node knows it: deploy the functions again.",
  };
}

type SeasonAlert = Omit<Alert, keyof SeasonKey>;
type SeasonEvidence = Evidence & { season: Season; nowMs: number };

const iso = (ms: number) => new Date(ms).toISOString();

function unreadable(key: SeasonKey, form: "damaged" | "unknown", nowMs: number): Alert {
  const about = { ...key, code: "season_unreadable", since: iso(nowMs) } as const;
  const message = "Another release stored this season, in a form that this one does not know.";
  if (form === "unknown") return { ...about, message, what_to_do: newerPackage };
  return {
    ...about,
    message: "The season's document is damaged, so nothing is ranked or closed.",
    what_to_do:
      "Look at the document in the Firebase console. Delete what Firerank did not write; then audit the season.",
    call: "auditSeason",
  };
}

function parked({ dormant_at: since }: Season, nowMs: number): SeasonAlert {
  return {
    code: "season_parked",
    since: iso(since?.toMillis() ?? nowMs),
    message: "The definition of the board was deleted, so nothing is ranked.",
    what_to_do: "Save the board again under the same id, with the order and columns it had. Nothing is lost.",
  };
}

/**
 * The alert about players who are not ranked: the last run failed, no run came, or the players were never counted. An
 * audit may have reported uncounted players already.
 */
function ranking(known: SeasonEvidence, isAudited: boolean): SeasonAlert | undefined {
  const { season, pendingSinceMs, uncounted = 0, nowMs } = known;
  const { published_at: publishedAt } = season.ranking;
  if (pendingSinceMs === undefined) {
    if (uncounted === 0 || isAudited) return undefined;
    const players = many(Math.abs(uncounted), "player");
    return {
      code: "players_uncounted",
      since: iso((publishedAt ?? season.opens_at).toMillis()),
      message:
        uncounted > 0
          ? `The ranking lacks ${players}, and no change is pending.`
          : `The ranking has ${players} too many, and no change is pending.`,
      what_to_do:
        "Repair the season. If a server writes players' documents by itself, check that the function indexPlayer is deployed, and that its trigger watches this database.",
      call: "repairSeason",
    };
  }
  const failed = failedRun(known);
  if (failed !== undefined) return failed;
  if (pendingSinceMs > nowMs + slotAheadMsMax)
    return {
      code: "not_ranked",
      since: iso((publishedAt ?? season.opens_at).toMillis()),
      message: "Changes lie in a slot of the future, which no run takes, and the season cannot fall asleep.",
      what_to_do: "Repair the season. Firerank writes no such changes: find out who else writes shards.",
      call: "repairSeason",
    };
  if (nowMs - pendingSinceMs <= lateAfterMs(season)) return undefined;
  const late = { since: iso(pendingSinceMs), call: "runRanking" } as const;
  const dueMs = season.next_run_at?.toMillis() ?? Infinity;
  if (dueMs < nowMs - patienceMs)
    return {
      ...late,
      code: "season_late",
      message: "Changes wait for a run that is overdue: the schedule or the queue of tasks stands still.",
      what_to_do:
        "Rank the season now. Check that Cloud Scheduler starts rankSeasons each minute and that the queues stepSeason and stepSmallSeasons run, and read the logs of these functions.",
    };
  return {
    ...late,
    code: "not_ranked",
    message: "Changes have waited for more than two intervals, though no run is overdue.",
    what_to_do: "Rank the season now, then audit it.",
  };
}

/** The alert about a failed run after which nothing was published, while changes are pending. */
function failedRun({ season, records }: SeasonEvidence): SeasonAlert | undefined {
  const failed = records.find(({ kind }) => kind === "ranking");
  const publishedMs = season.ranking.published_at?.toMillis() ?? -Infinity;
  if (failed?.outcome !== "failed" || failed.started_at.toMillis() <= publishedMs) return undefined;
  if (isMended(records, failed)) return undefined;
  const { error = "Its record does not say why." } = failed;
  const isDamaged = error.includes("damaged");
  return {
    code: "run_failed",
    since: iso(failed.started_at.toMillis()),
    message: `The last ranking run failed: ${error}`,
    what_to_do: isDamaged ? "Repair the season." : "Audit the season: it names the repair.",
    call: isDamaged ? "repairSeason" : "auditSeason",
  };
}

/**
 * The alert about an audit whose findings no repair has mended. The newest audit and the newest full audit decide: a
 * full audit may find wrong players although the totals agree.
 */
function audited({ records }: SeasonEvidence): SeasonAlert | undefined {
  const audits = records.filter(({ kind, outcome }) => kind === "audit" && outcome === "done");
  const wrong = [audits.find(({ full }) => full), audits[0]].find(
    (record) => record?.repair === "repair" && !isMended(records, record),
  );
  if (wrong === undefined) return undefined;
  return {
    code: "audit_differs",
    since: iso(wrong.started_at.toMillis()),
    message: `An audit found errors: ${differencesIn(wrong.found ?? null) ?? "see its record"}.`,
    what_to_do: "Repair the season.",
    call: "repairSeason",
  };
}

function isMended(records: readonly RunSeen[], { started_at: since }: RunSeen): boolean {
  return records.some(
    ({ kind, outcome, started_at: at }) =>
      kind === "repair" && outcome === "done" && at.toMillis() > since.toMillis(),
  );
}

/**
 * The alert about a week that is over and whose league is not settled. The season's final table does not wait for that; its
 * last step does, and fails.
 */
function unsettledLeague({ season, records, nowMs }: SeasonEvidence): SeasonAlert | undefined {
  const { status, league, end_failures: failures = 0 } = season;
  const sinceMs = closingSinceMs(season);
  if (league !== "open" || sinceMs === undefined || (status !== "closing" && status !== "closed"))
    return undefined;
  const isLate = nowMs - sinceMs > settlingMsMax;
  if (!isLate && !(status === "closed" && failures >= failuresMin)) return undefined;
  const error = records.find(({ kind, outcome }) => kind === "closing" && outcome === "failed")?.error;
  return {
    code: "league_unsettled",
    since: iso(sinceMs),
    message: `The week is over and its league is not settled, so nobody gets a seat in later weeks${error === undefined ? "." : `: ${error}`}`,
    what_to_do:
      "If the error names a group, give its document the fields of a group again, or delete it: then its members stay where they were. If it names an earlier week, that one is first. Without an error look at the logs of stepSeason and stepSmallSeasons. It is tried again each ten minutes.",
  };
}

/**
 * Since when the season's closing goes on; undefined for a season without an end. It may have begun long after the end: a
 * server's late write opens a season that is over.
 */
function closingSinceMs({ closes_at: closesAt, ended_at: endedAt }: Season): number | undefined {
  return closesAt === null ? undefined : Math.max(closesAt.toMillis(), endedAt?.toMillis() ?? 0);
}

function ending({ season, records, nowMs }: SeasonEvidence): SeasonAlert | undefined {
  const { status, end_due_at: dueAt, end_failures: failures = 0 } = season;
  const closesMs = closingSinceMs(season) ?? nowMs;
  const dueMs = dueAt?.toMillis() ?? Infinity;
  const what = status === "deleting" ? "deletion" : "end";
  const logs =
    'Look at the season\'s run of the kind "closing", which says what it waits for, and at the logs of rankSeasons, stepSeason and stepSmallSeasons.';
  if (failures >= failuresMin) {
    const error = records.find(({ kind, outcome }) => kind === "closing" && outcome === "failed")?.error;
    return {
      code: "closing_failing",
      since: iso(Math.min(dueMs, nowMs + endRetryMs) - failures * endRetryMs),
      message: `The ${what} of the season has failed ${failures} times in a row${error === undefined ? "." : `: ${error}`}`,
      what_to_do: `${logs} It is tried again each ten minutes.`,
    };
  }
  const isOverdue = nowMs - dueMs > stuckMs;
  if (!isOverdue && !(status === "closing" && nowMs - closesMs > closingMsMax)) return undefined;
  return {
    code: "closing_stuck",
    since: iso(isOverdue ? dueMs : closesMs),
    message: isOverdue
      ? `The ${what} of the season does not go on: no task for it has run.`
      : "The season is still closing after six hours.",
    what_to_do: logs,
  };
}

function dead({ records, nowMs }: SeasonEvidence): SeasonAlert | undefined {
  const isDead = (record: RunSeen) =>
    record.outcome === "failed" ||
    (record.outcome === "running" && nowMs - record.finished_at.toMillis() > deadMs);
  const stopped = (["repair", "audit"] as const)
    .map((kind) => records.find((record) => record.kind === kind))
    .find((record) => record !== undefined && isDead(record) && !isMended(records, record));
  if (stopped === undefined) return undefined;
  const { kind, error, finished_at: at } = stopped;
  return {
    code: "repair_dead",
    since: iso(at.toMillis()),
    message: `The last ${kind} stopped before its end${error === undefined ? "." : `: ${error}`}`,
    what_to_do: "Start it again: each part is safe to repeat.",
    call: kind === "audit" ? "auditSeason" : "repairSeason",
  };
}

/** The alert about values of segments that are not ranked, while the season takes scores. */
function leftOut(season: Season): SeasonAlert | undefined {
  const { left_out: left, published_at: at } = season.ranking;
  if (left === undefined || countsNoMore(season)) return undefined;
  return {
    code: "values_left_out",
    since: iso((at ?? season.opens_at).toMillis()),
    message: leftOutSaid(left),
    what_to_do:
      "Give players fewer values of this segment. Then repair the season: it ranks the values with the most players.",
    call: "repairSeason",
  };
}
