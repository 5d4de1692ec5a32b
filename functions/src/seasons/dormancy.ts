/**
 * Dormant seasons: a board that nobody plays costs nothing, and the first change wakes it.
 *
 * A sleeping season has no `next_run_at`, so the schedule does not find it. The function that indexes a change must
 * wake it first. But the functions know the season from memory, up to a minute old, and may believe it awake: their
 * change would wait for the next one. So a season falls asleep in two steps.
 *
 * 1. **Doze.** After 12 intervals without a change, but not before an hour, a run sets `dormant_at`. From then on a
 *    function that reads the season wakes it before indexing anything. A last look is due ten minutes later.
 * 2. **Sleep.** By then every writer that remembered the season awake has read it again or finished: its memory
 *    lasts a minute and its transaction four and a half. If nothing is pending now, nothing will be without a
 *    wake-up, and `next_run_at` is removed. If something is, the run publishes it and the season is awake.
 *
 * With the source `count` there are no shards: a run whose counts are the published ones has found no change.
 * Players change before any function hears of it, so waking comes after the change. If the dozing season's last run
 * counted a change, it publishes it. A change after that run is handled by a function that knows the season dozes,
 * as it has for ten minutes.
 *
 * Waking comes before indexing, not after: a writer that dies in between has woken a season for nothing, instead of
 * leaving a change that no run looks for. Falling asleep is a transaction on the season's document, and waking is a
 * write to it, so the later one of the two stands: a sleep that was decided before never undoes a wake-up.
 */
