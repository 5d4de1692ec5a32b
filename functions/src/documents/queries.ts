/**
 * Every query that Firerank sends, in one place. A test builds each query for every kind of board, and finds any query
 * whose index is missing from `firestore.indexes.json`. The emulators would not notice.
 *
 * The queries find the same on both editions of Firestore. A Standard database leaves out documents without a field
 * that a query orders by, and orders equal documents by name; an Enterprise database promises neither. So where that
 * matters, a query names `__name__` in its order, which costs nothing, and bounds a field that may be missing.
 */
import type { Definition } from "../model/definition.ts";
import type { PlayerStatus } from "../model/player-status.ts";
import { scoreSizeMax } from "../model/limits.ts";
import { bestPossible, type Order, sortKey } from "../model/score.ts";
import { FieldPath, type Firestore, type Query, Timestamp } from "./firestore.ts";
import { keyInSegment } from "./segment-page.ts";
import {
  eventsPath,
  groupsPath,
  leaderboardPath,
  leaderboardsPath,
  playerPath,
  playersPath,
  rankingPagesPath,
  type RankingKey,
  runsPath,
  type SeasonKey,
  seasonsPath,
  segmentPagesPath,
  shardsPath,
  standingsCollection,
} from "./paths.ts";

/**
 * The earliest time that Firestore stores. A range from this time on finds only documents that have a time in the
 * field, and leaves out documents without the field or with another value.
 */
const beforeAllTimes = new Timestamp(-62_135_596_800, 0);

/** The last time that Firestore stores, to the microsecond. */
const lastOfAllTimes = new Timestamp(253_402_300_799, 999_999_000);

/**
 * A key of the total order, by which a list is cut: score, `achieved_at`, player. A part left out at the end stands for all of its values.
 */
export type ListKey = readonly [score: number, achievedAt?: unknown, player?: string];

/** The part of the total order that a list shows. */
export interface ListSection {
  /** The list begins with this key. */
  from?: ListKey;
  after?: ListKey;
  before?: ListKey;
  /** The list runs from worse to better. */
  upwards?: boolean;
  status?: PlayerStatus;
  /**
   * Leaves out documents whose `achieved_at` is no time. As a filter it costs one more read for each 1,000 players
   * found, and nothing in a count.
   */
  timed?: boolean;
}

/**
 * The players of a part of the total order; without ends, all players that can be listed.
 *
 * The ends are cursors, which cost nothing; range filters would cost a read for each 1,000 index entries. A missing end
 * is the best or the worst possible score, so scores that cannot be ranked are left out. Cost: one read a player, at
 * least one. As `.count()`: one read for each 1,000 players, at least one.
 */
export function listedPlayers(
  db: Firestore,
  key: RankingKey,
  { order, ties }: Pick<Definition, "order" | "ties">,
  { from, after, before, upwards = false, status = "active", timed = false }: ListSection = {},
): Query {
  const direction = (descending: boolean) => (descending === upwards ? "asc" : "desc");
  const [best, worst] = [bestPossible(order), -bestPossible(order)];
  const ofStatus = playersOfRanking(db, key).where("status", "==", status);
  const all = (timed ? ofStatus.where("achieved_at", ">=", beforeAllTimes) : ofStatus)
    .orderBy("score", direction(order === "descending"))
    .orderBy("achieved_at", direction(ties === "last"))
    .orderBy(FieldPath.documentId(), direction(ties === "last"));
  const begun =
    after === undefined ? all.startAt(...(from ?? [upwards ? worst : best])) : all.startAfter(...after);
  return before === undefined ? begun.endAt(upwards ? best : worst) : begun.endBefore(...before);
}

/** The players of a season, or of a segment as their marks say. */
function playersOfRanking(db: Firestore, key: RankingKey): Query {
  const all = db.collection(playersPath(key));
  return key.segment === undefined ? all : all.where(markedSegments, "array-contains", key.segment);
}

/** The page that covers a score. Cost: one read, found or not. */
export function pageOfScore(db: Firestore, key: RankingKey, order: Order, score: number): Query {
  const isUpwards = key.segment === undefined && order === "descending";
  const [field, value] =
    key.segment === undefined
      ? ["from_score", score]
      : ["from_key", keyInSegment(key.segment, sortKey(order, score))];
  const found = pagesOfRanking(db, key).where(field, isUpwards ? ">=" : "<=", value);
  return found.orderBy(field, isUpwards ? "asc" : "desc").limit(1);
}

