/**
 * One view of a ranking: a request makes it once (view-of.ts), and asks it for whatever it shows. Three makers answer alike:
 *
 * - published.ts: the pages of the last publication
 * - live.ts: these pages, and everything that was counted since
 * - of a season that has closed, its final table (standings/final-view.ts)
 *
 * Players come from the view too. Who is hidden, banned, erased or in another segment is nobody there.
 */
import type { Timestamp } from "../documents/firestore.ts";
import type { Freshness } from "../model/answers.ts";
import type { RankingBoard } from "../seasons/read-board.ts";
import type { ListEnd } from "./cursor.ts";
import type { Listed, Position } from "./entries.ts";
import type { Place, Places, PageRow } from "./lookup.ts";
import type { Skips } from "./offset.ts";

/** What a request says about the ranks that it wants. */
export interface RanksAsked {
  freshness?: Freshness | undefined;
  /** A generation that the caller has seen: once it is published, no older ranks are answered. */
  min_generation?: number | undefined;
  /** Whether ranks in merged rows are made certain; a list never asks for it. */
  exact?: boolean | undefined;
}

/** What an answer says of a ranking as a whole. */
export type RankingFacts = Omit<Places, "of">;

/** Scores in a ranking, and its rows. */
export interface Ranks {
  /**
   * The places of scores, all of one generation; of no scores, to learn only about the whole ranking.
   * @param atLeast no older generation is answered, as for the request's own `min_generation`.
   * @param held whether players have the scores, which they mostly do.
   */
  placesOf(scores: readonly number[], atLeast?: number, held?: boolean): Promise<Places>;
  /**
   * The place of one score, as certain as the request wants it.
   * @param held whether a player has the score.
   * @throws `player_not_ranked` before the first publication, if the ranks are published ones
   */
  placeOf(score: number, held: boolean, atLeast?: number): Promise<Places>;
  /**
   * The row with the player at a 0-based offset; none beyond the last player.
   * @param atLeast as for {@link placesOf}.
   */
  rowAt(offset: number, atLeast?: number): Promise<RowFound>;
}

export interface RowFound {
  row: PageRow | undefined;
  ranking: RankingFacts;
  /** Whether the rank of the row's best score is certain. */
  exact: boolean;
}

/** A player in a list. */
export interface Line {
  player: Listed;
  place: Omit<Place, "dense_rank">;
  position: Position;
}

/** A part of a list, best first. */
export interface Lines {
  ranking: RankingFacts;
  lines: readonly Line[];
  /** Where the list goes on; undefined where it ends. */
  end?: ListEnd | undefined;
}

/** The score that a player has in a ranking. */
export interface ScoreFound {
  /** The scores between which it lies, both included; one score where it is known. Undefined where there is no player. */
  score: { best: number; worst: number } | undefined;
  ranking: RankingFacts;
  /** Whether the rank of the best one is certain. */
  exact: boolean;
}

/** Players, and lists of them. What they cost is said by the calls that show them. */
export interface Lists {
  /** Players by their ids, in order; undefined for one who is not in the ranking. Cost: 1 read each. */
  players(ids: readonly string[]): Promise<(Listed | undefined)[]>;
  /** The best players, and when they were read. Cost: 1 read each, at least 1. */
  best(limit: number): Promise<{ players: readonly Listed[]; readAt: Timestamp }>;
  /** The players from a 0-based offset on; none beyond the end. @throws what `skips.refuse` gives */
  linesFrom(offset: number, limit: number, skips: Skips): Promise<Lines>;
  /** The players from a score on, whether or not a player has it. */
  linesFromScore(score: number, limit: number): Promise<Lines>;
  /** The players behind the end of another list. */
  linesBehind(end: ListEnd, limit: number): Promise<Lines>;
  /** A player with up to so many neighbours on either side. @throws `player_not_ranked` */
  linesAround(player: string, sides: { above: number; below: number }): Promise<Lines>;
  /** Those of some players who are in the ranking; each is named once. */
  linesOf(players: readonly string[]): Promise<Lines>;
  /**
   * The score that the player at a 0-based offset has in the ranking; none beyond the last player.
   * @param offsetOf says the offset, given the number of players of the same ranking.
   */
  scoreAt(offsetOf: (players: number) => number): Promise<ScoreFound>;
}

export interface RankingView extends Omit<Ranks, "rowAt">, Lists {
  board: RankingBoard;
}
