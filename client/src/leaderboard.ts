/** A leaderboard as an app names it: the first argument of every call and every watcher. */
import type { FirebaseApp } from "firebase/app";
import type { Firestore } from "firebase/firestore";
import type { Functions } from "firebase/functions";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";
import { invalidField, requireText } from "./firerank-error.ts";

export interface LeaderboardOptions {
  /** Where the functions are deployed; by default `us-central1`. */
  region?: string | undefined;
  /**
   * What the names of the functions begin with: the `prefix` of their codebase in firebase.json, `kit-<instance>` of a
   * function kit, or the name of a group. By default nothing.
   */
  prefix?: string | undefined;
  /** A season by its id; by default the current season of `span`. */
  season?: string | undefined;
  /**
   * A span. It stands for the current season of the span, and after the end of that season for the next season. By default
   * the board's first span. If an app names `all_time`, `watchRank`, `watchTop` and `rankOf` need not look the first span up,
   * which saves a read an hour.
   */
  span?: string | undefined;
  /** In place of `getFunctions(app, region)`. */
  functions?: Functions | undefined;
  /** The id of a named database: the same as the functions' parameter `DATABASE`. */
  database?: string | undefined;
  /** In place of `getFirestore(app, database)`. */
  firestore?: Firestore | undefined;
}

/**
 * What an app tells the compiler about a board: the names of its columns, the fields of its metadata, and by the name of each
 * segment the values.
 */
export interface BoardTypes {
  columns?: string;
  metadata?: object;
  segments?: object;
}

export type ColumnsOf<Types extends BoardTypes> = Record<
  Types extends { columns: infer Name extends string } ? Name : string,
  number
>;

/** The fields of metadata. They are mapped one by one, as TypeScript takes no `interface` for a record. */
export type MetadataOf<Types extends BoardTypes> = Types extends { metadata: infer Metadata extends object }
  ? { [Name in keyof Metadata]: Metadata[Name] }
  : Record<string, unknown>;

/** By the name of each segment, a value. */
export type SegmentsOf<Types extends BoardTypes> = Types extends { segments: infer Values extends object }
  ? { [Name in keyof Values]?: Values[Name] | undefined }
  : Record<string, string>;

/** By the name of each segment that was asked for, something about the segment. */
export type OfSegments<Types extends BoardTypes, Value> = Types extends {
  segments: infer Values extends object;
}
  ? { [Name in keyof Values]?: Value | undefined }
  : Record<string, Value>;

export type SegmentNameOf<Types extends BoardTypes> = Types extends { segments: infer Values extends object }
  ? keyof Values & string
  : string;

/** One segment with a value, or with `mine`, which stands for the caller's own value. */
export type SegmentOf<Types extends BoardTypes> = Types extends { segments: infer Values extends object }
  ? {
      [Name in keyof Values]: Record<Name, Values[Name] | "mine"> &
        Partial<Record<Exclude<keyof Values, Name>, undefined>>;
    }[keyof Values]
  : Record<string, string>;

/** A leaderboard of an app's project. */
export interface Leaderboard<Types extends BoardTypes = BoardTypes> extends Readonly<LeaderboardOptions> {
  readonly app: FirebaseApp;
  readonly id: string;
  /** Only for the compiler, which finds the types here. The field is never set. */
  readonly types?: Types | undefined;
}

/**
 * Names a leaderboard. This sends no request and costs nothing.
 * @throws `invalid_request` about an id that is no text, and about an option that it does not have: calls would go
 * elsewhere, as to the default region
 * @example const board = leaderboard(app, "chess", { region: "europe-west1" });
 * @example leaderboard<{ columns: "points" | "goals"; metadata: { club: string } }>(app, "league");
 * @example leaderboard<{ segments: { country: "AT" | "DE"; guild: string } }>(app, "arena");
 */
export function leaderboard<Types extends BoardTypes = BoardTypes>(
  app: FirebaseApp,
  id: string,
  options: LeaderboardOptions = {},
): Leaderboard<Types> {
  requireText("leaderboard", id);
  // Not `checkOptions`, whose list of names would make the smallest app larger than it may be.
  for (const name in options)
    if (!/^(season|span|functions|firestore|region|prefix|database)$/.test(name))
      throw invalidField(name, "is not an option");
  return { ...options, app, id };
}

/**
 * A text that tells a board from all others of an app: another region, prefix or database may have a board of the same id.
 */
export function keyOf({ id, region, prefix, database, functions }: Leaderboard): string {
  return [functions?.region ?? region, prefix, database, id].join("/");
}

/** A board with the season to read. */
export type SeasonBoard = Leaderboard & { readonly season: string };

/**
 * The board with its season, if the board names a season or the span `all_time`. Undefined if it names another span, as only
 * the functions know the current season of a span, and if it names neither.
 * @throws `invalid_request` if it names both
 */
export function withSeason(board: Leaderboard): SeasonBoard | undefined {
  const { season, span } = board;
  if (season !== undefined) {
    if (span !== undefined) throw invalidField("span", "name season or span, not both");
    return { ...board, season };
  }
  return span === "all_time" ? { ...board, season: span } : undefined;
}

/** The key of the season that the board names. */
export function seasonOf({ id, season }: SeasonBoard): SeasonKey {
  return { leaderboard: id, season };
}
