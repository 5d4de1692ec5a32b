/** The definition of a leaderboard, and changes of a definition. */

/**
 * Every field may be left out. `order`, `aggregation`, `columns` and `decimals` are final once there is a score; of a
 * template also `spans`, `time_zone`, `week_starts_on`, `movement` and `segments`.
 */
export interface Definition {
  /** `descending` (the default): the highest score leads. `ascending`: the lowest score leads. */
  order?: "descending" | "ascending" | undefined;
  /** Which of a player's scores counts; by default the `best`. */
  aggregation?: "best" | "latest" | "sum" | undefined;
  /** The parts of a score, the most important first. Each part is a whole number. */
  columns?:
    { name: string; min: number; max: number; order?: "descending" | "ascending" | undefined }[] | undefined;
  /**
   * How many digits after the point each score has, 0 to 9. Scores are rounded to so many digits, and sums and limits are
   * exact. Without `decimals`, sums are rounded to 15 digits. It does not go with `columns`.
   */
  decimals?: number | undefined;
  /**
   * The spans that run side by side, by default `["all_time"]`. A submission counts in the current season of each span.
   * Calls that name neither season nor span use the first span. With `[]` there are only tournaments.
   */
  spans?: ("all_time" | "daily" | "weekly" | "monthly")[] | undefined;
  /**
   * The IANA time zone at whose midnights days, weeks and months begin. By default UTC. A change applies from the next
   * season on.
   */
  time_zone?: string | undefined;
  /** The first day of a week, by default `monday`. A change applies from the next season on. */
  week_starts_on?:
    "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | undefined;
  /**
   * Which of the players with equal scores is listed first: the `first` to reach the score (the default), or the `last`.
   */
  ties?: "first" | "last" | undefined;
  /** How many minutes pass between two publications: by default 5, at least 1; on the emulators any fraction. */
  ranking_interval_minutes?: number | undefined;
  /** Who may read: users who are `signed_in` (the default), or everybody (`public`). */
  visibility?: "signed_in" | "public" | undefined;
  /** How many players the top has, by default 100, at most 1,000. */
  top_size?: number | undefined;
  /**
   * How many seconds changes of the top are collected before one refresh shows them: by default 2, from 1 to 60. The time
   * grows while changes keep coming.
   */
  top_refresh_seconds?: number | undefined;
  /** The lowest score that is accepted. */
  min_score?: number | undefined;
  /** The highest score that is accepted. */
  max_score?: number | undefined;
  /** The most by which one submission may change the stored score. */
  max_change?: number | undefined;
  /** How many seconds have to lie between two submissions of a player. */
  min_seconds_between?: number | undefined;
  /**
   * How many submissions a player has in each season of a span, as in `{ daily: 3 }`; `custom` stands for each tournament.
   */
  max_attempts?:
    | {
        all_time?: number | undefined;
        daily?: number | undefined;
        weekly?: number | undefined;
        monthly?: number | undefined;
        custom?: number | undefined;
      }
    | undefined;
  /**
   * Who submits scores: players themselves (`client`, the default), or only servers and others with a role, who name the
   * player (`server`).
   */
  submit?: "client" | "server" | undefined;
  /** The tiers of ranks, the best first. */
  tiers?: { name: string; top_percent: number }[] | undefined;
  /**
   * The segments, such as country or platform; at most 4. The players of each value have a ranking of their own. `from` says
   * who names a player's value: the app with a score, where the value has to be one of `values`; a custom claim of the
   * segment's name in the player's token; or your server, by `submitScores` or in the player's document. `from` is final.
   */
  segments?:
    | {
        name: string;
        from: "submission" | "claim" | "server";
        values?: string[] | undefined;
        /**
         * Who sees a player's value: `everybody` who may read the board (the default), or the player and moderators
         * (`self`).
         */
        visible?: "everybody" | "self" | undefined;
        /**
         * Ranks the values as teams, by the sum of their players' scores, the mean, or the sum of the `best` so many. A
         * team with fewer players than `min_players` is not ranked. It does not go with `columns` or `visible: "self"`.
         */
        teams?:
          | {
              by: "sum" | "mean" | "best";
              best?: number | undefined;
              min_players?: number | undefined;
            }
          | undefined;
      }[]
    | undefined;
  /** Whether rankings of midnights are kept, for `since` in requests and for `getHistory`; by default not. */
  movement?: boolean | undefined;
  /** How many closed seasons of each span are kept; by default all. */
  keep_seasons?: number | undefined;
  /**
   * Makes this the definition of many boards: a template `level` has the boards `level:7`, `level:8`, each of which its
   * first score opens. `ids` says which names there are: `any`, or those of the documents in a collection of your own.
   * `any` is for boards with `submit: "server"`, or where App Check is enforced; then players open at most
   * `new_boards_per_day`, by default 1,000.
   */
  template?: { ids: "any" | { collection: string }; new_boards_per_day?: number | undefined } | undefined;
  /**
   * The weekly league: players in groups of `size`, from 5 to 100, on a ladder of tiers, the lowest first. At the end of a week
   * the best `promote` of a full group go up, and the last `demote` go down; of a smaller one as large a share. It needs the
   * span `weekly`, and is not for templates.
   */
  league?:
    | {
        span: "weekly";
        size: number;
        /** In a group of fewer members nobody moves; by default 5. */
        min_size?: number | undefined;
        tiers: {
          id: string;
          name: string;
          promote?: number | undefined;
          demote?: number | undefined;
        }[];
        /** How many hours after the beginning of a week a first score still gets a seat; by default half the week. */
        joins_until_hours?: number | undefined;
        /** What becomes of those who are away: one tier down for each `weeks`, not below `floor`; by default they keep theirs. */
        inactive?: { weeks: number; then: "keep" | "demote"; floor?: string | undefined } | undefined;
      }
    | undefined;
  /**
   * Whether players make private groups on the board, of friends, a class or an office; by default not. It is not for
   * templates.
   */
  private_groups?: boolean | undefined;
  /** Which events the board writes for the owner's triggers, in `events/{id}` below it; by default all. */
  events?:
    | (
        | "season_opened"
        | "season_closing"
        | "season_closed"
        | "season_revised"
        | "top_entered"
        | "lead_changed"
        | "league_settled"
        | "group_ended"
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
  | "keep_seasons"
  | "template"
  | "league";

/**
 * The fields to change. A field that is not named stays as it is. `null` takes out a field without a default. A plain number
 * as `max_attempts` is for the first span, and for each tournament.
 */
export type DefinitionChanges = Omit<Definition, Removable> & {
  [Name in Removable]?: Definition[Name] | (Name extends "max_attempts" ? number : never) | null;
};
