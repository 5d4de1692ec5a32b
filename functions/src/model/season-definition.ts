/**
 * What a season keeps of its board's definition, which may be changed or deleted later, and the definition by which a season
 * goes. Pure; devices and the command line use it too.
 */
import { defined } from "./defined.ts";
import {
  type Definition,
  frozenDifferences,
  frozenFields,
  type Ordering,
  storedDefinition,
} from "./definition.ts";

/** The ordering as a season stores it. A season keeps the ordering that it was opened with. */
export const storedOrdering = storedDefinition.pick({
  order: true,
  aggregation: true,
  columns: true,
  decimals: true,
});

/** A definition's ordering. */
export function orderingOf({ order, aggregation, columns, decimals }: Ordering): Ordering {
  return { order, aggregation, ...defined({ columns, decimals }) };
}

/** By what a closed season is shown: who comes first of equals, how long its top is, its tiers, segments and teams. */
type EndSettings = Pick<Definition, (typeof endFields)[number]>;
const endFields = ["ties", "top_size", "tiers", "segments"] as const;

/** The same as a season stores it. A season keeps what the board said when the season began to close. */
export const storedEndSettings = storedDefinition.pick({
  ties: true,
  top_size: true,
  tiers: true,
  segments: true,
});

/** What a season that begins to close keeps of its board's definition. */
export function endSettingsOf({ ties, top_size, tiers, segments }: Definition): EndSettings {
  return { ties, top_size, ...defined({ tiers, segments }) };
}

/** What a season's document has of a definition. */
interface Kept {
  ordering?: Ordering | undefined;
  ended_with?: EndSettings | undefined;
}

/**
 * The definition by which a season goes: the board's, with the ordering that the season was opened with, and once it has
 * begun to close with what it ended with. Whatever is saved later, a closed season says what it was at its end. Only who may
 * see a segment's values is as the board says now.
 * @returns nearly always the definition itself, which boards in memory then share.
 */
export function definitionOf(board: Definition, { ordering, ended_with: end }: Kept = {}): Definition {
  let definition = board;
  if (ordering !== undefined && frozenDifferences(board, ordering, frozenFields).length > 0) {
    const { columns: _, decimals: _decimals, ...others } = definition;
    definition = { ...others, ...orderingOf(ordering) };
  }
  if (end !== undefined && frozenDifferences(board, end, endFields).length > 0) {
    const { tiers: _, segments: present = [], ...others } = definition;
    const segments = end.segments?.map((segment) => {
      const now = present.find(({ name }) => name === segment.name);
      return now === undefined ? segment : { ...segment, visible: now.visible };
    });
    definition = { ...others, ...endSettingsOf({ ...others, ...end, segments }) };
  }
  return definition;
}
