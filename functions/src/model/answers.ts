/**
 * The answers of the calls for players. Types, OpenAPI and tests come from these schemas; a `description` says what
 * each field is.
 */
import { z } from "zod";
import { storedDefinition } from "./definition.ts";
import { seasonRefusals } from "./errors.ts";
import { absences } from "./midnights.ts";

/** The schema of an answer, or of a part of one, under a name of its own. */
export function named<Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) {
  return z.object(shape).meta({ id, description });
}

const time = z.iso.datetime();
const columns = z.record(z.string(), z.int()).describe("The columns that the score stands for.");
export const generation = z
  .int()
  .min(0)
  .describe(
    "The number of the published ranking that the ranks come from; 0 before the first one, when lists are empty.",
  );
export const rankNumber = z.int().min(1);
const playerCount = z.int().min(0).describe("Players ranked.");

const cursorFor = (what: string) => z.string().optional().describe(`For ${what}`);
export const nextCursor = (what: string) =>
  cursorFor(`the ${what}, if there are any; absent if fewer than \`limit\` were left.`);

const segment = z
  .record(z.string(), z.string())
  .optional()
  .describe('The segment that ranks and `players` are of, as in `{"country":"AT"}`; absent for all players.');
export const seasonAnswered = { leaderboard: z.string(), season: z.string() };
const rankingAnswered = { ...seasonAnswered, segment };

const movedSchema = named("Moved", "How far a rank has moved since a midnight of the board's time zone.", {
  since: time.describe("That midnight."),
  places: z.int().describe("How many places up; below 0 down; the best guess if `exact` is false."),
  from_rank: rankNumber.describe("The rank at that midnight."),
  exact: z.boolean().describe("Whether both ranks are certain."),
  places_best: z.int().describe("`places` lies between `places_worst` and this."),
  places_worst: z.int(),
});

const movement = {
  moved: movedSchema
    .nullable()
    .optional()
    .describe("If the request has `since`; null if there is nothing to compare with."),
  moved_why: z
    .enum([...absences, "no_baseline"])
    .optional()
    .describe(
      "Why `moved` is null. At that midnight the player was `new` or hidden (`hidden_then`), or nobody knows, as a server has replaced the document since (`unknown`); or no ranking of it is kept (`no_baseline`).",
    ),
};

export type Movement = z.infer<z.ZodObject<typeof movement>>;

const ranked = {
  ...rankingAnswered,
  player: z.string().optional().describe("The player with this score; absent for the rank of a score."),
  score: z.number(),
  columns: columns.optional(),
  rank: rankNumber.describe("1 + players with a strictly better score; the best guess if `exact` is false."),
  dense_rank: rankNumber.describe(
    "1 + distinct better scores of the publication, even if the rank is live; a merged row counts as one.",
  ),
  exact: z.boolean().describe("Whether `rank` is certain."),
  rank_best: rankNumber.describe("The rank lies between this one and `rank_worst`."),
  rank_worst: rankNumber,
  players: playerCount,
  percentile: z
    .number()
    .min(0)
    .max(100)
    .describe("The percentage of the other players who are not better; 100 for rank 1."),
  tier: z.string().optional().describe("The first of the board's tiers that the rank is in."),
  freshness: z.enum(["published", "live"]),
  as_of: time.describe(
    "`published`: includes every score counted in a slot that had ended by then. `live`: includes everything counted by then.",
  ),
  generation,
  ...movement,
};

const segmentRankSchema = named("SegmentRank", "The place of a score in a segment of a season.", ranked);

export const rankSchema = named("Rank", "The place of a score in a season.", {
  ...ranked,
  segments: z
    .record(z.string(), segmentRankSchema.nullable())
    .optional()
    .describe(
      "If the request has `segments`: the rank in each of the player's own, by name; null where the player is in none, or that is not ranked (yet).",
    ),
});
export type Rank = z.infer<typeof rankSchema>;

/** `published`: as of the last publication. `live`: with everything counted up to 5 seconds ago. */
export type Freshness = Rank["freshness"];

export const entrySchema = named("Entry", "One line of a list.", {
  player: z.string(),
  rank: rankNumber.describe(
    "1 + players with a strictly better score, in the generation of the answer; in a top, at its `as_of`.",
  ),
  position: rankNumber.describe(
    "Place in the total order: better score, then earlier `achieved_at` (or later, by the board's `ties`), then id. " +
      "`getPage` counts on from the offset or the cursor.",
  ),
  score: z.number(),
  columns: columns.optional(),
  display_name: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  achieved_at: time,
  exact: z
    .literal(false)
    .optional()
    .describe("False if `rank` is the best guess in a merged row; absent if it is certain."),
  position_exact: z
    .literal(false)
    .optional()
    .describe(
      "False if `position` is a guess, counted on from published ranks, an offset or a cursor: in an open season in `getPlayers`, and in `getAround` and `getPage` unless the list begins at the top.",
    ),
  ...movement,
});
export type Entry = z.infer<typeof entrySchema>;

