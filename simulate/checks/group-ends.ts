/** How a private group ends: after the wait, with what its members had by the end, in the places of a plain sort. */
import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { playerPath } from "../../functions/src/documents/paths.ts";
import { endWaitMs } from "../../functions/src/model/limits.ts";
import { keyIn } from "../board.ts";
import type { Data } from "../memory/store.ts";
import { endOf, type GroupsKnown, type PrivateChange } from "./group-known.ts";
import { placedIn, scoredIn } from "./group-places.ts";
import { pairOf } from "./group-seats.ts";
import type { Life } from "./life.ts";
import type { Setting } from "./setting.ts";
import { insist } from "./violation.ts";

/** @throws a violation */
export function checkEnded(
  groups: GroupsKnown,
  world: Setting & { life: Life },
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
    insist(
      isDeepStrictEqual(pairOf(seat), wanted),
      () => `${told()}: ${seat.player} had ${text(found?.data)}`,
    );
    const sinceMs = season?.opensMs ?? -Infinity;
    if (own === undefined || plan.faults.answerLost > 0 || groups.mayHaveMissed(seat.player, sinceMs))
      continue;
    const last = lastBy(groups.store.history(path, own), own);
    insist(
      last === undefined || isDeepStrictEqual(pairOf(seat), scoredIn(last)),
      () => `${told()}: ${seat.player} had ${text(last)} by the end`,
    );
  }
}

/** The last version of a document whose score was achieved by a time, if there is one. */
const lastBy = (versions: readonly (Data | undefined)[] | undefined, ends: Timestamp) =>
  versions?.findLast((data) => {
    const { achieved_at: at } = scoredIn(data);
    return at !== undefined && at <= ends;
  });

const text = (value: unknown) => JSON.stringify(value);
