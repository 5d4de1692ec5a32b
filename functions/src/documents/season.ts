/** A season's document: what the functions know about one instance of a span. */
import { z } from "zod";
import { spanNames, storedOrdering } from "../model/definition.ts";
import { isKnownSchema, requireKnownSchema, schemaVersion } from "../model/schema-version.ts";
import { Timestamp } from "./firestore.ts";

const time = z.instanceof(Timestamp);

const ranking = z.object({
  generation: z.int().min(0),
  players: z.number(),
  rows: z.number(),
  pages: z.int().min(0),
  exact: z.boolean(),
  /** Documents with a score that is not a finite number, or with an invalid status. */
  unusable_scores: z.number(),
  as_of: time.nullable(),
  published_at: time.nullable(),
  next_publish_at: time.nullable(),
  /** Players in values of segments that are not ranked, by segment; absent where there are none. */
  left_out: z.record(z.string(), z.number()).exactOptional(),
  /** Shard documents that are not in the ranking belong to slots that end after this; null where that is unknown. */
  shards_from: time.nullable(),
});

/** The span of a season; `custom` is a season that an admin opened. */
export const seasonSpans = [...spanNames, "custom"] as const;

/**
 * `open`: takes scores from `opens_at` until `closes_at`. `closing`: takes none, and its last ones are being ranked.
 * `closed`: its standings are final. `deleting`: as if it did not exist. The status never goes back.
 */
export const seasonStatuses = ["open", "closing", "closed", "deleting"] as const;

export const storedSeason = z.object({
  schema_version: z.int().min(1),
  span: z.enum(seasonSpans),
  status: z.enum(seasonStatuses),
  opens_at: time,
  /** When it stops taking scores; null for never. */
  closes_at: time.nullable(),
  /** When an admin's end of a tournament was committed, by the database's clock; absent before. */
  end_told_at: time.exactOptional(),
  /** When it began to close, by the database's clock: players' documents changed later may not be what its standings say. */
  ended_at: time.exactOptional(),
  closed_at: time.nullable(),
  /** When the next step of its end is due: to close, clear or delete it; null where there is none. */
  end_due_at: time.nullable(),
  /** How often in a row a step of its end has failed. */
  end_failures: z.int().min(0).exactOptional(),
  closing_run: z.string().nullable(),
  /** When everything that a closed season no longer needs was deleted. */
  cleared_at: time.nullable(),
  /** Revisions of a closed season's standings, or one more if they must be published again; and which its pages show. */
  revisions: z.int().min(0).exactOptional(),
  published_revisions: z.int().min(0).exactOptional(),
  /**
   * What its scores were counted by, and who says the values of each segment that its documents may have. The board's
   * document says both too, but somebody may change or delete that by hand.
   */
  ordering: storedOrdering.exactOptional(),
  segment_sources: z.record(z.string(), z.string()).exactOptional(),
  /** The ranking interval; a copy of the definition's, so that the schedule needs no other read. */
  interval_ms: z.int().min(1),
  /** When the next ranking run is due; null while the season sleeps (see seasons/dormancy.ts). */
  next_run_at: time.nullable(),
  /** Since when the commit of a change has to wake the season; null while it is awake. */
  dormant_at: time.nullable(),
  /** Why no run is requested, other than for lack of changes: the board's definition was deleted. */
  parked: z.enum(["no_definition"]).nullable(),
  /** Of one that is being deleted: the whole board is. */
  board_deleted: z.literal(true).exactOptional(),
  ranking,
});

export type Season = z.infer<typeof storedSeason>;

/** Reads a season's document. @throws `unknown_schema_version` for the form of another release; ZodError */
export function readSeason(data: Record<string, unknown> | undefined): Season {
  requireKnownSchema("season", data);
  return storedSeason.parse(data);
}

/** The same of a list, where a damaged one is left out. @throws `unknown_schema_version` */
export function readSeasonIfValid(data: Record<string, unknown>): z.ZodSafeParseResult<Season> {
  requireKnownSchema("season", data);
  return storedSeason.safeParse(data);
}

/** Whether a document is a season; `unknown` is a form of another release. */
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

/** The document of a new season: awake, nothing published, its end due when it closes. */
export function newSeason(
  begun: Pick<Season, "span" | "opens_at" | "closes_at" | "interval_ms" | "next_run_at"> &
    Partial<Pick<Season, "ordering" | "segment_sources">>,
): Season {
  return {
    schema_version: schemaVersion,
    ...begun,
    status: "open",
    closed_at: null,
    end_due_at: begun.closes_at,
    closing_run: null,
    cleared_at: null,
    dormant_at: null,
    parked: null,
    ranking: unpublished,
  };
}

const running = z.array(z.object({ season: z.string(), opens_at: time, closes_at: time }));

/**
 * A field of the leaderboard's document: the seasons that run on as they began after its time zone or first day of the
 * week changed, each until the first boundary of the new calendar at or after its old end.
 */
export const storedRunningSeasons = z
  .object({ daily: running.optional(), weekly: running.optional(), monthly: running.optional() })
  .catch({});
export type RunningSeasons = z.infer<typeof storedRunningSeasons>;
export type RunningSeason = z.infer<typeof running>[number];
