/**
 * Every query that the dashboard sends, as data: test/functions/documents/indexes.test.ts finds any that has no index, and
 * read.ts sends them. Each has a limit, so a board with a thousand seasons or ten thousand runs costs only what is
 * shown.
 */
import {
  type SeasonKey,
  leaderboardsPath,
  pagesPath,
  playersPath,
  playerStatusesPath,
  runsPath,
  seasonsPath,
} from "../../../functions/src/documents/paths.ts";
import type { Timestamp } from "../../../functions/src/documents/firestore.ts";
import type { RunRecord } from "../../../functions/src/documents/repair-record.ts";
import type { Order } from "../../../functions/src/model/score.ts";

export type Condition = readonly [field: string, op: "==" | "in" | ">=" | "<=" | "<", value: unknown];

export interface QuerySpec {
  /** A collection's path; with `group`, the id of all collections of that name. */
  collection: string;
  group?: true;
  where: readonly Condition[];
  orderBy: readonly (readonly [field: string, direction: "asc" | "desc"])[];
  limit: number;
}

/** A document's id as a field. */
export const idField = "__name__";

/** Boards by id, those that begin with `prefix`. Users who have not signed in may only list public ones. */
export function boards({
  publicOnly,
  prefix,
  limit,
}: {
  publicOnly: boolean;
  prefix: string;
  limit: number;
}): QuerySpec {
  const begins: Condition[] = prefix === "" ? [] : startsWith(idField, prefix);
  return {
    collection: leaderboardsPath,
    where: [...(publicOnly ? [["visibility", "==", "public"] as const] : []), ...begins],
    orderBy: [[idField, "asc"]],
    limit,
  };
}

/** The seasons of a board, the last opened first. */
export function seasonsOf(leaderboard: string, limit: number): QuerySpec {
  return { collection: seasonsPath(leaderboard), where: [], orderBy: [["opens_at", "desc"]], limit };
}

/**
 * The seasons of a board that opened at or before a time, the last opened first; the caller may know one of them
 * already.
 */
export function olderSeasonsOf(leaderboard: string, until: Timestamp, limit: number): QuerySpec {
  return {
    collection: seasonsPath(leaderboard),
    where: [["opens_at", "<=", until]],
    orderBy: [["opens_at", "desc"]],
    limit,
  };
}

/** Runs of all boards that failed since a time, the last first. */
export function failedRuns(since: Date, limit: number): QuerySpec {
  return {
    collection: "runs",
    group: true,
    where: [
      ["outcome", "==", "failed"],
      ["started_at", ">=", since],
    ],
    orderBy: [["started_at", "desc"]],
    limit,
  };
}

/** Seasons of all boards that are not ranked because their board's definition was deleted. */
export function parkedSeasons(limit: number): QuerySpec {
  return {
    collection: "seasons",
    group: true,
    where: [["parked", "==", "no_definition"]],
    orderBy: [],
    limit,
  };
}

/** Which runs a list shows. */
export type RunFilter = "all" | "failed" | "end" | RunRecord["kind"];

/** The runs of a season, the last first. */
export function runsOf(key: SeasonKey, filter: RunFilter, limit: number): QuerySpec {
  const where: Record<RunFilter, readonly Condition[]> = {
    all: [],
    failed: [["outcome", "==", "failed"]],
    end: [["kind", "in", ["closing", "revision"]]],
    ranking: [["kind", "==", "ranking"]],
    audit: [["kind", "==", "audit"]],
    repair: [["kind", "==", "repair"]],
  };
  return { collection: runsPath(key), where: where[filter], orderBy: [["started_at", "desc"]], limit };
}

/** Audits and repairs of a season, the last first. */
export function repairsOf(key: SeasonKey, limit: number): QuerySpec {
  return {
    collection: runsPath(key),
    where: [["kind", "in", ["audit", "repair"]]],
    orderBy: [["started_at", "desc"]],
    limit,
  };
}

/** The page that covers a score: 1 read. */
export function pageOfScore(key: SeasonKey, order: Order, score: number): QuerySpec {
  const isDescending = order === "descending";
  return {
    collection: pagesPath(key),
    where: [["from_score", isDescending ? ">=" : "<=", score]],
    orderBy: [["from_score", isDescending ? "asc" : "desc"]],
    limit: 1,
  };
}

/** Players that a search shows of each query. */
export const suggestionsMax = 8;

/** Players whose id begins with a text. */
export function playersWithPrefix(key: SeasonKey, prefix: string, limit: number): QuerySpec {
  return {
    collection: playersPath(key),
    where: startsWith(idField, prefix),
    orderBy: [[idField, "asc"]],
    limit,
  };
}

/** Players whose name begins with a text, as it is written. */
export function playersNamed(key: SeasonKey, prefix: string, limit: number): QuerySpec {
  return {
    collection: playersPath(key),
    where: startsWith("display_name", prefix),
    orderBy: [["display_name", "asc"]],
    limit,
  };
}

/** Players whom an admin has hidden or banned on a board, by id. */
export function playersOfStatus(leaderboard: string, status: "hidden" | "banned", limit: number): QuerySpec {
  return {
    collection: playerStatusesPath(leaderboard),
    where: [["status", "==", status]],
    orderBy: [[idField, "asc"]],
    limit,
  };
}

/** Texts from a prefix up to the last that begins with it. */
function startsWith(field: string, prefix: string): Condition[] {
  return [
    [field, ">=", prefix],
    [field, "<", `${prefix}\u{10FFFF}`],
  ];
}
