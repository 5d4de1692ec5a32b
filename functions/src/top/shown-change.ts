/** Which changes of a player a top shows. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { PlayerChange } from "../documents/player.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";

/**
 * Whether a change affects what tops show: score, status or time, or only `names`: name or metadata. (Columns are packed
 * into the score.)
 */
export function shownChange({ before, after }: PlayerChange): "change" | "names" | undefined {
  const [old, present] = [shown(before), shown(after)];
  if (isDeepStrictEqual(old, present)) return undefined;
  return isDeepStrictEqual(old?.slice(0, 3), present?.slice(0, 3)) ? "names" : "change";
}

function shown(data: PlayerChange["before"] = {}): unknown[] | undefined {
  const score = scoreIfRanked(data);
  return score === undefined
    ? undefined
    : [score, data["achieved_at"], data["status"], data["display_name"], data["metadata"]];
}
