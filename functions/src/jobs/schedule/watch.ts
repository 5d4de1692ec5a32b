/** Reads what alerts follow from (alerts.ts), and logs them. */
import {
  type DocumentSnapshot,
  type Firestore,
  type QueryDocumentSnapshot,
  Timestamp,
} from "../../documents/firestore.ts";
import {
  isSeasonPath,
  definitionPath,
  type SeasonKey,
  seasonOfPath,
  seasonPath,
} from "../../documents/paths.ts";
import {
  dueSeasons,
  leaderboards,
  openSeasons,
  parkedSeasons,
  pendingShards,
  runsSince,
} from "../../documents/queries.ts";
import { documentsAt, getAt } from "../../documents/reads.ts";
import { formOfSeason, readSeason, type Season } from "../../documents/season.ts";
import { zoneProblem } from "../../model/calendar.ts";
import { type Definition, storedDefinition } from "../../model/definition.ts";
import { countedPerLookMax, endRetryMs, runKeepDays } from "../../model/limits.ts";
import { definitionId } from "../../model/template.ts";
import { alertedEveryMs, isTime } from "../../world/alarms.ts";
import { describeError } from "../../world/describe-error.ts";
import { inPool } from "../../world/pool.ts";
import {
  type Alert,
  alertsOf,
  isRanked,
  lateAfterMs,
  type RunSeen,
  storedRunSeen,
  unknownZone,
} from "../alerts.ts";
import { type CountedBoard, counterOf, rowsToCount, sumOf } from "../repair/count-stretches.ts";
import type { Services } from "../../world/services.ts";

/** The most boards, records of each outcome, and overdue seasons of each kind that one look reads. */
const boardsMost = 1_000;
export const recordsMost = 2_000;
const overdueMost = 100;
export const atOnce = 50;

export interface WatchOptions {
  /** A difference younger than this may come from an event on its way; tests without a clock pass 0. */
  inFlightMs?: number;
}

export interface Watched {
  /** The alerts by season; the gravest alert of each season first. */
  alerts: Alert[];
  /**
   * Whether everything was looked at. In a large project only the first boards and the newest records are looked at,
   * and no more than 50 million players are counted.
   */
  isComplete: boolean;
}

interface RecordsFound {
  records: Map<string, RunSeen[]>;
  isComplete: boolean;
}

type SeasonsFound = Awaited<ReturnType<typeof findSeasons>>;

/**
 * The alerts of one season, or of all seasons.
 *
 * Cost of one season: 2 reads; 1 for each record that failed, is running or done, at least 3; and 1 for pending
 * changes. Cost of all seasons: 1 read a board; 1 for each season that is open, overdue or parked, at least 3 and 1 a
 * board; 1 for each record, at least 3; and 1 for each open season; where 2,000 records are done, once more those of each
 * season in which something failed before the oldest of these. In both cases, for each season that published nothing for
 * two intervals and has no pending change, 3 reads, and 1 for each 1,000 players; above 250,000 players also the pages, and
 * 3 for each 125,000. As many reads again if the players counted differ from the ranking's. At most 50 million players
 * are counted: 50,000 reads.
 */
export async function findAlerts(
  services: Pick<Services, "db" | "now">,
  key?: SeasonKey,
  { inFlightMs = 60_000 }: WatchOptions = {},
): Promise<Watched> {
  const found = await findSeasons(services.db, services.now(), key);
  const { seasons } = found;
  const alerts = await inPool(seasons, atOnce, (season) => look(services, season, found, inFlightMs));
  return {
    alerts: [...allZoneAlerts(found, services.now()), ...alerts.flat()],
    isComplete: found.isComplete,
  };
}

/** One alert for each board whose time zone this runtime does not know, about the board's first season that was found. */
function allZoneAlerts({ definitions, seasons }: SeasonsFound, nowMs: number): Alert[] {
  const keys = seasons.map(({ ref }) => seasonOfPath(ref.path));
  return [...definitions].flatMap(([leaderboard, definition]) => {
    const key = keys.find((one) => one.leaderboard === leaderboard) ?? { leaderboard, season: "all_time" };
    return zoneAlerts(key, definition, nowMs);
  });
}

/** The alert about a board's time zone, if there is one. @param key a season of the board */
export function zoneAlerts(
  key: SeasonKey,
  { time_zone: zone }: Pick<Definition, "time_zone">,
  nowMs: number,
): Alert[] {
  const problem = zoneProblem(zone);
  if (problem === undefined) return [];
  const { node, tz = "none" } = process.versions;
  return [unknownZone({ key, zone, problem, judge: `Node ${node} with the rules tz ${tz}` }, nowMs)];
}

