/**
 * How a board and a season of the form before become those of the present one (model/schema-version.ts). A release reads
 * no form older than that, so it has this one conversion. It is pure, says only what changes, and changes nothing that is
 * converted already.
 *
 * Form 2: every field is there. Until then readers fill in those that were added after a document had been written, and go
 * by the board's present `ties` where standings do not name their own.
 */
import { readSeason } from "../functions/src/documents/season.ts";
import { readDefinition, storedDefinition } from "../functions/src/model/definition.ts";

/** Fields of a document, by the paths that an update takes. */
export type Fields = Record<string, unknown>;

/** A season with the documents that belong to it; those that are not there are undefined. */
export interface StoredSeason {
  definition: Fields | undefined;
  season: Fields;
  /** The record of its closing. */
  closing: Fields | undefined;
  /** The summary of its standings. */
  summary: Fields | undefined;
}

/** What changes; a document that stays as it is has no fields here. */
export type SeasonChange = Record<"season" | "closing" | "summary", Fields>;

/**
 * Whether a document in the place of a definition is of somebody else: it has fields, and none of a definition's. All of
 * these have defaults, so it would pass for a board.
 */
export function isForeign(stored: Fields): boolean {
  const names = Object.keys(stored);
  return (
    names.length > 0 && !names.some((name) => name === "schema_version" || name in storedDefinition.shape)
  );
}

/** What changes in a definition. @throws ZodError for a document that is no definition */
export function convertDefinition(stored: Fields): Fields {
  return { ...missing(readDefinition(stored), stored), schema_version: 2 };
}

/** What changes in a season. @throws ZodError for a document that is no season */
export function convertSeason({ definition, season: stored, closing, summary }: StoredSeason): SeasonChange {
  // A damaged `schema_version` says nothing, and is replaced like a missing one.
  const { ranking, ...season } = readSeason({ ...stored, schema_version: 1 });
  const ofRanking = Object.entries(missing(ranking, (stored["ranking"] ?? {}) as Fields));
  // A damaged definition harms no season that does not need it.
  const ties =
    definition === undefined || summary === undefined ? undefined : readDefinition(definition).ties;
  return {
    season: {
      ...missing(season, stored),
      ...Object.fromEntries(ofRanking.map(([name, value]) => [`ranking.${name}`, value])),
      schema_version: 2,
    },
    closing: closing === undefined ? {} : missing({ disagreements: 0 }, closing),
    summary: summary === undefined || ties === undefined ? {} : missing({ ties }, summary),
  };
}

/** The fields of the whole that the stored document lacks. */
function missing(whole: Fields, stored: Fields): Fields {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !(name in stored)));
}