/** The page with the player at a 0-based offset. Cost: one read, found or not. */
export function pageOfOffset(db: Firestore, key: RankingKey, offset: number): Query {
  const [field, value] =
    key.segment === undefined ? ["players_until", offset] : ["until_key", keyInSegment(key.segment, offset)];
  return pagesOfRanking(db, key).where(field, ">", value).orderBy(field).limit(1);
}

function pagesOfRanking(db: Firestore, key: RankingKey): Query {
  return db.collection(key.segment === undefined ? rankingPagesPath(key) : segmentPagesPath(key));
}

/**
 * Pending shard documents, in the order in which their slots end. Cost: one read each, at least one.
 * @param from leaves out slots that ended by this time, and so thousands of index entries of deleted documents.
 * @param byMs leaves out slots that end after this time.
 */
export function pendingShards(
  db: Firestore,
  key: SeasonKey,
  { from, byMs }: { from?: Timestamp | null | undefined; byMs?: number | undefined } = {},
): Query {
  const all = db.collection(shardsPath(key));
  const later = all.where("slot_ends_at", ">", from ?? beforeAllTimes);
  const ended = byMs === undefined ? later : later.where("slot_ends_at", "<=", Timestamp.fromMillis(byMs));
  return ended.orderBy("slot_ends_at").orderBy(FieldPath.documentId());
}

/**
 * Players whose marks count a score from `from` (inclusive) down to the worse `until` (exclusive). As `count()`: one
 * read for each 1,000 players, at least one.
 */
export function marksBetween(db: Firestore, key: RankingKey, order: Order, from: number, until: number) {
  const descending = order === "descending";
  return playersOfRanking(db, key)
    .where(markedScore, descending ? "<=" : ">=", from)
    .where(markedScore, descending ? ">" : "<", until)
    .orderBy(markedScore);
}

/** The only field of a mark that has an index of its own, in ascending order. */
export const markedScore = "counted.score";

/** The segments of a mark. Only composite indexes have this field, so a player without segments has no entry. */
const markedSegments = "counted.segments";

/** When the next ranking run of a season is due, or the next step of its end. */
export type DueField = "next_run_at" | "end_due_at";

/** Seasons of all boards for which a run, or a step of their end, is due. Cost: one read each, at least one. */
export function dueSeasons(db: Firestore, field: DueField, nowMs: number): Query {
  return db
    .collectionGroup("seasons")
    .where(field, "<=", Timestamp.fromMillis(nowMs))
    .orderBy(field)
    .orderBy(FieldPath.documentId());
}

/**
 * The document of the standings that has a player; several only if a closing had to write the standings again. The
 * summary is left out: its `players` is a number, and an Enterprise database refuses to look for an element of a
 * number. Cost: one read, found or not.
 */
export function standingsWith(db: Firestore, key: SeasonKey, player: string): Query {
  return db
    .collection(standingsCollection(key))
    .where(FieldPath.documentId(), "<", "summary")
    .where("players", "array-contains", player)
    .limit(10);
}

/**
 * The documents that {@link standingsWith} finds, the newest first: standings that are written again have greater numbers.
 */
export function newestStandings<Found extends { id: string }>(docs: readonly Found[]): Found[] {
  return docs.filter(({ id }) => /^\d+$/.test(id)).toSorted((a, b) => Number(b.id) - Number(a.id));
}

/**
 * Boards by id, above `after`; with `publicOnly`, only boards that everybody may read. Cost: one read each, at least
 * one.
 */
export function leaderboards(
  db: Firestore,
  { after, publicOnly }: { after?: string | undefined; publicOnly: boolean },
  limit: number,
): Query {
  const all = db.collection(leaderboardsPath);
  const seen = (publicOnly ? all.where("visibility", "==", "public") : all).orderBy(FieldPath.documentId());
  return (after === undefined ? seen : seen.startAfter(after)).limit(limit);
}

/**
 * Seasons of all boards of a template, by board and season. It looks only below these boards: a game's own collection
 * `seasons` may have a field `template` too. Cost: one read each, at least one.
 */
