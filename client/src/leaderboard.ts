/** A leaderboard as an app names it: what every call and every listener begins with. */
import type { FirebaseApp } from "firebase/app";
import type { Firestore } from "firebase/firestore";
import type { Functions } from "firebase/functions";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";
import { FirerankError } from "./firerank-error.ts";

export interface LeaderboardOptions {
  /** Where the functions are deployed; by default `us-central1`. */
  region?: string;
  /** A season by its id; by default the current one of `span`. */
  season?: string;
  /** A span whose current season is meant; by default the board's first. Listeners take `all_time`, or a `season`. */
  span?: string;
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

/**
 * The season whose documents are meant.
 * @throws `season_not_found` for a span whose present season only the functions know
 */
export function seasonOf(board: Leaderboard): SeasonKey {
  const { id, season, span = "all_time" } = board;
  if (season === undefined && span !== "all_time") {
    const message = `Listeners need the season of "${span}" by its id, such as an answer of getTop tells.`;
    throw new FirerankError("season_not_found", message);
  }
  return { leaderboard: id, season: season ?? span };
}
