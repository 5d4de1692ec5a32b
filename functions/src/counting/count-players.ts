/**
 * Brings marks into line with players' documents, whoever wrote these: for imports, repairs, and the trigger's players.
 * It compares what is counted with what the document asks for and ignores how it came about, so doing it twice, late or
 * in another order changes nothing.
 */
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { countedIn, type CountsBy, isMarkRight, shouldCount } from "../documents/mark.ts";
import { playerPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { lacksStatus, missingFields } from "../documents/player.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import { documentsAt } from "../documents/reads.ts";
import { readSeason, type Season } from "../documents/season.ts";
import { FirerankError, isBoardNotFound } from "../model/errors.ts";
import { isOfTemplate } from "../model/template.ts";
import type { Steps } from "../model/arithmetic.ts";
import type { PlayerStatus } from "../model/player-status.ts";
import { boardIfAny, boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { countsNoMore } from "../seasons/open-now.ts";
import { recentSpanSeason } from "../seasons/span-season.ts";
import { describeError } from "../world/describe-error.ts";
import {
  commitPlayers,
  type Fields,
  type LastMarked,
  hasOwnId,
  type PlayerDraft,
  type PlayersTransaction,
} from "./commit-players.ts";
import { statusesSaid, withStatuses } from "./kept-status.ts";
import type { Services } from "../world/services.ts";

/**
 * Fields that the commit also writes to a player's document, given its contents; undefined to leave it unchanged.
 * @param kept the status that the board keeps, where a file says whom it names and the document's may have to be this one
 */
type Rewrite = (
  player: string,
  data: Fields | undefined,
  kept: PlayerStatus | undefined,
) => Fields | undefined;

interface CountOptions {
  rewrite?: Rewrite | undefined;
  /** Of a file: the status that it names for a player. The board keeps one that is stricter than what it kept. */
  statusIn?: ((player: string) => PlayerStatus | undefined) | undefined;
  /** Whether the season, as the commit reads it, takes these changes; by default until it has ended. */
  takes?: ((season: Season) => boolean) | undefined;
}

interface CountedPlayers {
  rewritten: number;
  /** Players of whom something else is counted now. */
  changed: number;
  /** Players whose document cannot be ranked, with the reason, where that is new. */
  unusable: { player: string; problem: string }[];
}

/**
 * Counts players, in one transaction if they fit: a few hundred with the usual documents.
 *
 * Cost: 1 read a player, 1 for each whose document would name no status, and 1 for the season; 1 write for each player
 * whose document or mark changes, and 1 for the shard document. With a file what {@link statusesSaid} costs. Where
 * documents are so large that they need several commits, 1 read more for each that did not fit the first, and for the
 * season. The board costs 2 reads a minute.
 * @param names at most `playersPerCountMax`, each once.
 * @throws `season_closed` where the season does not take the changes; then nothing of the commit is written.
 */
export async function countPlayers(
  services: Services,
  key: SeasonKey,
  names: readonly string[],
  options: CountOptions = {},
): Promise<CountedPlayers> {
  const all: CountedPlayers = { rewritten: 0, changed: 0, unusable: [] };
  for (let next = 0, size = names.length; next < names.length; next += size) {
    const counted = await countSome(services, key, names.slice(next, next + size), options);
    size = counted.looked;
    all.rewritten += counted.rewritten;
    all.changed += counted.changed;
    all.unusable.push(...counted.unusable);
  }
  return all;
}

/** Counts the first players, as many as fit a commit. */
async function countSome(
  services: Services,
  key: SeasonKey,
  names: readonly string[],
  { rewrite, statusIn, takes = (season) => !countsNoMore(season) }: CountOptions,
) {
  const board = await boardOf(services, key);
  const paths = [seasonPath(key), ...names.map((player) => playerPath(key, player))];
  return commitPlayers(services, [board], async (players) => {
    const counted = { rewritten: 0, changed: 0, unusable: [] as CountedPlayers["unusable"], looked: 0 };
    const [season, ...documents] = await documentsAt(services.db, paths, players);
    if (season?.exists !== true || !takes(readSeason(season.data())))
      throw new FirerankError("season_closed", `The season "${key.season}" takes no scores any more.`);
    const said = statusIn && (await statusesSaid(services, players, key, documents, statusIn));
    const asked = documents.map((found) => {
      const { kept, keep } = said?.get(found.id) ?? {};
      return { found, fields: rewrite?.(found.id, found.data(), kept), keep };
    });
    for (const { found, fields, keep } of await withStatuses(services, players, key, asked)) {
      const { draft, changed, problem } = bringIntoLine(players, key, found, fields);
      if (draft !== undefined && !players.hasRoomFor([draft])) break;
      if (draft !== undefined) players.write(draft);
      keep?.(draft !== undefined);
      counted.looked += 1;
      if (fields !== undefined || keep !== undefined) counted.rewritten += 1;
      if (changed) counted.changed += 1;
      if (problem !== undefined) counted.unusable.push({ player: found.id, problem });
    }
    return counted;
  });
}

/**
 * What gives a player's document its mark, and what lists need, where either is missing or wrong.
 * @param fields to be written in any case, with a status: see {@link withStatuses}. @param last see {@link PlayersTransaction.draft}.
 * @returns the draft, if anything is to be written; whether something else is counted then, and why the document cannot be
 * ranked, where that is new.
 */
export function bringIntoLine(
  players: PlayersTransaction,
  key: SeasonKey,
  found: DocumentSnapshot,
  fields?: Fields,
  last?: LastMarked,
): { draft?: PlayerDraft; changed: boolean; problem?: string | undefined } {
  const before = found.data();
  const data = fields === undefined ? before : { ...before, ...fields };
  if (data === undefined) return { changed: false };
  const board = players.boardOf(key)?.definition;
  const changed = countedIn(before) !== shouldCount(data, board);
  const isFound = hasOwnId(key, found.id, data);
  if (!changed && fields === undefined && isFound && isComplete(data, board)) return { changed };
  const draft = players.draft(key, found, fields ?? {}, { data: before, last });
  const ranked = changed ? rankedScoreOf(data) : undefined;
  return { draft, changed, problem: ranked && "unusable" in ranked ? ranked.unusable : undefined };
}

/** Says that a document cannot be brought into line, as Firestore refuses to write it. */
export function logRefused({ log }: Services, key: SeasonKey, player: string, error: unknown): void {
  const facts = { ...key, player, problem: describeError(error) };
  log.error(`player ${player} is not ranked: Firestore refuses to write the document`, facts);
}

/** The fields of a player's document that {@link isInLine} reads: the others may be large. */
export const fieldsInLine = ["status", "score", "segments", "achieved_at", "counted"];

/** Whether a document is counted as it asks for, and nothing is left to fill in. @param board see {@link shouldCount} */
export function isInLine(data: Fields | undefined, board?: CountsBy): boolean {
  return isMarkRight(data, board) && isComplete(data, board);
}

/** Whether a document with a score has what lists need to find it. @param steps of the board */
export function isComplete(data: Fields | undefined, steps?: Steps): boolean {
  if (data === undefined) return true;
  return !lacksStatus(data) && Object.keys(missingFields(data, new Timestamp(0, 0), steps)).length === 0;
}

/**
 * Whether a final table can have a player as the document is: lists find the document, and on a board with segments its mark
 * says in which segments the player is.
 */
export function isReadyForTable(data: Fields | undefined, board: CountsBy): boolean {
  return board.segments === undefined ? isComplete(data, board) : isInLine(data, board);
}

/**
 * The board, with its season opened if a trusted server's document is the first in it; undefined without a definition, as
 * players count all the same. @throws other errors: without its board, a sleeping season would not be woken.
 */
export function boardOf(services: Services, key: SeasonKey): Promise<Board | undefined> {
  const { now } = services;
  const boards = boardCacheOf(services);
  return boardIfAny(services, key, async () => {
    const board = await boards.load(key);
    if (board.season !== undefined) return board;
    const spanSeason = recentSpanSeason(board, key, now());
    if (spanSeason === undefined) return board;
    return boards.open(spanSeason, board).catch((error: unknown) => {
      // A board that its template does not have so far: what is counted in it has the template's decimals, and was never of
      // another board.
      if (isOfTemplate(key.leaderboard) && isBoardNotFound(error)) return { ...board, createdMs: 0 };
      throw error;
    });
  });
}
