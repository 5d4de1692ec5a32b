/**
 * What a season keeps of its board's definition, which may be changed or deleted later, and the definition by which a season
 * goes. Pure; devices and the command line use it too.
 */
import { z } from "zod";
import { defined } from "./defined.ts";
import {
  type Definition,
  frozenDifferences,
  frozenFields,
  type Ordering,
  readDefinition,
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

const visible = z.enum(["everybody", "self"]);

/**
 * A field of the document of a definition, `had`: what earlier definitions had, since the first season. Of each segment who
 * said its values, as players' documents keep what was said; and who could see them last, as closed seasons keep the
 * segment. That is missing where a definition was lost by hand, and only seasons say what it had. And for indexes, by which
 * `ties` seasons may have closed, and whether there may be weeks of a league.
 */
export const storedHad = z
  .object({
    segments: z
      .record(z.string(), z.object({ from: z.string(), visible: visible.exactOptional() }))
      .default({}),
    ties: z.array(storedDefinition.shape.ties.unwrap()).default([]),
    league: z.boolean().default(false),
  })
  .catch({ segments: {}, ties: [], league: false });
export type Had = z.infer<typeof storedHad>;

/** What the document of a definition remembers of earlier ones. */
export function readHad(data: Record<string, unknown> | undefined): Had {
  return storedHad.parse(data?.["had"] ?? {});
}

/** The same with a definition that is replaced. */
export function hadWith(known: Had, { segments = [], ties, league }: Definition): Had {
  const each = segments.map(
    ({ name, from, visible: by = "everybody" }) => [name, { from, visible: by }] as const,
  );
  return {
    segments: { ...known.segments, ...Object.fromEntries(each) },
    ties: [...new Set([...known.ties, ties])],
    league: known.league || league !== undefined,
  };
}

/** What the document of a definition says, of what its seasons need. */
export interface SavedDefinition {
  definition: Definition;
  /** Segments that the board once had, each with who could see its values last, if that is known. */
  segmentsGone: readonly { name: string; visible: z.infer<typeof visible> | undefined }[];
}

/** Reads the document of a definition. @throws `unknown_schema_version` for the form of another release; ZodError */
export function readSavedDefinition(data: Record<string, unknown> | undefined): SavedDefinition {
  const definition = readDefinition(data);
  const { segments } = readHad(data);
  const present = new Set(definition.segments?.map(({ name }) => name));
  const gone = Object.entries(segments).filter(([name]) => !present.has(name));
  return {
    definition,
    segmentsGone: gone.map(([name, { visible: by }]) => ({ name, visible: by })),
  };
}

/** What a season's document has of a definition. */
interface Kept {
  ordering?: Ordering | undefined;
  ended_with?: EndSettings | undefined;
}

/**
 * The definition by which a season goes: the board's, with the ordering that the season was opened with, and once it has
 * begun to close with what it ended with. Whatever is saved later, a closed season says what it was at its end. Only who may
 * see a segment's values is as the board says now, or said last; teams go with them, as they tell the values.
 * @returns nearly always the definition itself, which boards in memory then share.
 */
export function definitionOf(
  { definition: board, segmentsGone }: SavedDefinition,
  { ordering, ended_with: end }: Kept = {},
): Definition {
  let definition = board;
  if (ordering !== undefined && frozenDifferences(board, ordering, frozenFields).length > 0) {
    const { columns: _, decimals: _decimals, ...others } = definition;
    definition = { ...others, ...orderingOf(ordering) };
  }
  if (end !== undefined && frozenDifferences(board, end, endFields).length > 0) {
    const { tiers: _, segments: present = [], ...others } = definition;
    const segments = end.segments?.map(({ teams, ...segment }) => {
      const isOfName = ({ name }: { name: string }) => name === segment.name;
      const last = segmentsGone.find(isOfName)?.visible ?? segment.visible;
      const { visible: by } = present.find(isOfName) ?? { visible: last };
      return { ...segment, visible: by, ...(by !== "self" && { teams }) };
    });
    definition = { ...others, ...endSettingsOf({ ...others, ...end, segments }) };
  }
  return definition;
}
