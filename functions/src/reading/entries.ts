/** Lines of a list: from a player's stored document to the entry that callers get. Pure, except for its types. */
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { markedIn } from "../documents/mark.ts";
import type { RankingKey } from "../documents/paths.ts";
import { plainJson } from "../documents/plain-json.ts";
import { type Metadata, type Player, readPlayer } from "../documents/player.ts";
import type { ListKey } from "../documents/queries.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import type { OrderedPlayer } from "../documents/standings.ts";
import type { Entry } from "../model/answers.ts";
import { type Steps, toStep } from "../model/arithmetic.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { FirerankError } from "../model/errors.ts";
import { isoTime } from "../model/instant.ts";
import { segmentValues } from "../model/segments.ts";
import type { Place, Places } from "./lookup.ts";
import { toEntry } from "./top-answer.ts";

/** A player whom lists may show. */
export interface Listed extends OrderedPlayer {
  shown: Pick<Player, "display_name" | "metadata">;
  /** By which queries find the player. */
  listKey: ListKey;
  /** The segments in which the player is: as the mark says, in a closed season as the standings do. */
  segments: readonly string[];
  /** The player's document, with the mark; absent for one from final standings. */
  data?: Record<string, unknown>;
}

export interface Position {
  position: number;
  exact: boolean;
}

/**
 * The player of a document; undefined if it has no ranked score. A trusted server's document that the trigger has not
 * completed yet is listed as it will be: with the board's nearest step as its score, at the time when it was written.
 */
export function listedOf(document: DocumentSnapshot, steps: Steps = {}): Listed | undefined {
  const data = document.data() ?? {};
  const score = scoreIfRanked(data);
  if (score === undefined) return undefined;
  const { id: player, updateTime = Timestamp.fromMillis(0) } = document;
  const achieved: unknown = data["achieved_at"] ?? updateTime;
  const achievedAt = achieved instanceof Timestamp ? achieved : updateTime;
  const segments = markedIn(data)?.segments ?? [];
  return {
    player,
    score: toStep(steps, score),
    achievedAt,
    listKey: [score, achieved, player],
    segments,
    shown: withPlainMetadata(readPlayer(data)),
    data,
  };
}

/** A player, or a line of the top, with what a trusted server has stored in the metadata as {@link plainJson}. */
export function withPlainMetadata<Line extends { metadata?: Metadata | undefined }>(line: Line): Line {
  return line.metadata === undefined ? line : { ...line, metadata: plainJson(line.metadata) };
}

/** Whether a player is in the segment that is asked for, if one is. */
export function isIn({ segment }: RankingKey, { segments }: Pick<Listed, "segments">): boolean {
  return segment === undefined || segments.includes(segment);
}

export function entryOf(
  { order, columns }: Pick<Definition, "order" | "columns">,
  {
    player,
    score,
    achievedAt,
    shown: { display_name, metadata },
  }: Pick<Listed, "player" | "score" | "achievedAt" | "shown">,
  { rank, exact: isRankExact }: Pick<Place, "rank" | "exact">,
  { position, exact }: Position,
): Entry {
  const line = { player, rank, position, score, achieved_at: achievedAt };
  return {
    ...toEntry({ ...line, columns: unpackColumns(order, columns, score), display_name, metadata }),
    ...(isRankExact ? {} : { exact: false as const }),
    ...(exact ? {} : { position_exact: false as const }),
  };
}

/** How answers name the ranking that they are of. */
export function answered({ leaderboard, season, segment }: RankingKey) {
  return {
    leaderboard,
    season,
    ...(segment === undefined ? {} : { segment: segmentValues([segment]) }),
  };
}

export function dated({ asOf, generation }: Pick<Places, "asOf" | "generation">) {
  return { as_of: isoTime(asOf), generation };
}

/** The error about a player who is not listed. @param why by default that the player is not in the ranking asked for. */
export function notRanked(
  player: string,
  { leaderboard, segment }: RankingKey,
  why = segment === undefined ? "has no ranked score" : `is not in ${segment}`,
): FirerankError {
  return new FirerankError("player_not_ranked", `Player "${player}" ${why} on leaderboard "${leaderboard}".`);
}
