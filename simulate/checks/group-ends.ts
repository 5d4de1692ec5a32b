/** How a private group ends: after the wait, with what its members had by the end, in the places of a plain sort. */
import { isDeepStrictEqual } from "node:util";
import { playerPath } from "../../functions/src/documents/paths.ts";
import { endWaitMs } from "../../functions/src/model/limits.ts";
import { keyIn } from "../board.ts";
import { endOf, type GroupsKnown, type PrivateChange } from "./group-known.ts";
import { placedIn, scoredIn } from "./group-places.ts";
import { pairOf } from "./group-seats.ts";
import type { Life } from "./life.ts";
import type { Setting } from "./setting.ts";
import { insist } from "./violation.ts";

/** @throws a violation */
export function checkEnded(
  groups: GroupsKnown,
  world: Setting & { life: Life; refreshes: readonly { group?: string | undefined }[] },
  { id, before, after }: PrivateChange,
): void {
  const told = () => `groups: ${id} has ended as ${text(after)}, and was ${text(before)}`;
  const { plan, life, now } = world;
  const own = endOf(after);
  const season = life.get(after.season);
  const isTime =
    own === undefined
      ? season?.season.status !== "open"
      : own.toMillis() + endWaitMs <= now() + plan.skewMsMax;
  insist(
    isTime && after.ends_at !== null && after.end_due_at === undefined,
    () => `${told()}, before its time`,
  );
  const placed = placedIn(plan.definition, Object.values(after.seats));
  for (const { seat, place } of placed)
    insist(seat.place === place, () => `${told()}: ${seat.of} is at ${place}`);
  for (const seat of Object.values(after.seats))
    insist(seat.player !== undefined || seat.place === undefined, () => `${told()}: ${seat.of} is hidden`);
  const closesMs = season?.closesMs ?? Infinity;
  for (const [name, seat] of Object.entries(after.seats)) {
    if (seat.player === undefined) continue;
    const was = before?.season === after.season ? pairOf(before.seats[name] ?? {}) : {};
    const path = playerPath(keyIn(after.season), seat.player);
    const found = groups.store.get(path);
    const at = scoredIn(found?.data).achieved_at ?? found?.updateTime;
    const isLate = at !== undefined && (own === undefined ? at.toMillis() > closesMs : at > own);
    const isScored = scoredIn(found?.data).score !== undefined;
    const wanted = isLate && isScored ? was : scoredIn(found?.data);
    // A score that a server deletes after the end stays.
    const isKept = !isScored && isDeepStrictEqual(pairOf(seat), was);
    insist(
      isKept || isDeepStrictEqual(pairOf(seat), wanted),
      () => `${told()}: ${seat.player} had ${text(found?.data)}`,
    );
    // Here a refresh may be late by hours.
    if (world.refreshes.some(({ group }) => group === id)) continue;
    const last = groups.lastBy(id, after.season, seat.player);
    if (own === undefined || last === undefined || !isUndisturbed(plan)) continue;
    if (groups.mayHaveMissed(seat.player, last.atMs)) continue;
    insist(
      isDeepStrictEqual(pairOf(seat), last.scored),
      () => `${told()}: ${seat.player} had ${text(last.scored)} by the end`,
    );
  }
}

/** Whether nobody but players changes scores, and no request fails: only then is the last score in time sure to come in. */
const isUndisturbed = ({ faults, weights }: Setting["plan"]) =>
  [faults.refused, faults.answerLost, weights["write directly"], weights.merge].every((share) => share === 0);

const text = (value: unknown) => JSON.stringify(value);