export const asOfRanks = time.describe("The time at which the ranks were true.");

const list = {
  ...rankingAnswered,
  entries: z.array(entrySchema),
  as_of: asOfRanks,
  generation,
};

export const topSchema = named(
  "Top",
  "The best players of a season. Their ranks and positions are exact at `as_of`, which may be later than the publication that `generation` numbers.",
  {
    ...list,
    lowest_score: z
      .number()
      .nullable()
      .describe(
        "A score must beat this one to enter the board's top; null while there is room for any score.",
      ),
    players: playerCount,
  },
);
export type TopAnswer = z.infer<typeof topSchema>;

export const aroundSchema = named("Around", "A player and the neighbours above and below, best first.", list);
export type AroundAnswer = z.infer<typeof aroundSchema>;

export const pageSchema = named("Page", "A stretch of the list of all players, best first.", {
  ...list,
  next_cursor: nextCursor("next entries"),
  players: playerCount,
});
export type PageAnswer = z.infer<typeof pageSchema>;

export const thresholdSchema = named("Threshold", "The score that one needs for a rank.", {
  ...rankingAnswered,
  rank: rankNumber.describe(
    "The rank that the score has, or a better one: as asked for, or the worst one with the percentile or in the tier.",
  ),
  score: z.number().nullable().describe("With this score one has the rank; null if every score is enough."),
  columns: columns.optional(),
  exact: z.boolean().describe("Whether every worse score is too little."),
  score_worst: z
    .number()
    .nullable()
    .optional()
    .describe(
      "If `exact` is false: scores worse than this are too little, those between this and `score` may be enough; null if no bound is known.",
    ),
  players: playerCount,
  as_of: asOfRanks,
  generation,
});
export type ThresholdAnswer = z.infer<typeof thresholdSchema>;

const binSchema = z.object({
  from: z.number().describe("The best score in the bin."),
  to: z
    .number()
    .describe(
      "Where the bin ends; players with this score are in the next one, in the last bin they are in it.",
    ),
  players: z.int().min(0),
});

export const histogramSchema = named("Histogram", "How many players have which scores, best first.", {
  ...rankingAnswered,
  column: z.string().optional().describe("On a board with columns, the first one, of which all values are."),
  bins: z
    .array(binSchema)
    .describe("Of equal width, side by side, with round edges; none if nobody is ranked."),
  better: z.int().min(0).describe("Players who are better than the first bin."),
  worse: z.int().min(0).describe("Players who are worse than the last bin."),
  exact: z.boolean().describe("Whether all numbers of players are certain."),
  players: playerCount,
  as_of: asOfRanks,
  generation,
});
export type HistogramAnswer = z.infer<typeof histogramSchema>;

export const playersSchema = named("Players", "The requested players that have a rank, best first.", list);
export type PlayersAnswer = z.infer<typeof playersSchema>;

export const historySchema = named("History", "A player's ranks at midnights of the board's time zone.", {
  ...seasonAnswered,
  player: z.string(),
  days: z
    .array(
      z.object({
        day: z.iso.date().describe("The date that began."),
        since: time.describe("When it began."),
        score: z.number(),
        columns: columns.optional(),
        rank: rankNumber,
        exact: z.boolean().describe("Whether `rank` is certain."),
        rank_best: rankNumber,
        rank_worst: rankNumber,
        players: playerCount,
      }),
    )
    .describe(
      "The newest first; without midnights at which the player had no rank, or of which no ranking is kept.",
    ),
  generation,
});
export type HistoryAnswer = z.infer<typeof historySchema>;

export const seasonAnswerSchema = z.object({
  season: z.string(),
  span: z.string(),
  score: z
    .number()
    .describe(
      "The player's score after the submission; 0, and no rank, if a server has stored no number there since.",
    ),
  columns: columns.optional(),
  improved: z.boolean().describe("Whether this submission improved the score."),
  attempts: z.int().min(0).describe("Submissions counted for this player."),
  repeated: z
    .literal(true)
    .optional()
    .describe("True if this `submission_id` was applied before; then nothing was changed."),
  error: z
    .object({ code: z.enum(seasonRefusals), message: z.string() })
    .optional()
    .describe("Why the submission counts in another season and not in this one."),
  rank: rankSchema
    .nullable()
    .describe(
      "The rank of the score in the published ranking; null before the first publication, for a hidden player, and if it could not be found out.",
    ),
});
export type SeasonAnswer = z.infer<typeof seasonAnswerSchema>;

