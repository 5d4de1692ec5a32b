/**
 * Every query that the dashboard sends, as data: test/functions/documents/indexes.test.ts finds any that has no index, and
 * read.ts sends them. Each has a limit, so a board with a thousand seasons or ten thousand runs costs only what is
 * shown.
 */
import {
  groupsPath,
  type SeasonKey,
  leaderboardPath,
  leaderboardsPath,
  playersPath,
  privateGroupsPath,
  playerStatusesPath,
  runsPath,
  seasonsPath,
  segmentPagesPath,
} from "../../../functions/src/documents/paths.ts";
import type { Season } from "../../../functions/src/documents/season.ts";
import type { RunRecord } from "../../../functions/src/documents/repair-record.ts";

export type Condition = readonly [field: string, op: "==" | "in" | ">=" | "<=" | "<", value: unknown];

export interface QuerySpec {
  /** A collection's path; with `group`, the id of all collections of that name. */
  collection: string;
  group?: true;
  where: readonly Condition[];
  orderBy: readonly (readonly [field: string, direction: "asc" | "desc"])[];
  limit: number;
}

export const idField = "__name__";

interface BoardsOptions {
  publicOnly: boolean;
  prefix: string;
  limit: number;
}

/** Boards by id, those that begin with `prefix`. Users who have not signed in may only list public ones. */
export function boards({ publicOnly, prefix, limit }: BoardsOptions): QuerySpec {
  const visible: Condition[] = publicOnly ? [["visibility", "==", "public"]] : [];
  const begins = prefix === "" ? [] : startsWith(idField, prefix);
  return listed(leaderboardsPath, [idField, "asc"], limit, [...visible, ...begins]);
}

/**
 * Before any time that a document has. A range finds only times: a foreign document, which has something else there, takes
 * no place of a list.
 */
const beforeAllTimes = new Date(-62_135_596_800_000);

/** The newest season of a span of a board: the present one, once it has a score. */
export function newestOfSpan(leaderboard: string, span: Season["span"]): QuerySpec {
  return lastFirst(seasonsPath(leaderboard), "opens_at", 1, [["span", "==", span]]);
}

/** The most open seasons that are listed, and open tournaments that are counted. The rules let a player list no more. */
export const openMax = 100;

/** Tournaments of a board that have begun by a time and are open. */
export function openTournaments(leaderboard: string, by: Date): QuerySpec {
  const where: Condition[] = [
    ["span", "==", "custom"],
    ["status", "==", "open"],
    ["opens_at", "<=", by],
  ];
  return lastFirst(seasonsPath(leaderboard), "opens_at", openMax, where);
}

/** The open seasons of a board, those to come too. */
export function openSeasons(leaderboard: string): QuerySpec {
  return lastFirst(seasonsPath(leaderboard), "opens_at", openMax, [["status", "==", "open"]]);
}

/** The seasons of a board that have ended, the last opened first. */
export function endedSeasons(leaderboard: string, limit: number): QuerySpec {
  return lastFirst(seasonsPath(leaderboard), "opens_at", limit, [
    ["status", "in", ["closing", "closed", "deleting"]],
  ]);
}

/** Runs of all boards that failed since a time, the last first. */
export function failedRuns(since: Date, limit: number): QuerySpec {
  return { ...lastFirst("runs", "started_at", limit, [["outcome", "==", "failed"]], since), group: true };
}

/** Seasons of all boards that are not ranked because their board's definition was deleted. */
export function parkedSeasons(limit: number): QuerySpec {
  const where: Condition[] = [["parked", "==", "no_definition"]];
  return { collection: "seasons", group: true, where, orderBy: [], limit };
}

/**
 * The boards of a template, by the last ranking that had something new, the last first. Each is there as a season of
 * one span, once it is ranked.
 */
export function boardsOfTemplate(template: string, span: Season["span"], limit: number): QuerySpec {
  const where: Condition[] = [
    ["template", "==", template],
    ["span", "==", span],
  ];
  return { ...lastFirst("seasons", "ranking.published_at", limit, where), group: true };
}

