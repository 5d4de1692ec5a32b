/**
 * Dormant seasons: a season that nobody plays has no runs, and the first change wakes it.
 *
 * A sleeping season has no `next_run_at`, so the schedule does not find it. The commit that changes a player must wake
 * the season. But an instance knows the season from memory, up to a minute old, and may believe it awake. Its change
 * would then wait until a later change wakes the season. So a season falls asleep in two steps.
 *
 * 1. **Doze.** After 12 intervals without a change, but not before an hour, a run sets `dormant_at`, unless a change is
 *    pending in the open slot, which the run may not take yet. From now on, an instance that reads the season again
 *    knows that it dozes, and each of the instance's commits reads the season and wakes it. A last look is due ten
 *    minutes later.
 * 2. **Sleep.** By then every instance that remembered the season awake has read it again, and its last transaction has
 *    ended: memory lasts a minute and a transaction four and a half. If no change is pending now, every later change
 *    wakes the season, so `next_run_at` is removed. If a change is pending, the run publishes it and the season is
 *    awake.
 *
 * Falling asleep is a transaction on the season's document, and so is the commit that wakes the season. The later of
 * the two has seen the earlier, so falling asleep never undoes a wake-up.
 */
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { leaderboardPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { type Season, storedSeason } from "../documents/season.ts";
import { dozeMs, idleIntervalsMax, runAskedAgainMs } from "../model/limits.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import { isEnded } from "./open-now.ts";
import { isOvertaken } from "../world/retryable.ts";
import { tryAgain } from "../world/try-again.ts";
import { type Board, changeSeason, boardCacheOf } from "./board.ts";
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

/** The fields that wake a season; undefined if the season is awake, has ended or is damaged. Pure. */
export function awakeFields(
  document: Pick<DocumentSnapshot, "data">,
  nowMs: number,
): Pick<Season, "dormant_at" | "parked" | "next_run_at"> | undefined {
  const { data: stored } = storedSeason.safeParse(document.data());
  if (stored === undefined || isEnded(stored) || !mayOversleep(stored, nowMs)) return undefined;
  // Not by the interval in memory, which may be a minute old, and a day long.
  return { dormant_at: null, parked: null, next_run_at: runAfter(stored, nowMs) };
}

function runAfter({ interval_ms: lengthMs }: Season, nowMs: number): Timestamp {
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
    await ref.update(fields, { lastUpdateTime: document.updateTime });
    boards.forget(key.leaderboard);
    log.info("brought a season's next run back within its interval", { ...key });
  };
  await tryAgain(services, bringBack, { mayPass: isOvertaken });
}

/**
 * Lets a season doze off, or a dozing season sleep, if its time has come and no change is pending. Runs call this if
 * they found nothing to do. A season that stays awake is due again at the end of its interval if the interval is
 * shorter than the time after which a run is requested again, so that its changes do not wait longer than an interval.
 *
 * Cost: nothing while it is too early; 1 read and 1 write to be due later; 2 reads and 1 write to doze, and to sleep;
 * if a change is pending, 2 reads, and 1 write to be due later.
 * @param shardsFrom from which slot on the run looked for changes. A change in an earlier slot does not keep the season
 *   from dozing: the last look, which begins with the earliest slot, finds it.
 */
export async function restSeason(
  services: Services,
  { key, season }: Board,
  shardsFrom: Timestamp | null,
): Promise<void> {
  const { db, now, log } = services;
  if (season === undefined || nextRest(season, now()) === undefined) return;
  let rest: ReturnType<typeof nextRest>;
  await changeSeason(services, key, async (stored, transaction) => {
    const nowMs = now();
    rest = nextRest(stored, nowMs);
    if (rest === "doze" || rest === "sleep") {
      const from = rest === "doze" ? shardsFrom : null;
      const pending = await transaction.get(pendingShards(db, key, { from }).limit(1));
      if (!pending.empty) rest = nextWait(stored, nowMs);
    }
    const changes = {
      doze: { dormant_at: Timestamp.fromMillis(nowMs), next_run_at: Timestamp.fromMillis(nowMs + dozeMs) },
      sleep: { next_run_at: null },
      wait: { next_run_at: runAfter(stored, nowMs) },
    };
    return rest && changes[rest];
  });
  if (rest === "doze" || rest === "sleep") log.info(`a season without changes began to ${rest}`, { ...key });
}

/** What an idle season should do next; undefined while it is too early for anything. Pure. */
function nextRest(season: Season, nowMs: number): "doze" | "sleep" | "wait" | undefined {
  const { status, next_run_at: due, dormant_at: dormant, interval_ms: lengthMs, ranking, opens_at } = season;
  if (isEnded(season) || due === null) return undefined;
  if (dormant !== null)
    return status === "open" && nowMs >= dormant.toMillis() + dozeMs ? "sleep" : undefined;
  const idleMs = nowMs - (ranking.published_at ?? opens_at).toMillis();
  if (status === "open" && idleMs >= Math.max(idleMsMin, idleIntervalsMax * lengthMs)) return "doze";
  return nextWait(season, nowMs);
}

function nextWait({ next_run_at: due, interval_ms: lengthMs }: Season, nowMs: number): "wait" | undefined {
  return lengthMs < runAskedAgainMs && due !== null && due.toMillis() <= nowMs ? "wait" : undefined;
}

/**
 * Parks a season whose board has no definition any more, for example because somebody deleted it in the console. A run
 * needs the definition, so no run is requested until the definition is saved again. Changes are still counted. Cost: 2
 * reads, and 1 write if the season is not parked yet.
 */
export async function parkSeason(services: Services, key: SeasonKey): Promise<void> {
  const { db, now, log } = services;
  const parked = await changeSeason(services, key, async (season, transaction) => {
    const definition = await transaction.get(db.doc(leaderboardPath(key.leaderboard)));
    if (definition.exists || season.status === "deleting") return undefined;
    // A run that remembered the definition may have published after the season was parked, and set the next run.
    if (season.parked !== null && season.next_run_at === null) return undefined;
    return { parked: "no_definition", next_run_at: null, dormant_at: Timestamp.fromMillis(now()) };
  });
  const message =
    "a board's definition is gone; its season is not ranked until saveLeaderboard saves it again";
  if (parked !== undefined) log.error(message, { firerank_alert: "season_parked", ...key });
}

/** A season does not doze off before this time without a change, however short its interval is. */
export const idleMsMin = 3_600_000;
