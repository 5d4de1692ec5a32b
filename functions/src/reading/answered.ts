/** How answers name the ranking that they are of. Pure. */
import type { RankingKey } from "../documents/paths.ts";
import { segmentValues } from "../model/segments.ts";

/** The season, and the segment as callers name it. */
export function answered({ leaderboard, season, segment }: RankingKey) {
  return {
    leaderboard,
    season,
    ...(segment === undefined ? {} : { segment: segmentValues([segment]) }),
  };
}
