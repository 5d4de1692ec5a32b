/** Which seasons of a board are shown, and in which order. Pure. */
import type { Definition } from "../../../functions/src/model/definition.ts";
import type { ListedSeason } from "../data/documents.ts";
import { stateOf } from "../season/state.ts";

/**
 * The open seasons of a board as menus and pages pin them: those of its spans, in the definition's order; tournaments,
 * those that close first; and seasons to come, those that open first.
 */
export function pinned(
  open: readonly ListedSeason[],
  spans: Definition["spans"],
  nowMs: number,
): ListedSeason[] {
  const placeOf = ({ season }: ListedSeason): [group: number, ms: number] => {
    if (season === undefined) return [spans.length + 2, 0];
    if (stateOf(season, nowMs) === "coming") return [spans.length + 1, season.opens_at.toMillis()];
    const span = spans.findIndex((one) => one === season.span);
    return [span < 0 ? spans.length : span, season.closes_at?.toMillis() ?? Infinity];
  };
  return open.toSorted((one, other) => {
    const [[group, ms], [otherGroup, otherMs]] = [placeOf(one), placeOf(other)];
    if (group !== otherGroup) return group - otherGroup;
    return ms === otherMs ? one.id.localeCompare(other.id) : ms - otherMs;
  });
}
