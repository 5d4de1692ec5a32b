/**
 * A private group goes from season to season by the calendar that is stored when it goes, whatever instances remember. It goes
 * back only while nobody in it has a score: until the board's first score another calendar applies at once.
 */
import { leaderboardPath } from "../../functions/src/documents/paths.ts";
import { transactionMsMax } from "../../functions/src/model/limits.ts";
import { spanOfId } from "../../functions/src/model/season-id.ts";
import { storedRunningSeasons } from "../../functions/src/documents/season.ts";
import { storedDefinition } from "../../functions/src/model/definition.ts";
import { spanSeasonAt } from "../../functions/src/seasons/span-season.ts";
import { leaderboard } from "../board.ts";
import { endOf, type GroupsKnown, isCup, type PrivateChange } from "./group-known.ts";
import type { Setting } from "./setting.ts";
import { insist } from "./violation.ts";

/** @throws a violation */
export function checkSeason(
  { store }: Pick<GroupsKnown, "store">,
  world: Setting,
  { id, before, after }: PrivateChange,
): void {
  const [was, is] = [before?.season ?? after.season, after.season];
  insist(isCup(was) === isCup(is), () => `groups: ${id} was in ${was} and is in ${is}`);
  if (was === is) return;
  const possible = seasonsNow({ store }, world, after);
  insist(
    possible.includes(is),
    () => `groups: ${id} goes from ${was} to ${is}, and the calendar has ${possible.join()}`,
  );
  const scored = Object.values(before?.seats ?? {}).filter(({ score }) => score !== undefined);
  insist(
    is > was || scored.length === 0,
    () => `groups: ${id} goes back from ${was} to ${is}, where ${scored.length} members have scores`,
  );
}

/** The seasons that a group may show now, as far as instances' clocks and transactions leave that certain. */
function seasonsNow(
  { store }: Pick<GroupsKnown, "store">,
  { now, plan }: Setting,
  group: PrivateChange["after"],
): string[] {
  const stored = store.get(leaderboardPath(leaderboard));
  if (stored === undefined) return [];
  const definition = storedDefinition.parse(stored.data);
  const calendars = { definition, running: storedRunningSeasons.parse(stored.data["running_seasons"]) };
  const span = spanOfId(group.season);
  if (span === "custom" || !definition.spans.includes(span)) return [];
  const lastMs = (endOf(group)?.toMillis() ?? Infinity) - 1;
  return [now() - transactionMsMax - plan.skewMsMax, now() + plan.skewMsMax].map(
    (ms) => spanSeasonAt(leaderboard, calendars, span, Math.min(ms, lastMs)).key.season,
  );
}
