/** Which seasons of a list are shown, and which stands for its board. */
import type { ListedSeason } from "../data/documents.ts";
import { isAdmin } from "../firebase/session.ts";
import { stateOf } from "../season/state.ts";

/** Seasons of a list that are shown at once, those opened last; and older ones that one asks for at once. */
export const seasonsMax = 20;

/** All but those that are being deleted: for players these are gone already. */
export function isShown({ season }: ListedSeason): boolean {
  return isAdmin.value || season?.status !== "deleting";
}

/**
 * The season that a board's row shows: of those that take scores the one of its first span, else the newest; where none
 * does, the newest. Pure.
 */
export function mainSeason(
  seasons: readonly ListedSeason[],
  spans: readonly string[],
  nowMs: number,
): ListedSeason | undefined {
  const open = seasons.filter(({ season }) => season !== undefined && stateOf(season, nowMs) === "open");
  return open.find(({ season }) => season?.span === spans[0]) ?? open[0] ?? seasons[0];
}
