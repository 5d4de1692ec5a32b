/** A leaderboard as an app names it: what every call and every listener begins with. */
import type { FirebaseApp } from "firebase/app";
import type { Firestore } from "firebase/firestore";
import type { Functions } from "firebase/functions";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";

export interface LeaderboardOptions {
  /** Where the functions are deployed; by default `us-central1`. */
  region?: string;
  /** A season by its id; by default the current one of `span`. */
  season?: string | undefined;
  /**
   * A span whose present season is meant, and the next one when that has ended. By default the board's first; for what
   * reads straight from Firestore, `all_time`.
   */
  span?: string | undefined;
  /** In place of `getFunctions(app, region)`. */
  functions?: Functions;
  /** In place of `getFirestore(app)`: for a database with a name of its own. */
  firestore?: Firestore;
}

/** A leaderboard of an app's project. Making one asks nobody anything and costs nothing. */
export interface Leaderboard extends Readonly<LeaderboardOptions> {
  readonly app: FirebaseApp;
  readonly id: string;
}

/**
 * Names a leaderboard.
 * @example const board = leaderboard(app, "chess", { region: "europe-west1" });
 */
export function leaderboard(app: FirebaseApp, id: string, options: LeaderboardOptions = {}): Leaderboard {
  return { ...options, app, id };
}

/** A board with the season whose documents are meant. */
export type SeasonBoard = Leaderboard & { readonly season: string };

/** The board with its season, if it names one; `all_time` where it names nothing. Nothing for a span, whose present season only the functions know. */
export function withSeason(board: Leaderboard): SeasonBoard | undefined {
  const { season, span = "all_time" } = board;
  if (season !== undefined) return { ...board, season };
  return span === "all_time" ? { ...board, season: span } : undefined;
}

/** What the board's documents lie below. */
export function seasonOf({ id, season }: SeasonBoard): SeasonKey {
  return { leaderboard: id, season };
}
