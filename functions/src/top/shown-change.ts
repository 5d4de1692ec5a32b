/** Which changes of a player a top shows. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { PlayerChange } from "../documents/player.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";

/** Whether a change affects what tops show: score, status, name, metadata, time. (Columns are packed into the score.) */
export function changesWhatIsShown({ before, after }: PlayerChange): boolean {
  return !isDeepStrictEqual(shown(before), shown(after));
}

/** Whether a change affects only the name or metadata. */
export function changesNamesOnly({ before, after }: PlayerChange): boolean {
  const inOrder = (data: PlayerChange["before"]) => shown(data)?.slice(0, 3);
  return isDeepStrictEqual(inOrder(before), inOrder(after));
}

function shown(data: PlayerChange["before"]): unknown[] | undefined {
  const score = scoreIfRanked(data);
  return score === undefined
    ? undefined
    : [score, data?.["achieved_at"], data?.["status"], data?.["display_name"], data?.["metadata"]];
}
