/** Players of seasons, as their documents have them, and what a submission makes of a score by the board's rules. */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { countedIn } from "../../functions/src/documents/mark.ts";
import { playerPath } from "../../functions/src/documents/paths.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { keyIn } from "../board.ts";
import { type Data, timeOf } from "../memory/store.ts";
import { markOf, namesNoStatus, scoreIn, type Status, statusIn, valuesIn } from "./player.ts";
import { tickOf, WorldCheck } from "./setting.ts";
import type { Submission } from "./work.ts";

/** A player in a season. */
export interface Held {
  /** Undefined if the document has no score that can be ranked. */
  score: number | undefined;
  status: Status;
  at: Timestamp | undefined;
  /** The values of segments that the document has. */
  segments: Data | undefined;
  /** The segments in which the player is counted. */
  marked: readonly string[];
}

export class Players extends WorldCheck {
  private readonly replacedAt = new Map<string, number>();

  /** A player's document of a season. */
  documentOf(season: string, player: string): Data | undefined {
    return this.world.database.store.get(playerPath(keyIn(season), player))?.data;
  }

  /** A player in a season now. */
  held(season: string, player: string): Held | undefined {
    return heldIn(this.documentOf(season, player));
  }

  /** Whether something was true of a player in a season since a tick; also if nobody knows that any more. */
  mayHaveBeen(
    season: string,
    player: string,
    sinceTick: number,
    holds: (held: Held | undefined) => boolean,
  ): boolean {
    const path = playerPath(keyIn(season), player);
    return this.world.database.store.history(path, timeOf(sinceTick))?.map(heldIn).some(holds) ?? true;
  }

  /** Whether a server's document may have named no status since a tick. */
  mayHaveNamedNoStatus(season: string, player: string, sinceTick: number): boolean {
    const path = playerPath(keyIn(season), player);
    return this.world.database.store.history(path, timeOf(sinceTick))?.some(namesNoStatus) ?? true;
  }

  /** A document of the player was removed, or replaced by another: the submissions in the old one are forgotten. */
  replaced(player: string): void {
    this.replacedAt.set(player, tickOf(this.world));
  }

  wasReplacedSince(player: string, tick: number): boolean {
    return (this.replacedAt.get(player) ?? -1) > tick;
  }

  /** The score after a submission. */
  scoreAfter(before: number | undefined, score: number): number {
    const { aggregation, order } = this.world.plan.definition;
    if (before === undefined) return score;
    if (aggregation === "best") return isBetter(order, score, before) ? score : before;
    return aggregation === "latest" ? score : before + score;
  }

  /** Whether a submission changes nothing of a player, so that no document remembers the submission. */
  isVain(held: Pick<Held, "score" | "segments"> | undefined, submission: Submission): boolean {
    const { score, id } = submission;
    if (held?.score === undefined) return false;
    if (this.scoreAfter(held.score, score) !== held.score) return false;
    if (!isDeepStrictEqual(segmentsAfter(held.segments, submission), held.segments)) return false;
    return this.world.plan.definition.aggregation === "best" || id === undefined;
  }
}

/** A player as a document of a season says. */
export function heldIn(data: Data | undefined): Held | undefined {
  if (data === undefined) return undefined;
  const { achieved_at: at } = data;
  return {
    score: scoreIn(data),
    status: statusIn(data),
    at: at instanceof Timestamp ? at : undefined,
    segments: valuesIn(data),
    marked: markOf(countedIn(data))?.segments ?? [],
  };
}

/** The values of segments after a submission: the values that the submission says, and the old ones of other segments. */
export const segmentsAfter = (before: Data | undefined, { segments: said }: Pick<Submission, "segments">) =>
  said === undefined || Object.keys(said).length === 0 ? before : { ...before, ...said };
