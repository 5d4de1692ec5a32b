/** Which seasons of a list are shown, and which one represents its board. */
import type { ListedSeason } from "../data/documents.ts";
import { isAdmin } from "../firebase/session.ts";
import { stateOf } from "../season/state.ts";

/** How many seasons a list shows at first, the last opened ones; and how many older ones each request adds. */
export const seasonsMax = 20;

/** False for seasons that are being deleted: for players they are gone already. */
export function isShown({ season }: ListedSeason): boolean {
  return isAdmin.value || season?.status !== "deleting";
}

/** The season that a board's row shows: of those that take scores its first span's or the newest, else the newest. */
export function mainSeason(
  seasons: readonly ListedSeason[],
  spans: readonly string[],
  nowMs: number,
): ListedSeason | undefined {
  const open = seasons.filter(({ season }) => season !== undefined && stateOf(season, nowMs) === "open");
  return open.find(({ season }) => season?.span === spans[0]) ?? open[0] ?? seasons[0];
}
