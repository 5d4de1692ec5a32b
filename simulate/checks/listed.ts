/** Who is listed in a segment, by the players' documents. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { countedIn } from "../../functions/src/documents/mark.ts";
import { playerPath, playersPath, seasonPath } from "../../functions/src/documents/paths.ts";
import type { Entry } from "../../functions/src/model/answers.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { keyIn } from "../board.ts";
import { type Data, timeOf } from "../memory/store.ts";
import type { World } from "../world.ts";
import { markOf, scoreIn } from "./player.ts";
import { insist } from "./violation.ts";

/**
 * Checks who is listed in a segment, by the documents since the question: whoever is listed was in it, and whoever was in
 * it all the time between two who are listed is listed too. @param to whether the list begins at the top, and goes on to the
 * end. @throws a violation
 */
export function checkListed(
  { database, plan }: World,
  { season, segment = "", beganTick }: { season: string; segment: string | undefined; beganTick: number },
  entries: readonly Entry[],
  { fromTop = false, toEnd = false }: { fromTop?: boolean; toEnd?: boolean } = {},
): void {
  const { order } = plan.definition;
  const key = keyIn(season);
  const [first, last] = [entries[0]?.score, entries.at(-1)?.score];
  const told = () => `segments: ${JSON.stringify(entries)} were listed in ${segment} of ${season}`;
  const listed = new Map(entries.map((entry) => [entry.player, entry]));
  const isListedIn = (data: Data | undefined) =>
    data?.["status"] === "active" &&
    data["achieved_at"] instanceof Timestamp &&
    markOf(countedIn(data))?.segments.includes(segment) === true;
  // A closed season lists final scores, whatever a server has written since; the check of finals has them.
  const { status, ended_at: endedAt } = database.store.get(seasonPath(key))?.data ?? {};
  const isFinal = status !== "open";
  /** Whether the final table alone says who the player is, as a server has written the document since. */
  const isOfTable = (player: string) => {
    const found = database.store.get(playerPath(key, player));
    return endedAt instanceof Timestamp && (found === undefined || found.updateTime > endedAt);
  };
  const names = database.store.list(playersPath(key)).map(({ id }) => id);
  for (const player of new Set([...names, ...listed.keys()])) {
    const states = database.store.history(playerPath(key, player), timeOf(beganTick));
    const entry = listed.get(player);
    const [state] = states ?? [];
    const score = scoreIn(state);
    if (entry !== undefined && !(isFinal && isOfTable(player)))
      insist(
        states?.some((data) => isListedIn(data) && (isFinal || scoreIn(data) === entry.score)) ?? true,
        () => `${told()}, and ${player} was not in it`,
      );
    else if (entry === undefined && states?.length === 1 && score !== undefined && isListedIn(state)) {
      const isBehind = fromTop || (first !== undefined && isBetter(order, first, score));
      const isBefore = toEnd || (last !== undefined && isBetter(order, score, last));
      insist(!isBehind || !isBefore, () => `${told()}, and ${player} with ${score} is left out`);
    }
  }
}