export function seasonsOfTemplate(db: Firestore, template: string): Query {
  const all = db.collectionGroup("seasons").where("template", "==", template);
  // The ids of the boards begin with the template's and a colon, which a semicolon follows.
  const from = db.doc(leaderboardPath(`${template}:`));
  return all
    .orderBy(FieldPath.documentId())
    .startAt(from)
    .endBefore(db.doc(leaderboardPath(`${template};`)));
}

/**
 * A player's documents on all boards of templates, the last achieved first. A collection of the game's own may be
 * called `players` too: see {@link templateSeasonOf}. Cost: one read each, at least one.
 * @param listed leaves out documents whose `achieved_at` is no time, and those up to `after`.
 */
export function documentsOfPlayer(
  db: Firestore,
  player: string,
  listed?: { after?: { achievedAt: Timestamp; key: SeasonKey } | undefined },
): Query {
  const all = db
    .collectionGroup("players")
    .where("player_id", "==", player)
    .orderBy("achieved_at", "desc")
    .orderBy(FieldPath.documentId(), "desc");
  if (listed === undefined) return all;
  const { after } = listed;
  const begun =
    after === undefined
      ? all.startAt(lastOfAllTimes)
      : all.startAfter(after.achievedAt, db.doc(playerPath(after.key, player)));
  return begun.endAt(beforeAllTimes);
}

/** Seasons of a board that are open or will open. Cost: one read each, at least one. */
export function openSeasons(db: Firestore, leaderboard: string): Query {
  return db.collection(seasonsPath(leaderboard)).where("status", "==", "open");
}

interface SeasonsListed {
  span?: string | undefined;
  status?: string | undefined;
  after?: readonly [opensAt: Timestamp, season: string] | undefined;
}

/** Seasons of a board by when they open, the newest first. Cost: one read each, at least one. */
export function listedSeasons(
  db: Firestore,
  leaderboard: string,
  { span, status, after }: SeasonsListed,
  limit: number,
): Query {
  const all = db.collection(seasonsPath(leaderboard));
  const ofSpan = span === undefined ? all : all.where("span", "==", span);
  const found = status === undefined ? ofSpan : ofSpan.where("status", "==", status);
  const sorted = found
    .where("opens_at", ">=", beforeAllTimes)
    .orderBy("opens_at", "desc")
    .orderBy(FieldPath.documentId(), "desc");
  return (after === undefined ? sorted : sorted.startAfter(...after)).limit(limit);
}

/** Players who wait for a seat of their season's league, by id. Cost: one read each, at least one. */
export const waitingForSeats = (db: Firestore, key: SeasonKey) => bySeat(db, key, "waits", true);

/** Players whose documents name a group of a league, by id. Cost: one read each, at least one. */
export const playersOfGroup = (db: Firestore, key: SeasonKey, group: string) =>
  bySeat(db, key, "group", group);

const bySeat = (db: Firestore, key: SeasonKey, field: string, value: unknown) =>
  db.collection(playersPath(key)).where(`league_seat.${field}`, "==", value).orderBy(FieldPath.documentId());

/** The newest group of each of some tiers. Cost: one read each, at least one. */
export const newestGroups = (db: Firestore, key: SeasonKey, tiers: readonly string[]) =>
  db.collection(groupsPath(key)).where("newest_of", "in", tiers);

/** Groups in which one of some seats, at most 30, is had; by the owners of seats. Cost: one read each, at least one. */
export const groupsOwnedBy = (db: Firestore, key: SeasonKey, owners: readonly string[]) =>
  db.collection(groupsPath(key)).where("owners", "array-contains-any", owners);

/** Groups that are still to be settled, by id. Cost: one read each, at least one. */
export const unsettledGroups = (db: Firestore, key: SeasonKey) =>
  db.collection(groupsPath(key)).where("unsettled", "==", true).orderBy(FieldPath.documentId());

/** Seasons of a board whose leagues are not settled. Cost: one read each, at least one. */
export const openLeagues = (db: Firestore, leaderboard: string) =>
  db.collection(seasonsPath(leaderboard)).where("league", "==", "open");

/** Events of a board that name a player, by id. Cost: one read each, at least one. */
export function eventsWith(db: Firestore, leaderboard: string, player: string): Query {
  return db
    .collection(eventsPath(leaderboard))
    .where("players", "array-contains", player)
    .orderBy(FieldPath.documentId());
}

/**
 * Events of all boards of a template, or of all boards, that name a player, by board. A game's own collection `events` lies
 * elsewhere. Cost: one read each, at least one.
 */