async function findSeasons(db: Firestore, nowMs: number, key?: SeasonKey) {
  const [{ boards, documents, isCut }, { records, isComplete }] = await Promise.all([
    key === undefined ? suspectsOf(db, nowMs) : oneOf(db, key),
    recordsOf(db, nowMs, key),
  ]);
  const seasons = new Map(
    documents.filter(({ ref }) => isSeasonPath(ref.path)).map((document) => [document.ref.path, document]),
  );
  // If only records of a season were found, the season's document says whether the records still matter.
  const rest = [...records.keys()].filter((path) => !seasons.has(path));
  const all = [...seasons.values(), ...(await documentsAt(db, rest))];
  const definitions = boards.flatMap((board) => {
    const { data } = storedDefinition.safeParse(board.data());
    return data === undefined ? [] : [[board.id, data] as const];
  });
  return {
    seasons: all.filter(({ exists }) => exists),
    definitions: new Map(definitions),
    records,
    toCount: countedPerLookMax,
    isComplete: isComplete && !isCut,
  };
}

async function oneOf(db: Firestore, key: SeasonKey) {
  const paths = [definitionPath(key.leaderboard), seasonPath(key)] as const;
  const [board, season] = await documentsAt(db, paths);
  return { boards: [board], documents: [season], isCut: false };
}

async function suspectsOf(db: Firestore, nowMs: number) {
  const overdue = [
    dueSeasons(db, "next_run_at", nowMs),
    dueSeasons(db, "end_due_at", nowMs + endRetryMs),
    parkedSeasons(db),
  ].map((query) => query.limit(overdueMost).get());
  const [{ docs: boards }, ...others] = await Promise.all([
    leaderboards(db, { publicOnly: false }, boardsMost).get(),
    ...overdue,
  ]);
  const open = await inPool(boards, atOnce, ({ id }) => openSeasons(db, id).get());
  const documents: DocumentSnapshot[] = [...others, ...open].flatMap(({ docs }) => docs);
  const isCut = boards.length === boardsMost || others.some(({ docs }) => docs.length === overdueMost);
  return { boards, documents, isCut };
}

/**
 * All records that failed, are running or done, by the paths of their seasons, the last first. Of all seasons the newest
 * that are done may not reach back as far as one that failed: then that season's own records say whether it was mended.
 */
async function recordsOf(db: Firestore, nowMs: number, key?: SeasonKey): Promise<RecordsFound> {
  const since = { key, sinceMs: nowMs - runKeepDays * 86_400_000 };
  const found = await Promise.all(
    (["done", "failed", "running"] as const).map((outcome) =>
      runsSince(db, outcome, since, recordsMost).get(),
    ),
  );
  const all = found.flatMap(({ docs }) => docs.flatMap(seenIn));
  all.sort((a, b) => b.record.started_at.toMillis() - a.record.started_at.toMillis());
  const byPath = Map.groupBy(all, ({ path }) => path);
  const records = new Map([...byPath].map(([path, some]) => [path, some.map(({ record }) => record)]));
  const isComplete = found.every(({ docs }) => docs.length < recordsMost);
  const [done] = found;
  const oldest: unknown = done?.docs.length === recordsMost ? done.docs.at(-1)?.get("started_at") : undefined;
  if (key !== undefined || !(oldest instanceof Timestamp)) return { records, isComplete };
  const isOlder = ({ kind, outcome, started_at: at }: RunSeen) =>
    kind !== "closing" && outcome !== "done" && at.toMillis() <= oldest.toMillis();
  const unsure = [...records].filter(([, some]) => some.some(isOlder)).map(([path]) => path);
  await inPool(unsure, atOnce, async (path) => {
    const own = await recordsOf(db, nowMs, seasonOfPath(path));
    records.set(path, own.records.get(path) ?? []);
  });
  return { records, isComplete };
}

/** A record in a collection `runs` with the path of its season; empty if the document is no record of Firerank. */
export function seenIn(document: QueryDocumentSnapshot): { path: string; record: RunSeen }[] {
  const path = document.ref.path.split("/").slice(0, -2).join("/");
  const { data: record } = storedRunSeen.safeParse(document.data());
  return record !== undefined && isSeasonPath(path) ? [{ path, record }] : [];
}

/** Looks at a season, its pending changes and, if the season is idle, the number of its players. */
async function look(
  { db, now }: Pick<Services, "db" | "now">,
  document: DocumentSnapshot,
  found: SeasonsFound,
  inFlightMs: number,
): Promise<Alert[]> {
  const { path } = document.ref;
  const key = seasonOfPath(path);
  const records = found.records.get(path) ?? [];
  const form = formOfSeason(document.data() ?? {});
  if (form !== "known") return alertsOf({ key, season: form, records }, now());
  const season = readSeason(document.data());
  if (!isRanked(season, now())) return alertsOf({ key, season, records }, now());
  const pendingSinceMs = await oldestPending(db, key, document.readTime);
  const definition = found.definitions.get(definitionId(key.leaderboard));
  const { ranking, opens_at: opensAt } = season;
  const since = ranking.published_at ?? opensAt;
  const isIdle = pendingSinceMs === undefined && now() - since.toMillis() > lateAfterMs(season);
  const uncounted =
    isIdle && definition !== undefined && mayCount(found, ranking)
      ? await uncountedIn(db, { key, definition }, { document, ranking }, inFlightMs)
      : 0;
  return alertsOf({ key, season, records, pendingSinceMs, uncounted }, now());
}