import { Timestamp } from "../documents/firestore.ts";
import { leaderboardPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { allShards } from "../documents/queries.ts";
import { type Season, readSeason } from "../documents/season.ts";
import { dozeMs, heldOffMsMax, idleIntervalsMax, idleMsMin, runAskedAgainMs } from "../model/limits.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import { isEnded } from "./open-now.ts";
import { isOvertaken } from "../world/retryable.ts";
import { tryAgain } from "../world/try-again.ts";
import type { SeasonServices } from "./board.ts";
import type { Board } from "./board.ts";

/**
 * Wakes a season that is dozing or asleep, before something is indexed in it. It also wakes one that is awake with its
 * next run further away than its interval, as a run that remembered a longer interval may leave it.
 * Cost: 1 read, 1 write if it still needs that, and 2 reads for the board, once for each instance of the functions that
 * finds it so; nothing while it is awake.
 */
export async function wakeSeason(services: SeasonServices, { key, season }: Board): Promise<void> {
  if (season === undefined || !oversleeps(season, services.now())) return;
  await wakeStored(services, key);
  // Forgotten instead of kept with the new fields: the definition beside them may be a minute old and would count as
  // new.
  services.boards.forget(key.leaderboard);
}

/**
 * Brings back the next run of a season that was published with an interval from memory: a shorter one may have been
 * saved less than a minute before, and `saveLeaderboard` set a nearer run, which the publication replaced. Without a
 * further change nobody else would notice. A short interval does no such harm.
 * Cost: 1 read after each publication of a board whose interval is longer than ten minutes; as {@link wakeSeason} if the
 * run has to be brought back.
 */
export async function keepInterval(services: SeasonServices, { key, definition }: Board): Promise<void> {
  if (intervalMs(definition.ranking_interval_minutes) <= heldOffMsMax) return;
  if (await wakeStored(services, key)) services.boards.forget(key.leaderboard);
}

/** Wakes a season if what is stored says that it oversleeps. Returns whether it did. */
async function wakeStored(services: SeasonServices, key: SeasonKey): Promise<boolean> {
  const { db, now, log } = services;
  const ref = db.doc(seasonPath(key));
  // Without a transaction: its locks would make requests that find the season asleep wait for each other.
  const wake = async () => {
    const document = await ref.get();
    const { updateTime: lastUpdateTime } = document;
    if (lastUpdateTime === undefined) return false;
    const stored = readSeason(document.data());
    if (!oversleeps(stored, now())) return false;
    // By the stored interval: the one in memory may be a minute old, and a day long.
    const dueAt = Timestamp.fromMillis(intervalEnd(now(), stored.interval_ms));
    const awake = { dormant_at: null, parked: null, next_run_at: dueAt };
    await ref.update(awake, { lastUpdateTime });
    if (stored.dormant_at !== null) log.info("woke a dormant season", { ...key });
    else log.info("brought a season's next run back within its interval", { ...key });
    return true;
  };
  return tryAgain(services, wake, { mayPass: isOvertaken });
}

/** Whether no run will rank a season in time unless it is woken. Pure. */
function oversleeps(
  { dormant_at: dormant, next_run_at: due, interval_ms: intervalMs }: Season,
  nowMs: number,
) {
  return dormant !== null || (due !== null && due.toMillis() > nowMs + intervalMs + heldOffMsMax);
}

/**
 * Lets a season doze off, or a dozing one sleep, if its time has come; for runs that found nothing to do. A season of
 * the source `count` that stays awake is due again at the end of the interval and not at once, as its runs are
 * expensive. So is a season whose interval is shorter than the time after which a run is requested again: its changes
 * must not wait so long.
 * Cost: nothing until then; 1 read and 1 write to doze, to be due later, and with the source `count` to sleep;
 * otherwise 2 reads and 1 write to sleep.
 */
export async function restSeason(
  services: SeasonServices,
  { key, season, definition }: Board,
): Promise<void> {
  const { db, now, boards, log } = services;
  if (season !== undefined && isEnded(season)) return endRuns(services, key);
  const isCounted = definition.source === "count";
  const nextOf = (stored: Season) =>
    nextRest(stored, now()) ??
    (isCounted || stored.interval_ms < runAskedAgainMs ? nextWait(stored, now()) : undefined);
  if (season === undefined || nextOf(season) === undefined) return;
  const ref = db.doc(seasonPath(key));
  const rest = await db.runTransaction(async (transaction) => {
    const document = await transaction.get(ref);
    if (!document.exists) return undefined;
    const stored = readSeason(document.data());
    const next = nextOf(stored);
    if (next === undefined) return undefined;
    // Shards of a counted season are left over from a time with an index: nothing waits for them.
    if (next === "sleep" && !isCounted && !(await transaction.get(allShards(db, key).limit(1))).empty)
      return undefined;
    if (next === "sleep") transaction.update(ref, { next_run_at: null });
    else if (next === "doze") transaction.update(ref, dozing(now()));
    else
      transaction.update(ref, { next_run_at: Timestamp.fromMillis(intervalEnd(now(), stored.interval_ms)) });
    return next;
  });
  boards.forget(key.leaderboard);
  if (rest === "doze" || rest === "sleep") log.info(`a season without changes began to ${rest}`, { ...key });
}

/**
 * Makes sure that no run of an ended season is requested any more: a run that remembered it open may have set the next.
 * Cost: 1 read, and 1 write where one was set.
 */
async function endRuns({ db, boards }: SeasonServices, key: SeasonKey): Promise<void> {
  const ref = db.doc(seasonPath(key));
  await db.runTransaction(async (transaction) => {
    const document = await transaction.get(ref);
    if (!document.exists) return;
    const stored = readSeason(document.data());
    if (isEnded(stored) && stored.next_run_at !== null) transaction.update(ref, { next_run_at: null });
  });
  boards.forget(key.leaderboard);
}

/** Whether an awake season's next run is due although one has just found nothing to do; also while it closes. Pure. */
function nextWait(season: Season, nowMs: number): "wait" | undefined {
  const { next_run_at: due, dormant_at: dormant } = season;
  return !isEnded(season) && dormant === null && due !== null && due.toMillis() <= nowMs ? "wait" : undefined;
}

/**
 * Parks a season whose board has no definition any more, for example because somebody deleted it in the console. A run
 * needs the definition, so none is requested until it is saved again. Changes are still indexed.
 * Cost: 2 reads, and 1 write where the season is not parked yet.
 */
export async function parkSeason({ db, now, boards, log }: SeasonServices, key: SeasonKey): Promise<void> {
  const ref = db.doc(seasonPath(key));
  const isParked = await db.runTransaction(async (transaction) => {
    const [definition, season] = await transaction.getAll(db.doc(leaderboardPath(key.leaderboard)), ref);
    if (definition?.exists === true || season?.exists !== true) return false;
    // A run that remembered the definition may have published after the parking, and so requested the next one.
    if (season.get("parked") != null && season.get("next_run_at") === null) return false;
    const dormantAt = Timestamp.fromMillis(now());
    transaction.update(ref, { parked: "no_definition", next_run_at: null, dormant_at: dormantAt });
    return true;
  });
  boards.forget(key.leaderboard);
  if (isParked)
    log.error("a board's definition is gone; its season is not ranked until saveLeaderboard saves it again", {
      ...key,
    });
}

/** What an idle season should do next; undefined while it is too early for anything. Pure. */
export function nextRest(season: Season, nowMs: number): "doze" | "sleep" | undefined {
  if (season.status !== "open" || season.next_run_at === null) return undefined;
  if (season.dormant_at !== null) {
    return nowMs >= season.dormant_at.toMillis() + dozeMs ? "sleep" : undefined;
  }
  const changedMs = (season.ranking.published_at ?? season.opens_at).toMillis();
  const idleMs = Math.max(idleMsMin, idleIntervalsMax * season.interval_ms);
  return nowMs >= changedMs + idleMs ? "doze" : undefined;
}

function dozing(nowMs: number): Pick<Season, "dormant_at" | "next_run_at"> {
  return { dormant_at: Timestamp.fromMillis(nowMs), next_run_at: Timestamp.fromMillis(nowMs + dozeMs) };
}
