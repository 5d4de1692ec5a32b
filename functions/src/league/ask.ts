/** What a process asks for: a seat in a player's document, and the tasks that give seats or refresh a group. */
import { LRUCache } from "lru-cache";
import type { Fields } from "../counting/commit-players.ts";
import { type LeagueSeat, leagueSeatIn } from "../documents/group.ts";
import { groupPath, groupsPath, privateGroupPath, type SeasonKey } from "../documents/paths.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { joinsUntilMs } from "../model/league.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { windowEnd } from "../top/pace.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";
import { taskIdOf } from "../world/tasks.ts";

/** How long first scores gather before they get seats. */
const seatsWindowMs = 2_000;

/** Whether a season is a week of its board's league. */
export function isOfLeague({ definition, season }: OpenedBoard): boolean {
  return definition.league?.span === season.span;
}

/** Whether a first score still gets a seat in the season. */
export function isInTime({ definition: { league }, season }: OpenedBoard, nowMs: number): boolean {
  if (league === undefined || season.closes_at === null) return false;
  const times = { opensAtMs: season.opens_at.toMillis(), closesAtMs: season.closes_at.toMillis() };
  // A week of 167 hours may be over before.
  return nowMs < Math.min(joinsUntilMs(league, times), times.closesAtMs);
}

/**
 * The field with which a player's document asks for a seat, where it has to: with a first score that counts, and after a
 * server has replaced the document. Which tier it will be, only seating knows: the week before may not be settled. Pure.
 */
export function seatAsked(board: OpenedBoard, data: Fields, nowMs: number): { league_seat?: LeagueSeat } {
  const known = leagueSeatIn(data) ?? {};
  const isKnown = known.waits === true || known.group !== undefined || known.has_left === true;
  if (!isOfLeague(board) || isKnown || scoreIfRanked(data) === undefined) return {};
  return isInTime(board, nowMs) ? { league_seat: { ...known, waits: true } } : {};
}

/** Seasons and groups of which an instance remembers the task that it requested last: 200 bytes each. */
const askedKeptMax = 1_000;

const askedOf = ({ memory }: Pick<Services, "memory">) => memory(createAskedTasks);

const createAskedTasks = () => new LRUCache<string, number>({ max: askedKeptMax });

/**
 * Requests a task that seats those who wait, at the end of the present window. Cost: 1 call of the queue once for each
 * window and instance.
 */
export async function askForSeats(
  services: Services,
  key: SeasonKey,
  windowMs = seatsWindowMs,
): Promise<void> {
  await ask(services, key, groupsPath(key), { follows: "seats" }, windowEnd(services.now(), windowMs));
}

/** Requests a refresh of a group, at the end of a window. Cost: as {@link askForSeats}. */
export async function askForGroup(services: Services, key: SeasonKey, group: string, windowMs: number) {
  const dueMs = windowEnd(services.now(), windowMs);
  await ask(services, key, groupPath(key, group), { follows: "group", group }, dueMs);
}

/** Requests a refresh of a private group that shows a season, at the end of a window. Cost: as {@link askForSeats}. */
export async function askForPrivateGroup(
  services: Services,
  key: SeasonKey,
  group: string,
  windowMs: number,
) {
  const dueMs = windowEnd(services.now(), windowMs);
  await ask(
    services,
    key,
    privateGroupPath(key.leaderboard, group),
    { follows: "private_group", group },
    dueMs,
  );
}

/** Whether this instance has requested a refresh of a group that is still to come: it will read what was committed before. */
export function isGroupAsked(services: Services, key: SeasonKey, group: string): boolean {
  return (askedOf(services).get(groupPath(key, group)) ?? -Infinity) > services.now();
}

async function ask(
  services: Services,
  key: SeasonKey,
  path: string,
  what: { follows: "seats" } | { follows: "group" | "private_group"; group: string },
  dueMs: number,
): Promise<void> {
  const asked = askedOf(services);
  if (asked.get(path) === dueMs) return;
  const { enqueueTopRefresh, log } = services;
  try {
    const request = { ...key, due_at: new Date(dueMs).toISOString(), ...what };
    await enqueueTopRefresh(request, taskIdOf(path, dueMs));
    asked.set(path, dueMs);
  } catch (error) {
    // The next first score asks again, or the player's own getLeague; a group follows with its next change.
    log.error("a task of a group could not be enqueued", { ...key, ...what, error: describeError(error) });
  }
}