export function eventsOfBoardsWith(db: Firestore, player: string, template?: string): Query {
  // Ids of boards begin with a letter or a digit, and those of a template's boards with its id and a colon.
  const [from, before] = template === undefined ? ["0", "{"] : [`${template}:`, `${template};`];
  return db
    .collectionGroup("events")
    .where("players", "array-contains", player)
    .orderBy(FieldPath.documentId())
    .startAt(db.doc(leaderboardPath(from)))
    .endBefore(db.doc(leaderboardPath(before)));
}

interface ClosedSince {
  leaderboard?: string | undefined;
  sinceMs: number;
  untilMs: number;
  after?: { closedAt: Timestamp; path: string } | undefined;
}

/**
 * Seasons that closed between two times, the newest first; also seasons that are being deleted. Cost: one read each, at
 * least one.
 */
export function closedSeasons(db: Firestore, closed: ClosedSince, limit: number): Query {
  const { leaderboard, sinceMs, untilMs, after } = closed;
  const all =
    leaderboard === undefined ? db.collectionGroup("seasons") : db.collection(seasonsPath(leaderboard));
  const sorted = all
    .where("closed_at", ">=", Timestamp.fromMillis(sinceMs))
    .where("closed_at", "<", Timestamp.fromMillis(untilMs))
    .orderBy("closed_at", "desc")
    .orderBy(FieldPath.documentId(), "desc");
  return (after === undefined ? sorted : sorted.startAfter(after.closedAt, db.doc(after.path))).limit(limit);
}

/**
 * Players' documents with a number in a field, by this number and then by id; or a part of them, whose places have no
 * time. Cost: one read each, at least one. As `.count()`: one read for each 1,000, at least one.
 * @param field `score`, whatever the player's status is; or the score that the mark counts.
 */
export function numbered(
  db: Firestore,
  key: SeasonKey,
  field: "score" | typeof markedScore,
  { from, before }: Pick<ListSection, "from" | "before"> = {},
): Query {
  const all = db
    .collection(playersPath(key))
    .orderBy(field)
    .orderBy(FieldPath.documentId())
    .startAt(...(from ?? [-scoreSizeMax]));
  return before === undefined ? all.endAt(scoreSizeMax) : all.endBefore(...before);
}

/** Documents of a collection by id, above `after` and up to `until`. Cost: one read each, at least one. */
export function byId(
  db: Firestore,
  path: string,
  limit: number,
  { after, until }: { after?: string | undefined; until?: string | undefined } = {},
): Query {
  const all = db.collection(path).orderBy(FieldPath.documentId());
  const from = after === undefined ? all : all.startAfter(after);
  return (until === undefined ? from : from.endAt(until)).limit(limit);
}

/** Seasons of all boards whose ranking was published since a time. Cost: one read each, at least one. */
export function rankedSeasons(db: Firestore, sinceMs: number): Query {
  return db
    .collectionGroup("seasons")
    .where("ranking.published_at", ">=", Timestamp.fromMillis(sinceMs))
    .orderBy("ranking.published_at")
    .orderBy(FieldPath.documentId());
}

/** Seasons whose board's definition was deleted. Cost: one read each, at least one. */
export function parkedSeasons(db: Firestore): Query {
  const all = db.collectionGroup("seasons").where("parked", "==", "no_definition");
  return all.orderBy(FieldPath.documentId());
}

/**
 * Records of runs that began since a time, of one season or of all, the newest first. Cost: one read each, at least
 * one.
 */
export function runsSince(
  db: Firestore,
  outcome: "published" | "failed" | "done" | "running",
  { key, sinceMs }: { key?: SeasonKey | undefined; sinceMs: number },
  limit: number,
): Query {
  const all = key === undefined ? db.collectionGroup("runs") : db.collection(runsPath(key));
  return newestSince(all.where("outcome", "==", outcome), sinceMs).limit(limit);
}

/** Records of audits of all seasons that began since a time and found errors. Cost: one read each, at least one. */
export function wrongAudits(db: Firestore, sinceMs: number, limit: number): Query {
  return newestSince(db.collectionGroup("runs").where("repair", "==", "repair"), sinceMs).limit(limit);
}

function newestSince(records: Query, sinceMs: number): Query {
  return records.where("started_at", ">=", Timestamp.fromMillis(sinceMs)).orderBy("started_at", "desc");
}