/** Whether this look may still count a season's players; if so, subtracts them from what may be counted. */
function mayCount(found: SeasonsFound, { players }: Season["ranking"]): boolean {
  const may = players <= found.toCount;
  if (may) found.toCount -= players;
  else found.isComplete = false;
  return may;
}

/** When the slot of the oldest pending changes ended, or will end; with `at`, of the changes pending at that time. */
export async function oldestPending(
  db: Firestore,
  key: SeasonKey,
  at?: Timestamp,
): Promise<number | undefined> {
  const query = pendingShards(db, key).limit(1);
  const { docs } = await (at === undefined ? query.get() : getAt(db, at, query));
  const endsAt: unknown = docs[0]?.get("slot_ends_at");
  return endsAt instanceof Timestamp ? endsAt.toMillis() : undefined;
}

/**
 * How many players with a score the ranking lacks; below 0 if it has too many. Only a difference that already existed
 * `inFlightMs` ago is reported, as a newer difference may come from an event on its way. If the ranking lacks very many
 * players, the answer is a lower bound. Documents without a time, as servers write them, are counted too; lists find
 * such documents only after the trigger has completed them.
 */
async function uncountedIn(
  db: Firestore,
  board: CountedBoard,
  { document, ranking }: { document: DocumentSnapshot; ranking: Season["ranking"] },
  inFlightMs: number,
): Promise<number> {
  const { readTime: at, createTime } = document;
  const { players: ranked, unusable_scores: unusable } = ranking;
  const rows = await rowsToCount(db, board, ranking, at);
  const uncountedAt = async (time: Timestamp): Promise<number> => {
    const counter = counterOf(db, board, time, rows);
    const [hidden, banned] = await Promise.all([counter.listed("hidden"), counter.listed("banned")]);
    const others = sumOf(hidden) + sumOf(banned);
    const players = (await counter.numbered("score", ranked + unusable + others)) - others;
    // Players whose score cannot be ranked may be among the counted players.
    return players < ranked ? players - ranked : Math.max(0, players - ranked - unusable);
  };
  const now = await uncountedAt(at);
  if (now === 0 || inFlightMs === 0) return now;
  const earlier = Timestamp.fromMillis(at.toMillis() - inFlightMs);
  if (createTime === undefined || createTime > earlier) return 0;
  const before = await uncountedAt(earlier);
  return now > 0 ? Math.max(0, Math.min(now, before)) : Math.min(0, Math.max(now, before));
}

/** How often an alert is logged while it lasts, and how often a suspect season is looked at. */
const lookedEveryMs = 30 * 60_000;

/** Logs alerts, each at most every three hours. A log-based alert policy matches the field `firerank_alert`. */
export function logAlerts(services: Services, alerts: readonly Alert[]): void {
  for (const { code, message, ...fields } of alerts)
    if (isTime(services, `${code} ${seasonPath(fields)}`, alertedEveryMs))
      services.log.error(message, { firerank_alert: code, ...fields });
}

/** How many suspect seasons one start of the schedule looks at: each season costs some reads. */
const suspectsMost = 20;

/**
 * Logs the alerts of due seasons that are suspect by the documents that the schedule has read.
 *
 * Cost: 1 read every half hour for a season whose run has been overdue for two intervals. What {@link findAlerts}
 * costs, if the season has pending changes, or its end fails or stands still; and once if it never published and falls
 * asleep.
 */
export async function watchDue(
  services: Services,
  due: readonly QueryDocumentSnapshot[],
  options: WatchOptions = {},
): Promise<void> {
  const { db, log, now } = services;
  let looked = 0;
  for (const document of due) {
    const key = seasonOfPath(document.ref.path);
    const why = suspicionOf(key, document, now());
    if (why === undefined || looked >= suspectsMost) continue;
    if (!isTime(services, `look ${document.ref.path}`, lookedEveryMs)) continue;
    looked += 1;
    try {
      if (why === "overdue" && (await oldestPending(db, key)) === undefined) continue;
      logAlerts(services, (await findAlerts(services, key, options)).alerts);
    } catch (error) {
      log.error("the alerts of a season could not be looked for", { ...key, error: describeError(error) });
    }
  }
}

/**
 * Why a due season is suspect; undefined if it is not. A season whose run is overdue is only suspect if changes are
 * pending: without changes nobody waits for the run. A season that never published may have players who were never
 * counted.
 */
function suspicionOf(key: SeasonKey, document: QueryDocumentSnapshot, nowMs: number) {
  if (formOfSeason(document.data()) !== "known") return "told";
  const season = readSeason(document.data());
  // Values that are not ranked are a lasting alert, which can wait for the daily look.
  const told = alertsOf({ key, season, records: [] }, nowMs).filter(({ code }) => code !== "values_left_out");
  const isToldAlone = told.length > 0;
  if (isToldAlone || (season.dormant_at !== null && season.ranking.generation === 0)) return "told";
  const overdueMs = nowMs - (season.next_run_at?.toMillis() ?? nowMs);
  return overdueMs > lateAfterMs(season) ? "overdue" : undefined;
}
