/**
 * Dormant seasons: a season that nobody plays has no runs, and the first change wakes it.
 *
 * A sleeping season has no `next_run_at`, so the schedule does not find it. The commit that changes a player must wake
 * the season. But an instance knows the season from memory, up to a minute old, and may believe it awake. Its change
 * would then wait until a later change wakes the season. So a season falls asleep in two steps.
 *
 * 1. **Doze.** After an interval in which nothing was published, a run that is due lets the season doze: with what the run
 *    publishes now, or if it finds nothing. It does not if a change is pending in the open slot, which it may not take
 *    yet. So a season with a lone score dozes as soon as the score is published. `dormant_at` says when. From now on, an
 *    instance that reads the season again knows that it dozes, and each of the instance's commits reads the season and
 *    wakes it. A last look is due seven minutes later.
 * 2. **Sleep.** By then every instance that remembered the season awake has read it again, and its last transaction has
 *    ended: memory lasts a minute and a transaction four and a half. If no change is pending now, every later change
 *    wakes the season, so `next_run_at` is removed. If a change is pending, a run publishes it and the season is awake.
 *
 * A change must not wait for the last look only because an instance has the season awake in memory. So while a run may
 * let the season doze, an instance remembers the season for two seconds only (board.ts). What is left are changes that
 * commit within these seconds, or while the run that lets the season doze is under way: they are published by the last
 * look. A run that is ten minutes overdue lets no season doze: where runs fail or do not come, instances remember the
 * season for a minute again.
 *
 * Falling asleep is a write on the condition that the season's document is as the schedule found it before the last look,
 * and waking a transaction on the same document. So the later of the two has seen the earlier, and falling asleep never
 * undoes a wake-up.
 */
