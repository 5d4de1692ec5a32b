/** Where players stand in the league changes only with a group that is settled, with a merge, an erasure, or a wish. */
import { isDeepStrictEqual } from "node:util";
import {
  type LeagueStanding,
  leagueStandingIn,
  outcomesKept,
} from "../../functions/src/documents/league-standing.ts";
import { seatOwner } from "../../functions/src/documents/group.ts";
import type { Change } from "../memory/store.ts";
import type { GroupChange } from "./league-known.ts";
import { insist } from "./violation.ts";
import type { Work } from "./work.ts";

/** @param settled the groups that the commit settles. @throws a violation */
export function checkStanding(
  { path, before, after }: Change,
  work: Work,
  settled: readonly GroupChange[],
): void {
  const [was, is] = [leagueStandingIn(before), leagueStandingIn(after)];
  if (isDeepStrictEqual(was, is)) return;
  const player = path.slice(path.lastIndexOf("/") + 1);
  insist(
    mayBecome(player, was, is, work, settled),
    () =>
      `league: ${work.kind} makes the standing ${JSON.stringify(was)} of ${player} to ${JSON.stringify(is)}`,
  );
}

function mayBecome(
  player: string,
  was: LeagueStanding,
  is: LeagueStanding,
  work: Work,
  settled: readonly GroupChange[],
): boolean {
  const isOut = Object.values(is).every((value) => value === undefined);
  if (work.kind === "status") return work.asked.player === player && work.asked.status === "removed" && isOut;
  if (work.kind === "merge" && work.asked.from === player) return isOut;
  if (work.kind === "merge")
    return work.asked.to === player && was.tier === undefined && is.has_left === was.has_left;
  const { has_left: hadLeft, ...before } = was;
  const { has_left: hasLeft, ...after } = is;
  if (work.kind === "wish")
    return (
      work.player === player && isDeepStrictEqual(before, after) && (hasLeft === true) !== work.takesPart
    );
  const group = settled.find(({ key, after: { owners } }) => owners.includes(seatOwner(key, player)));
  if (group === undefined || hadLeft !== hasLeft) return false;
  // One outcome more; of more than ten the oldest is gone.
  const [had, has] = [was.outcomes ?? {}, is.outcomes ?? {}];
  const { season } = group.key;
  const kept = Object.keys(had)
    .toSorted()
    .slice(-outcomesKept + 1);
  return (
    had[season] === undefined &&
    Object.keys(has).length <= outcomesKept &&
    kept.every((one) => isDeepStrictEqual(has[one], had[one]))
  );
}
