/** A board as its two documents say: the definition, of its own or of its template, and a season. */
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { definitionPath, type RankingKey, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { documentsAt, type Reader } from "../documents/reads.ts";
import { readSeason, type RunningSeasons, type Season, storedRunningSeasons } from "../documents/season.ts";
import type { Definition } from "../model/definition.ts";
import { boardNotFound, TemplateAsked } from "../model/errors.ts";
import { millisOf } from "../model/instant.ts";
import { definitionOf, readSavedDefinition, type SavedDefinition } from "../model/season-definition.ts";
import { isOfTemplate } from "../model/template.ts";

/** A leaderboard with one of its seasons; `season` is missing until the first submission opens it. */
export interface Board {
  key: SeasonKey;
  /** The board's, with what the season keeps of it: see {@link definitionOf}. */
  definition: Definition;
  /** Seasons that run on after the board's calendar was changed. */
  running: RunningSeasons;
  /** Whether the board got `all_time` after it had other seasons, so that not every known player is in it. */
  gotAllTimeLate: boolean;
  /** Segments that the board once had. An instance that remembers an older definition may not know all of them. */
  segmentsGone: SavedDefinition["segmentsGone"];
  /** Of a template: whether a board of it was opened. */
  hasBoards: boolean;
  /** Since when marks keep a history for movement, in milliseconds since 1970; undefined if they never did. */
  movementSinceMs: number | undefined;
  season: Season | undefined;
  /**
   * When the definition or the season was created, the earlier of the two, or of a template's board its season: the
   * board was not deleted since. In milliseconds since 1970; Infinity before the season is opened.
   */
  createdMs: number;
  /** When the season's document was created, in milliseconds since 1970; Infinity before that. */
  openedMs: number;
}

/** A board whose key may name a segment: then the segment's ranking is meant. */
export type RankingBoard = Board & { key: RankingKey };

/** A board whose season has been opened. */
export type OpenedBoard = Board & { season: Season };

/** What is left of a season: nothing is counted any more in a season that has ended. */
export type SeasonLeft = "there" | "ended" | "gone";

export function seasonLeft(season: DocumentSnapshot): SeasonLeft {
  if (!season.exists) return "gone";
  return ["closed", "deleting"].includes(season.get("status") as string) ? "ended" : "there";
}

/**
 * Reads a board with its season. Cost: 2 reads. @throws `leaderboard_not_found`
 * @param onLost gets what is left of the season before the error is thrown.
 */
export async function readBoard(
  db: Firestore,
  key: SeasonKey,
  reader: Reader = db,
  onLost?: (season: SeasonLeft) => void,
): Promise<Board> {
  const paths = [definitionPath(key.leaderboard), seasonPath(key)] as const;
  const [definition, season] = await documentsAt(db, paths, reader);
  if (!definition.exists) {
    onLost?.(seasonLeft(season));
    throw boardNotFound(key.leaderboard);
  }
  return boardWith(key, definedIn(key.leaderboard, definition), season);
}

/**
 * Makes sure in a transaction that a board, or its template, is not deleted: an instance may remember it, and nobody would
 * delete what is written beside the seasons of a board that is gone. Cost: 1 read. @throws `leaderboard_not_found`
 */
export async function requireDefinition(db: Firestore, leaderboard: string, reader: Reader): Promise<void> {
  const [definition] = await documentsAt(db, [definitionPath(leaderboard)], reader);
  if (!definition.exists) throw boardNotFound(leaderboard);
}

/** What a board has from the document of its definition. */
export type Defined = Omit<Board, "key" | "season" | "createdMs" | "openedMs"> & Record<"definedMs", number>;

/** @throws `leaderboard_not_found` also for a template, which is no board, and for a board of what is no template. */
export function definedIn(leaderboard: string, document: DocumentSnapshot): Defined {
  if (!document.exists) throw boardNotFound(leaderboard);
  const saved = readSavedDefinition(document.data());
  const { definition } = saved;
  const isTemplate = definition.template !== undefined;
  if (isTemplate && !isOfTemplate(leaderboard)) throw new TemplateAsked(leaderboard);
  if (!isTemplate && isOfTemplate(leaderboard)) throw boardNotFound(leaderboard);
  return {
    ...saved,
    running: storedRunningSeasons.parse(document.get("running_seasons")),
    gotAllTimeLate: document.get("got_all_time_late") === true,
    hasBoards: document.get("first_board_at") !== undefined,
    movementSinceMs: millisOf(document.get("movement_since")),
    definedMs: document.createTime?.toMillis() ?? Infinity,
  };
}

export function boardWith(key: SeasonKey, defined: Defined, document: DocumentSnapshot | undefined): Board {
  const season = document?.exists === true ? readSeason(document.data()) : undefined;
  const openedMs = document?.createTime?.toMillis() ?? Infinity;
  const { definedMs, ...shared } = defined;
  return {
    ...shared,
    key,
    definition: definitionOf(defined, season),
    season,
    // A template may be older than its board, which may have been deleted and opened again.
    createdMs: isOfTemplate(key.leaderboard) ? openedMs : Math.min(definedMs, openedMs),
    openedMs,
  };
}

/** A board with a season as it is now, by whose definition it goes; of another season only with that season's key. */
export function withSeason<Of extends Board>(board: Of, season: Season): Of & OpenedBoard {
  return { ...board, season, definition: definitionOf(board, season) };
}
