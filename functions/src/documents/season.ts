/**
 * A season's document. A season is one day, week or month of a span, all of time, or a tournament. The first submission
 * opens it, or `openSeason` (seasons/board.ts); runs, dormancy and the steps of its end change it. Every call reads it, at
 * most once a minute in an instance. The last step of its end deletes it, after everything below it
 * (jobs/closing/clear.ts).
 */
import { z } from "zod";
import { spanNames } from "../model/definition.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { isKnownSchema, requireKnownSchema, schemaVersion } from "../model/schema-version.ts";
import { storedEndSettings, storedOrdering } from "../model/season-definition.ts";
import { type QueryDocumentSnapshot, Timestamp } from "./firestore.ts";
import { isSeasonPath, seasonOfPath } from "./paths.ts";

/** A season, by ids that calls take. */
export const seasonKey = z.object({ leaderboard: leaderboardId, season: seasonId });

/**
 * Whether a document that a query found is a season of a board: not one of a game's own collection `seasons`, and not
 * one of a copy of a board, whose id no call takes.
 */
export const isSeasonOfBoard = ({ ref: { path } }: QueryDocumentSnapshot): boolean =>
  isSeasonPath(path) && seasonKey.safeParse(seasonOfPath(path)).success;

const time = z.instanceof(Timestamp);

const ranking = z.object({
  generation: z.int().min(0),
  players: z.number(),
  rows: z.number(),
  pages: z.int().min(0),
  exact: z.boolean(),
  /** Players' documents whose score is not a finite number, or whose status is invalid. */
  unusable_scores: z.number(),
  as_of: time.nullable(),
  published_at: time.nullable(),
  next_publish_at: time.nullable(),
  /** How many players have a value that is not ranked, by segment; absent if all values are ranked. */
  left_out: z.record(z.string(), z.number()).exactOptional(),
  /**
   * All shard documents that are not in the ranking belong to slots that end after this time; null if that is unknown.
   */
  shards_from: time.nullable(),
});

/** The span of a season; `custom` is a season that an admin opened. */
export const seasonSpans = [...spanNames, "custom"] as const;

/**
 * `open`: the season takes scores from `opens_at` until `closes_at`. `closing`: it takes no new scores; those that it took
 * before are still counted for six minutes, and ranked. `closed`: its standings are final. `deleting`: it counts as gone. The
 * status never goes back.
 */
export const seasonStatuses = ["open", "closing", "closed", "deleting"] as const;

export const storedSeason = z.object({
  schema_version: z.int().min(1),
  span: z.enum(seasonSpans),
  status: z.enum(seasonStatuses),
  opens_at: time,
  /** When the season stops taking scores; null for never. */
  closes_at: time.nullable(),
  /** When an admin ended a tournament, by the database's clock; absent if no admin did. */
  end_told_at: time.exactOptional(),
  /**
   * When the season began to close, by the database's clock: players' documents that changed later may differ from its
   * standings.
   */
  ended_at: time.exactOptional(),
  closed_at: time.nullable(),
  /** When the next step of the season's end is due: to close, clear or delete it; null if no step is due. */
  end_due_at: time.nullable(),
  /** How often in a row a step of the season's end has failed. */
  end_failures: z.int().min(0).exactOptional(),
  closing_run: z.string().nullable(),
  /** When the documents were deleted that a closed season no longer needs. */
  cleared_at: time.nullable(),
  /**
   * How often the standings of a closed season were revised; one more if they must be published again. Its pages show
   * the standings after `published_revisions`.
   */
  revisions: z.int().min(0).exactOptional(),
  published_revisions: z.int().min(0).exactOptional(),
  /**
   * The ordering by which the season's scores were counted, and where the values of each segment come from. The board's
   * document has both too, but somebody may change or delete it by hand.
   */
  ordering: storedOrdering.exactOptional(),
  segment_sources: z.record(z.string(), z.string()).exactOptional(),
  /** What the board said when the season began to close, of what a closed season is shown by; absent before. */
  ended_with: storedEndSettings.exactOptional(),
  /** The definition's ranking interval, copied so that the schedule need not read the definition. */
  interval_ms: z.int().min(1),
  /** When the next ranking run is due; null while the season sleeps (see seasons/dormancy.ts). */
  next_run_at: time.nullable(),
  /** When the season dozed off. Since then, the commit of a change wakes it; null while the season is awake. */
  dormant_at: time.nullable(),
  /** Why no run is requested although there may be changes: the board's definition was deleted. */
  parked: z.enum(["no_definition"]).nullable(),
  /**
   * Of a week of its board's league: `open` from the week's beginning on, or from the first seat where the league came
   * later, until all groups are settled (league/settle.ts).
   */
  league: z.enum(["open", "settled"]).exactOptional(),
  /** The template of its board, if it has one: by it the boards of a template are found. */
  template: z.string().exactOptional(),
  /** Whether a season that is being deleted goes with its whole board. */
  board_deleted: z.literal(true).exactOptional(),
  /** The last runs that have no record, in numbers (recent-runs.ts). */
  recent_runs: z.array(z.number()).exactOptional(),
  /** How many changed scores were published, by the board's date, such as 2026-12-01: of today and yesterday, or older ones. */
  scores_by_day: z.record(z.string(), z.number()).exactOptional(),
  ranking,
});