/**
 * A season of the first board of a template whose name begins with a text; with `after`, of the first behind that
 * board. A board may have a thousand seasons, so one is read of each.
 */
export function boardWithPrefix(template: string, prefix: string, after?: string): QuerySpec {
  // A space sorts before all that names have.
  const from = after === undefined ? `${template}:${prefix}` : `${after} `;
  const where: Condition[] = [
    ["template", "==", template],
    [idField, ">=", leaderboardPath(from)],
    [idField, "<", leaderboardPath(`${template}:${prefix}\u{10FFFF}`)],
  ];
  return { ...listed("seasons", [idField, "asc"], 1, where), group: true };
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
  return lastFirst(runsPath(key), "started_at", limit, where[filter]);
}

/** Audits and repairs of a season, the last first. */
export function repairsOf(key: SeasonKey, limit: number): QuerySpec {
  return lastFirst(runsPath(key), "started_at", limit, [["kind", "in", ["audit", "repair"]]]);
}

/** Players that a search shows of each query. */
export const suggestionsMax = 8;

/** Players whose id begins with a text. */
export function playersWithPrefix(key: SeasonKey, prefix: string, limit: number): QuerySpec {
  return listed(playersPath(key), [idField, "asc"], limit, startsWith(idField, prefix));
}

/** Players whose name begins with a text, as it is written. */
export function playersNamed(key: SeasonKey, prefix: string, limit: number): QuerySpec {
  return listed(playersPath(key), ["display_name", "asc"], limit, startsWith("display_name", prefix));
}

/** Players by name, from a text on. */
export function playersFromName(key: SeasonKey, from: string, limit: number): QuerySpec {
  return listed(playersPath(key), ["display_name", "asc"], limit, [["display_name", ">=", from]]);
}

/** Players whom an admin has hidden or banned on a board, by id. */
export function playersOfStatus(leaderboard: string, status: "hidden" | "banned", limit: number): QuerySpec {
  return listed(playerStatusesPath(leaderboard), [idField, "asc"], limit, [["status", "==", status]]);
}

/** The groups of a tier of a week's league. */
export function groupsOfTier(key: SeasonKey, tier: string, limit: number): QuerySpec {
  return listed(groupsPath(key), [idField, "asc"], limit, startsWith(idField, `${tier}-`));
}

/** Private groups of a board by name, those that begin with a text. */
export function privateGroups(leaderboard: string, prefix: string, limit: number): QuerySpec {
  const begins = prefix === "" ? [] : startsWith("name", prefix);
  return listed(privateGroupsPath(leaderboard), ["name", "asc"], limit, begins);
}

/** Pages of segments, those of the segments that come first in order. */
export function segmentPages(key: SeasonKey, limit: number): QuerySpec {
  return listed(segmentPagesPath(key), ["until_key", "asc"], limit);
}

/** The pages on which a segment begins and ends; the keys of its rows are its name, a space, and a number. */
export function edgesOfSegment(key: SeasonKey, segment: string): [first: QuerySpec, last: QuerySpec] {
  const path = segmentPagesPath(key);
  return [
    listed(path, ["until_key", "asc"], 1, [["until_key", ">=", `${segment} `]]),
    listed(path, ["from_key", "desc"], 1, [["from_key", "<", `${segment}!`]]),
  ];
}

/** Documents by a time, the last first. */
function lastFirst(
  collection: string,
  field: string,
  limit: number,
  where: readonly Condition[] = [],
  since = beforeAllTimes,
): QuerySpec {
  return listed(collection, [field, "desc"], limit, [...where, [field, ">=", since]]);
}

function listed(
  collection: string,
  order: QuerySpec["orderBy"][number],
  limit: number,
  where: readonly Condition[] = [],
): QuerySpec {
  return { collection, where, orderBy: [order], limit };
}

/** Texts from a prefix up to the last that begins with it. */
function startsWith(field: string, prefix: string): Condition[] {
  return [
    [field, ">=", prefix],
    [field, "<", `${prefix}\u{10FFFF}`],
  ];
}