export const submissionSchema = named(
  "Submission",
  "The result of a submission in each season of the board.",
  {
    leaderboard: z.string(),
    player: z.string(),
    seasons: z.array(seasonAnswerSchema),
    segments_passed_over: z
      .array(z.string())
      .optional()
      .describe(
        "Segments of which the submission said what the board does not have; the score counts all the same.",
      ),
  },
);
export type SubmissionAnswer = z.infer<typeof submissionSchema>;

export const profileSchema = named("Profile", "The open seasons in which the player is.", {
  leaderboard: z.string(),
  player: z.string(),
  seasons: z
    .array(
      z.object({
        season: z.string(),
        span: z.string(),
        changed: z.boolean().describe("Whether the name or the metadata was another there before."),
      }),
    )
    .describe("Empty if the player has no score in any of them: nothing is kept then."),
});
export type ProfileAnswer = z.infer<typeof profileSchema>;

export const leaderboardsSchema = named(
  "Leaderboards",
  "The boards that the caller may see, in order of their ids.",
  {
    leaderboards: z.array(z.object({ leaderboard: z.string(), definition: storedDefinition })),
    next_cursor: nextCursor("next boards"),
  },
);
export type LeaderboardsAnswer = z.infer<typeof leaderboardsSchema>;

/** The statuses of a season that callers see. */
export const seasonStatusesShown = ["open", "closing", "closed"] as const;

export const seasonListedSchema = named("Season", "One season of a board.", {
  season: z.string(),
  span: z.string(),
  status: z
    .enum(seasonStatusesShown)
    .describe(
      "`open` takes scores from `opens_at` to `closes_at`; `closing` takes none and is being counted; `closed` is final.",
    ),
  opens_at: time,
  closes_at: time.nullable().describe("Null for a season that an admin ends, or that never ends."),
  closed_at: time.optional().describe("The time at which its standings became final."),
  players: playerCount,
  generation: z.int().min(0),
});
export type SeasonListed = z.infer<typeof seasonListedSchema>;

export const seasonAnsweredSchema = z.object({ leaderboard: z.string(), ...seasonListedSchema.shape });
export type SeasonAnswered = z.infer<typeof seasonAnsweredSchema>;

const nextSchema = named("NextSeason", "The season that follows a running one.", {
  season: z.string(),
  opens_at: time,
  closes_at: time,
});

const runningSchema = named("Running", "The running season of a span, even if nobody has opened it yet.", {
  span: z.string(),
  season: z.string(),
  opens_at: time.nullable().describe("Null for `all_time`, which begins with its first score."),
  closes_at: time.nullable().describe("Null for `all_time`, which never ends."),
  next: nextSchema
    .nullable()
    .describe("The season that follows, unless an admin changes the calendar; null for `all_time`."),
});

export const seasonsSchema = named("Seasons", "The seasons of a board, the newest first.", {
  leaderboard: z.string(),
  as_of: time.describe(
    "The server's clock at the time of the answer, for countdowns; an answer from an HTTP cache may be older.",
  ),
  running: z
    .array(runningSchema)
    .describe("The running season of each of the board's spans, even if nobody has opened it yet."),
  seasons: z.array(seasonListedSchema),
  next_cursor: nextCursor("next older seasons"),
});
export type SeasonsAnswer = z.infer<typeof seasonsSchema>;

const resultSchema = named("Result", "A player's final rank in a season that has closed.", {
  ...rankSchema.shape,
  span: z.string(),
  closed_at: time.describe("The time at which the season's standings became final."),
});
export type SeasonResult = z.infer<typeof resultSchema>;

export const resultsSchema = named(
  "Results",
  "The caller's final ranks in closed seasons, the newest first.",
  {
    results: z.array(resultSchema),
    next_cursor: cursorFor("seasons that closed earlier; absent if no more are left to search."),
    next_since: time.describe(
      "The next `since`, for results that come later; the same on all pages of an answer.",
    ),
  },
);
export type ResultsAnswer = z.infer<typeof resultsSchema>;

const myBoardSchema = named("MyBoard", "A season of a board of a template in which the caller has a score.", {
  leaderboard: z.string(),
  season: z.string(),
  score: z.number(),
  columns: z.record(z.string(), z.number()).optional(),
  achieved_at: time,
});
export type MyBoard = z.infer<typeof myBoardSchema>;

export const myBoardsSchema = named(
  "MyBoards",
  "The seasons of boards of templates in which the caller has a score, the last achieved first.",
  {
    boards: z.array(myBoardSchema),
    next_cursor: cursorFor("those achieved earlier; absent if no more are left."),
  },
);
export type MyBoardsAnswer = z.infer<typeof myBoardsSchema>;