export type Season = z.infer<typeof storedSeason>;

/** Reads a season's document. @throws `unknown_schema_version` for the form of another release; ZodError */
export function readSeason(data: Record<string, unknown> | undefined): Season {
  requireKnownSchema("season", data);
  return storedSeason.parse(data);
}

/**
 * Reads the document of a season in a list, from which the caller leaves out a damaged season.
 * @throws `unknown_schema_version`
 */
export function readSeasonIfValid(data: Record<string, unknown>): z.ZodSafeParseResult<Season> {
  requireKnownSchema("season", data);
  return storedSeason.safeParse(data);
}

/** Whether a document is a season; `unknown` if another release stored it in another form. */
export function formOfSeason(data: Record<string, unknown>): "known" | "unknown" | "damaged" {
  if (!isKnownSchema(data)) return "unknown";
  return storedSeason.safeParse(data).success ? "known" : "damaged";
}

/** Whether the standings of a closed season were revised since its pages were published. */
export function hasUnpublishedRevision({
  revisions = 0,
  published_revisions: published = 0,
}: Season): boolean {
  return revisions > published;
}

export const unpublished: Season["ranking"] = {
  generation: 0,
  players: 0,
  rows: 0,
  pages: 0,
  exact: true,
  unusable_scores: 0,
  as_of: null,
  published_at: null,
  next_publish_at: null,
  shards_from: null,
};

/**
 * The document of a new season. The season is awake and has no publication. Its end is due when it closes, unless `begun`
 * says when.
 */
export function newSeason(
  begun: Pick<Season, "span" | "opens_at" | "closes_at" | "interval_ms" | "next_run_at"> &
    Partial<Pick<Season, "end_due_at" | "ordering" | "segment_sources" | "template" | "league">>,
): Season {
  return {
    schema_version: schemaVersion,
    end_due_at: begun.closes_at,
    ...begun,
    status: "open",
    closed_at: null,
    closing_run: null,
    cleared_at: null,
    dormant_at: null,
    parked: null,
    ranking: unpublished,
  };
}

const running = z.array(z.object({ season: z.string(), opens_at: time, closes_at: time }));

/**
 * A field of the leaderboard's document: the seasons that were running when the board's time zone or first day of the
 * week was changed. Each runs on until the first boundary of the new calendar at or after its old end.
 */
export const storedRunningSeasons = z
  .object({ daily: running.optional(), weekly: running.optional(), monthly: running.optional() })
  .catch({});
export type RunningSeasons = z.infer<typeof storedRunningSeasons>;
export type RunningSeason = z.infer<typeof running>[number];
