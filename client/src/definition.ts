/** The definition of a leaderboard, and changes of it. */

/** All fields may be left out. `order`, `aggregation`, `columns` and `decimals` are final once there is a score. */
export interface Definition {
  /** `descending` (the default) where the highest score leads, `ascending` where the lowest does. */
  order?: "descending" | "ascending" | undefined;
  /** Which of a player's scores counts; by default the `best`. */
  aggregation?: "best" | "latest" | "sum" | undefined;
  /** The parts of a score, the most important first; integers. */
  columns?:
    { name: string; min: number; max: number; order?: "descending" | "ascending" | undefined }[] | undefined;
  /**
   * Digits after the point of each score, 0 to 9: scores are rounded to them, and sums and limits are exact. Without it,
   * sums are rounded to 15 digits. Not beside `columns`.
   */
  decimals?: number | undefined;
  /**
   * The spans that run side by side, by default `["all_time"]`: a submission counts in the current season of each.
   * Calls that name no season use the first. With `[]` there are only the seasons that an admin opens.
   */
  spans?: ("all_time" | "daily" | "weekly" | "monthly")[] | undefined;
  /**
   * An IANA time zone: days, weeks and months begin at its midnights. By default UTC. A change applies from the next
   * season on.
   */
  time_zone?: string | undefined;
  /** By default `monday`. A change applies from the next season on. */
  week_starts_on?:
    "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | undefined;
  /** Who is listed first among equals: the `first` to reach the score (the default), or the `last`. */
  ties?: "first" | "last" | undefined;
  /** By default 5, at least 1; on the emulators any fraction. */
  ranking_interval_minutes?: number | undefined;
  /** Who may read; by default those who are `signed_in`. */
  visibility?: "signed_in" | "public" | undefined;
  /** Players in the top, by default 100, at most 1,000. */
  top_size?: number | undefined;
  /**
   * How long changes of the top are collected before one refresh shows them: by default 2, from 1 to 60. It grows while
   * changes keep coming.
   */
  top_refresh_seconds?: number | undefined;
  min_score?: number | undefined;
  max_score?: number | undefined;
  /** How far one submission may move a score. */
  max_change?: number | undefined;
  min_seconds_between?: number | undefined;
  /** Most submissions of a player in each season of a span, as in `{ daily: 3 }`; `custom` is each tournament. */
  max_attempts?:
    | {
        all_time?: number | undefined;
        daily?: number | undefined;
        weekly?: number | undefined;
        monthly?: number | undefined;
        custom?: number | undefined;
      }
    | undefined;
  /** `server` refuses scores from players' devices. */
  submit?: "client" | "server" | undefined;
  /** The best first. */
  tiers?: { name: string; top_percent: number }[] | undefined;
  /**
   * Parts of the players that have rankings of their own, such as countries; at most 4. `from` says who says a player's
   * value: the app with a score, which has to be one of `values`; a custom claim of this name in the player's token; or
   * your server, by `submitScores` or in the player's document. It is final.
   */
  segments?:
    | {
        name: string;
        from: "submission" | "claim" | "server";
        values?: string[] | undefined;
        /** Whoever may read the board sees a player's value, by default; or the player alone, and moderators. */
        visible?: "everybody" | "self" | undefined;
      }[]
    | undefined;
  /** Whether ranks say how far they have moved since midnight: `since` of the calls, and `getHistory`; by default not. */
  movement?: boolean | undefined;
  /** How many closed seasons of each span stay; by default all. */
  keep_seasons?: number | undefined;
  /** Which events the board writes for the owner's triggers, in `events/{id}` below it; by default all. */
  events?:
    | (
        | "season_opened"
        | "season_closing"
        | "season_closed"
        | "season_revised"
        | "top_entered"
        | "lead_changed"
      )[]
    | undefined;
}

type Removable =
  | "columns"
  | "decimals"
  | "min_score"
  | "max_score"
  | "max_change"
  | "min_seconds_between"
  | "max_attempts"
  | "tiers"
  | "segments"
  | "keep_seasons";

/**
 * The fields to change; what is not named stays as it is. `null` takes a field out that a board may be without. A plain
 * number as `max_attempts` is for the first span, and for each tournament.
 */
export type DefinitionChanges = Omit<Definition, Removable> & {
  [Name in Removable]?: Definition[Name] | (Name extends "max_attempts" ? number : never) | null;
};
