/** How answers name the ranking that they are of. Pure. */
import type { RankingKey } from "../documents/paths.ts";
import { segmentValues } from "../model/segments.ts";

export function answered({ leaderboard, season, segment }: RankingKey) {
  return {
    leaderboard,
    season,
    ...(segment === undefined ? {} : { segment: segmentValues([segment]) }),
  };
}
