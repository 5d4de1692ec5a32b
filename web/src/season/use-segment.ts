/** The segment in the address of the page, and addresses that keep it. */
import { useLocation } from "preact-iso";
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