import { type DocumentSnapshot, type QueryDocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { definitionPath, type SeasonKey, seasonOfPath, seasonPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { type Season, storedSeason } from "../documents/season.ts";
import { dozeMs } from "../model/limits.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import { countsNoMore, mayDoze } from "./open-now.ts";
import { isOvertaken } from "../world/retryable.ts";
import { tryAgain } from "../world/try-again.ts";
import { changeSeason, boardCacheOf } from "./board.ts";
import type { Board } from "./read-board.ts";
import type { Services } from "../world/services.ts";

/**
 * Whether a commit must also read the season and wake it: if the season, as the instance remembers it, dozes or sleeps,
 * or if its next run is further away than its interval. A run that remembered a longer interval may have set such a
 * run. Pure.
 */
export function mayOversleep(season: Season | undefined, nowMs: number): boolean {
  if (season === undefined) return false;
  const { dormant_at: dormant, next_run_at: due, interval_ms: lengthMs } = season;
  return dormant !== null || (due !== null && due.toMillis() > nowMs + lengthMs + heldOffMsMax);
}

/**
 * The fields that wake a season; undefined if the season is awake, has ended or is damaged. Pure.
 * @param definition in memory, of a template: the season may have slept since the interval was shortened.
 */
export function awakeFields(
  document: Pick<DocumentSnapshot, "data">,
  nowMs: number,
  definition?: Board["definition"],
): Pick<Season, "dormant_at" | "parked" | "next_run_at"> | undefined {
  const { data: stored } = storedSeason.safeParse(document.data());
  if (stored === undefined || countsNoMore(stored) || !mayOversleep(stored, nowMs)) return undefined;
  // Not by an interval in memory that is longer: it may be a minute old, and a day long.
  const ownMs = definition === undefined ? Infinity : intervalMs(definition.ranking_interval_minutes);
  const interval_ms = Math.min(stored.interval_ms, ownMs);
  return { dormant_at: null, parked: null, next_run_at: runAfter({ interval_ms }, nowMs) };
}

function runAfter({ interval_ms: lengthMs }: Pick<Season, "interval_ms">, nowMs: number): Timestamp {
  return Timestamp.fromMillis(intervalEnd(nowMs, lengthMs));
}

/** How far beyond the interval the next run may rightly lie: a repair delays the run, and clocks differ. */
const heldOffMsMax = 10 * 60_000;

/**
 * Moves a season's next run back within its interval. A run that remembers a long interval sets the next run
 * accordingly, and so may replace the nearer run of a shorter interval that `saveLeaderboard` has just set. A short
 * interval in memory does no such harm. Cost: 1 read after each publication of a board whose interval is longer than
 * ten minutes; 1 write to move the run.
 */
export async function keepInterval(services: Services, { key, definition }: Board): Promise<void> {
  if (intervalMs(definition.ranking_interval_minutes) <= heldOffMsMax) return;
  const { db, now, log } = services;
  const boards = boardCacheOf(services);
  const ref = db.doc(seasonPath(key));
  const bringBack = async () => {
    const document = await ref.get();
    const fields = awakeFields(document, now());
    if (fields === undefined || document.updateTime === undefined) return;
    if (document.get("dormant_at") !== null) return;
    await ref.update(fields, { lastUpdateTime: document.updateTime });
    boards.forgetSeason(key);
    log.info("brought a season's next run back within its interval", { ...key });
  };
  await tryAgain(services, bringBack, { mayPass: isOvertaken });
}

/** The fields that let a season doze, until the last look. Pure. */
export function dozing(nowMs: number): Pick<Season, "dormant_at" | "next_run_at"> {
  return { dormant_at: Timestamp.fromMillis(nowMs), next_run_at: Timestamp.fromMillis(nowMs + dozeMs) };
}

/**
 * After a due run that found nothing to do: lets the season doze if its time has come and no change is pending. Otherwise
 * the season is due again at the end of its interval.
 *
 * Cost: nothing while no run is due; 1 read and 1 write to be due later, 1 read more to doze.
 * @param shardsFrom from which slot on the run looked for changes. A change in an earlier slot does not keep the season
 *   from dozing: the last look, which begins with the earliest slot, finds it.
 */
export async function restSeason(
  services: Services,
  { key, season }: Board,
  shardsFrom: Timestamp | null,
): Promise<void> {
  const { db, now, log } = services;
  if (season === undefined || !isDue(season, now())) return;
  const changed = await changeSeason(services, key, async (stored, transaction) => {
    const nowMs = now();
    if (countsNoMore(stored) || !isDue(stored, nowMs)) return undefined;
    if (mayDoze(stored, nowMs)) {
      const pending = await transaction.get(pendingShards(db, key, { from: shardsFrom }).limit(1));
      if (pending.empty) return dozing(nowMs);
    }
    // Also where the last look at a dozing season has found a change that no run may take yet.
    return { dormant_at: null, next_run_at: runAfter(stored, nowMs) };
  });
  if (changed?.dormant_at) log.info("a season without changes began to doze", { ...key });
}

function isDue({ next_run_at: due }: Season, nowMs: number): boolean {
  return due !== null && due.toMillis() <= nowMs;
}

/**
 * The last look at a dozing season: lets it sleep unless a change is pending. Cost: nothing while it is too early;
 * otherwise 1 read, and 1 write to sleep.
 * @param found the season as the schedule has found it.
 * @returns whether the season needs no run: it sleeps, or a commit has just woken it.
 */
export async function fallAsleep(services: Services, found: QueryDocumentSnapshot): Promise<boolean> {
  const { db, now, log } = services;
  const { data: season } = storedSeason.safeParse(found.data());
  const dormantMs = season?.dormant_at?.toMillis() ?? Infinity;
  if (season?.status !== "open" || now() < dormantMs + dozeMs) return false;
  const key = seasonOfPath(found.ref.path);
  if (!(await pendingShards(db, key).limit(1).get()).empty) return false;
  try {
    await found.ref.update({ next_run_at: null }, { lastUpdateTime: found.updateTime });
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return true;
  }
  log.info("a season without changes began to sleep", { ...key });
  return true;
}

/**
 * Parks a season whose board has no definition any more, for example because somebody deleted it in the console. A run
 * needs the definition, so no run is requested until the definition is saved again. Changes are still counted. Cost: 2
 * reads, and 1 write if the season is not parked yet.
 */
export async function parkSeason(services: Services, key: SeasonKey): Promise<void> {
  const { db, now, log } = services;
  const parked = await changeSeason(services, key, async (season, transaction) => {
    const definition = await transaction.get(db.doc(definitionPath(key.leaderboard)));
    if (definition.exists || season.status === "deleting") return undefined;
    // A run that remembered the definition may have published after the season was parked, and set the next run.
    if (season.parked !== null && season.next_run_at === null) return undefined;
    return { parked: "no_definition", next_run_at: null, dormant_at: Timestamp.fromMillis(now()) };
  });
  const message =
    "a board's definition is gone; its season is not ranked until saveLeaderboard saves it again";
  if (parked !== undefined) log.error(message, { firerank_alert: "season_parked", ...key });
}
