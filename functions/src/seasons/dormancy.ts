/**
 * Dormant seasons: a board that nobody plays has no runs, and the first change wakes it.
 *
 * A sleeping season has no `next_run_at`, so the schedule does not find it. The commit that changes a player must wake
 * it. But the functions know the season from memory, up to a minute old, and may believe it awake: their change would
 * wait for the next one. So a season falls asleep in two steps.
 *
 * 1. **Doze.** After 12 intervals without a change, but not before an hour, a run sets `dormant_at`, unless a change is
 *    pending: one of the open slot, which it may not take yet. From then on every commit of a function that has read the
 *    season reads it too, and wakes it. A last look is due ten minutes later.
 * 2. **Sleep.** By then every writer that remembered the season awake has read it again or finished: its memory
 *    lasts a minute and its transaction four and a half. If nothing is pending now, nothing will be without a
 *    wake-up, and `next_run_at` is removed. If something is, the run publishes it and the season is awake.
 *
 * Falling asleep is a transaction on the season's document, and so is the commit that wakes it: whichever is the later
 * one has seen the other, and a sleep that was decided before never undoes a wake-up.
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
 * Whether the commit that changes a season must also read and wake it: if the season, as it is remembered, dozes or
 * sleeps, or if its next run is further away than its interval, as a run that remembered a longer interval may leave
 * it. Pure.
 */
export function mayOversleep(season: Season | undefined, nowMs: number): boolean {
  if (season === undefined) return false;
  const { dormant_at: dormant, next_run_at: due, interval_ms: lengthMs } = season;
  return dormant !== null || (due !== null && due.toMillis() > nowMs + lengthMs + heldOffMsMax);
}

/** The fields that wake a season as read by the commit; undefined if it is awake, has ended or is damaged. Pure. */
export function awakeFields(
  document: Pick<DocumentSnapshot, "data">,
  nowMs: number,
): Pick<Season, "dormant_at" | "parked" | "next_run_at"> | undefined {
  const { data: stored } = storedSeason.safeParse(document.data());
  if (stored === undefined || isEnded(stored) || !mayOversleep(stored, nowMs)) return undefined;
  // By the stored interval: the one in memory may be a minute old, and a day long.
  return { dormant_at: null, parked: null, next_run_at: runAfter(stored, nowMs) };
}

function runAfter({ interval_ms: lengthMs }: Season, nowMs: number): Timestamp {
  return Timestamp.fromMillis(intervalEnd(nowMs, lengthMs));
}

/** How far beyond its interval the next run may lie with good reason: a repair delays it, and clocks differ. */
const heldOffMsMax = 10 * 60_000;

/**
 * Brings back the next run of a season that was published with an interval from memory: it replaced the nearer run of a
 * shorter one that `saveLeaderboard` had just set. A short interval does no such harm.
 * Cost: 1 read after each publication of a board whose interval is longer than ten minutes; 1 write to bring it back.
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
 * Lets a season doze off, or a dozing one sleep, if its time has come and nothing is pending; for runs that found nothing
 * to do. A season that stays awake is due again at the end of its interval if that is shorter than the time after which a
 * run is requested again: its changes must not wait so long.
 * Cost: nothing until then; 1 read and 1 write to be due later; 2 reads and 1 write to doze, and to sleep; where a change
 * is pending 2 reads, and 1 write to be due later.
 * @param shardsFrom where the run looked for changes. One that it never finds is found by the last look, so it may doze.
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
 * needs the definition, so none is requested until it is saved again. Changes are still counted.
 * Cost: 2 reads, and 1 write where the season is not parked yet.
 */
export async function parkSeason(services: Services, key: SeasonKey): Promise<void> {
  const { db, now, log } = services;
  const parked = await changeSeason(services, key, async (season, transaction) => {
    const definition = await transaction.get(db.doc(leaderboardPath(key.leaderboard)));
    if (definition.exists || season.status === "deleting") return undefined;
    // A run that remembered the definition may have published after the parking, and so requested the next one.
    if (season.parked !== null && season.next_run_at === null) return undefined;
    return { parked: "no_definition", next_run_at: null, dormant_at: Timestamp.fromMillis(now()) };
  });
  const message =
    "a board's definition is gone; its season is not ranked until saveLeaderboard saves it again";
  if (parked !== undefined) log.error(message, { firerank_alert: "season_parked", ...key });
}

/** A season does not doze off sooner, however short its interval. */
export const idleMsMin = 3_600_000;
