/** How the documents of two players in a season become one, after their accounts were linked. Pure. */
import { Timestamp } from "../documents/firestore.ts";
import type { Player } from "../documents/player.ts";
import type { OrderedPlayer } from "../documents/standings.ts";
import { comparePlayers } from "../model/compare-players.ts";
import { sizeMaxOf, sizeMaxSaid, toStep } from "../model/arithmetic.ts";
import { unpackColumns } from "../model/columns.ts";
import { defined } from "../model/defined.ts";
import type { Definition } from "../model/definition.ts";
import { outOfRange } from "../model/errors.ts";
import { submissionIdsMax } from "../model/limits.ts";
import { stricter } from "../model/player-status.ts";
import { isBetter } from "../model/score.ts";
import { addUp } from "./apply.ts";

/** The fields that belong to a score. */
type ScoreFields = { [Name in "score" | "columns" | "achieved_at" | "metadata"]?: Player[Name] | undefined };

export interface Merged {
  player: Player;
  /** Submission ids that both documents have: of one submission, or of two with the same id. */
  repeated: string[];
}

/**
 * Merges a player into another, by the board's aggregation.
 *
 * - `best`: the score that ranks higher, among equal ones that which the board's `ties` put first, with its time and
 *   metadata. `latest`: the score of the player who submitted last, with the same. `sum`: both added, column by column,
 *   with the later time; metadata is `to`'s if there is any.
 * - Attempts are added, the stricter status counts, name and segments are `to`'s where there are some, and the newest submission
 *   ids of both are kept. The board's limits (`max_score`, `max_change`, `max_attempts`) do not matter: they are for
 *   submissions.
 * - A document of `from` in which every attempt is a submission that `to` knows too may be what a late repetition has
 *   left after an earlier merge. So it adds no attempt, and nothing to a sum, and is not the latest; but a better score
 *   counts.
 *
 * @throws `score_out_of_range` if a sum is larger than the board's scores may be or leaves a column's range, or if no
 * columns make one of the scores.
 */
export function mergePlayer(definition: Definition, found: Player, other: Player | undefined): Merged {
  const from = inSteps(definition, found);
  if (other === undefined) return { player: from, repeated: [] };
  const to = inSteps(definition, other);
  const known = new Set(to.submission_ids);
  const repeated = (from.submission_ids ?? []).filter((id) => known.has(id));
  const shown = {
    status: stricter(from.status, to.status),
    display_name: to.display_name ?? from.display_name,
    segments: from.segments ? { ...from.segments, ...to.segments } : to.segments,
  };
  if (repeated.length > 0 && repeated.length === from.attempts) {
    const value = isBetterOf(definition, from, to) ? valueOf(from) : {};
    return { player: defined({ ...to, ...value, ...shown }) as Player, repeated };
  }
  const ids = idsOf(from, to);
  const player = {
    ...mergeValue(definition, from, to),
    ...shown,
    attempts: from.attempts + to.attempts,
    last_submission_at: later(from.last_submission_at, to.last_submission_at),
    submission_ids: ids.length === 0 ? undefined : ids,
  };
  return { player: defined(player) as Player, repeated };
}

/** A player with the score that the board stores: a trusted server's may not be a step of it yet. */
function inSteps(definition: Definition, player: Player): Player {
  return player.score === undefined ? player : { ...player, score: toStep(definition, player.score) };
}

/** Whether `from` has a better score, and not only an equal one, on a board of the best. */
function isBetterOf({ aggregation, order }: Definition, { score }: Player, to: Player): boolean {
  return (
    aggregation === "best" &&
    score !== undefined &&
    (to.score === undefined || isBetter(order, score, to.score))
  );
}

function mergeValue(definition: Definition, from: Player, to: Player): ScoreFields {
  if (definition.aggregation !== "sum") return valueOf(counts(definition, from, to) ? from : to);
  return { ...total(definition, from, to), metadata: to.metadata ?? from.metadata };
}

function valueOf({ score, columns, achieved_at: at, metadata }: Player): ScoreFields {
  return { score, columns, achieved_at: at, metadata };
}

/** Whether the score of `from` counts, and not that of `to`. */
function counts({ aggregation, order, ties }: Definition, from: Player, to: Player): boolean {
  if (from.score === undefined || to.score === undefined) return to.score === undefined;
  if (aggregation === "best") return comparePlayers(order, ties, orderedPlayer(from), orderedPlayer(to)) < 0;
  // Of a trusted server's document only the time of the score is known.
  const [last, other] = [from, to].map((player) => player.last_submission_at ?? player.achieved_at);
  return last !== undefined && (other === undefined || last > other);
}

function orderedPlayer({ score = NaN, achieved_at: achievedAt = never }: Player): OrderedPlayer {
  return { player: "", score, achievedAt };
}

/** Later than any score. */
const never = Timestamp.fromMillis(Date.parse("9999-12-31"));

function total(definition: Definition, from: Player, to: Player): ScoreFields {
  if (from.score === undefined) return valueOf(to);
  // A server's score that no columns make cannot be added, and a merge must not lose it.
  if (to.score !== undefined) asSubmitted(definition, to.score);
  const sum = addUp(definition, to.score, asSubmitted(definition, from.score));
  if (Math.abs(sum.score) > sizeMaxOf(definition))
    throw outOfRange(
      "score",
      `the total ${sum.score} would be larger in size than ${sizeMaxSaid(definition)}`,
    );
  // The time of a score that can't be ranked says nothing about the total.
  const at = to.score === undefined ? from.achieved_at : later(from.achieved_at, to.achieved_at);
  return { ...sum, achieved_at: at };
}

function asSubmitted({ order, columns: wanted }: Definition, score: number): Parameters<typeof addUp>[2] {
  if (wanted === undefined) return { score };
  const columns = unpackColumns(order, wanted, score);
  if (columns === undefined)
    throw outOfRange("score", `${score} is not a score of this leaderboard's columns`);
  return { score, columns };
}

/** The ids of both, in turn from the newest: as many of each as of any player, also if an earlier merge has left more. */
function idsOf(from: Player, to: Player): string[] {
  const isLast = later(from.last_submission_at, to.last_submission_at) === from.last_submission_at;
  const [first, last] = isLast ? [to, from] : [from, to];
  const lists = [last, first].map(({ submission_ids: ids = [] }) => ids.toReversed());
  const newest = new Set<string>();
  for (let i = 0; lists.some((ids) => i < ids.length); i++)
    for (const { [i]: id } of lists) if (id !== undefined) newest.add(id);
  return [...newest].slice(0, 2 * submissionIdsMax).reverse();
}

function later(a: Timestamp | undefined, b: Timestamp | undefined): Timestamp | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
