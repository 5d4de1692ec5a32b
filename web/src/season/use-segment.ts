/** The segment in the address of the page, and addresses that keep it. */
import { useLocation } from "preact-iso";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { addressOf, segmentIn, type Shown } from "./segment.ts";

/** As in `country=AT`; undefined for all players. */
export function useSegment(): string | undefined {
  return segmentIn(useLocation().query);
}

/** Makes addresses of the same segment. @param at another page than this one. */
export function useAddress(at?: string): (shown?: Shown) => string {
  const { path } = useLocation();
  const segment = useSegment();
  return (shown = {}) => addressOf(at ?? path, { segment, ...shown });
}

/** Makes the address that shows a player of the season, or none: in the list of all players at the same place of it. */
export function usePlayerAddress({ leaderboard, season }: SeasonKey): (player?: string) => string {
  const { path, query } = useLocation();
  const base = `/boards/${leaderboard}/${season}`;
  const isList = path === `${base}/players`;
  const address = useAddress(isList ? path : base);
  const { place, score, after } = isList ? query : {};
  const kept = {
    ...(score !== undefined && { score }),
    ...(place !== undefined && { place: Number(place) }),
    ...(after !== undefined && { after }),
  };
  return (player) => address({ ...kept, ...(player !== undefined && { player }) });
}
