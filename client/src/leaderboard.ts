/** A leaderboard as an app names it: the first argument of every call and every listener. */
import type { FirebaseApp } from "firebase/app";
import type { Firestore } from "firebase/firestore";
import type { Functions } from "firebase/functions";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";

export interface LeaderboardOptions {
  /** Where the functions are deployed; by default `us-central1`. */
  region?: string;
  /**
   * What is in front of the functions' names: the `prefix` of their codebase in firebase.json, `kit-<instance>` of a
   * function kit, or the name of a group. By default nothing.
   */
  prefix?: string | undefined;
  /** A season by its id; by default the current one of `span`. */
  season?: string | undefined;
  /**
   * A span: its current season is meant, and the next one when that has ended. By default the board's first. With
   * `all_time` the functions that read directly from Firestore need not look that up, which is a read an hour.
   */
  span?: string | undefined;
  /** In place of `getFunctions(app, region)`. */
  functions?: Functions;
  /** The database that the functions have as their `DATABASE`, if it is a named one. */
  database?: string | undefined;
  /** In place of `getFirestore(app, database)`. */
  firestore?: Firestore;
}

/**
 * What an app knows of a board, for the compiler: the names of its columns, what its metadata hold, and the values of its
 * segments by their names.
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

/** Field by field, as an `interface` by its name is no record. */
export type MetadataOf<Types extends BoardTypes> = Types extends { metadata: infer Metadata extends object }
  ? { [Name in keyof Metadata]: Metadata[Name] }
  : Record<string, unknown>;

/** Values of segments by their names. */
export type SegmentsOf<Types extends BoardTypes> = Types extends { segments: infer Values extends object }
  ? { [Name in keyof Values]?: Values[Name] | undefined }
  : Record<string, string>;

/** Something of each segment that is asked for. */
export type OfSegments<Types extends BoardTypes, Value> = Types extends {
  segments: infer Values extends object;
}
  ? { [Name in keyof Values]?: Value | undefined }
  : Record<string, Value>;

export type SegmentNameOf<Types extends BoardTypes> = Types extends { segments: infer Values extends object }
  ? keyof Values & string
  : string;

/** One segment with a value, or with `mine`: that of whoever asks. */
export type SegmentOf<Types extends BoardTypes> = Types extends { segments: infer Values extends object }
  ? {
      [Name in keyof Values]: Record<Name, Values[Name] | "mine"> &
        Partial<Record<Exclude<keyof Values, Name>, undefined>>;
    }[keyof Values]
  : Record<string, string>;

/** A leaderboard of an app's project. Creating one sends no request and costs nothing. */
export interface Leaderboard<Types extends BoardTypes = BoardTypes> extends Readonly<LeaderboardOptions> {
  readonly app: FirebaseApp;
  readonly id: string;
  /** Never there: it carries the types. */
  readonly types?: Types | undefined;
}

/**
 * Names a leaderboard.
 * @example const board = leaderboard(app, "chess", { region: "europe-west1" });
 * @example leaderboard<{ columns: "points" | "goals"; metadata: { club: string } }>(app, "league");
 * @example leaderboard<{ segments: { country: "AT" | "DE"; guild: string } }>(app, "arena");
 */
export function leaderboard<Types extends BoardTypes = BoardTypes>(
  app: FirebaseApp,
  id: string,
  options: LeaderboardOptions = {},
): Leaderboard<Types> {
  return { ...options, app, id };
}

/**
 * Names the board among all that an app may use: another region, prefix or database may have a board of the same id.
 */
export function keyOf({ id, region, prefix, database, functions }: Leaderboard): string {
  return [functions?.region ?? region, prefix, database, id].join("/");
}

/** A board with the season to read. */
export type SeasonBoard = Leaderboard & { readonly season: string };

/**
 * The board with its season, if it names that or `all_time`; undefined for another span, as only the functions know its
 * current season, and if it names nothing.
 */
export function withSeason(board: Leaderboard): SeasonBoard | undefined {
  const { season, span } = board;
  if (season !== undefined) return { ...board, season };
  return span === "all_time" ? { ...board, season: span } : undefined;
}

/** The key of the season that the board's documents belong to. */
export function seasonOf({ id, season }: SeasonBoard): SeasonKey {
  return { leaderboard: id, season };
}
