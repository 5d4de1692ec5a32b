/** The score that a player's document has in the ranking. Pure: clients use it for their own document too. */
import { type Steps, toStep } from "../model/arithmetic.ts";
import { type PlayerStatus, playerStatuses, statusSaid } from "../model/player-status.ts";
import { scoreProblem } from "../model/score.ts";

/**
 * What the index should count for a player: a score, nothing, or nothing because the score is unusable.
 * @param steps of the board; left out, the score counts as it is written.
 */
export function rankedScoreOf(
  data: Record<string, unknown> | undefined,
  steps: Steps = {},
): { score: number } | { unusable: string } | undefined {
  if (data?.["score"] === undefined || data["score"] === null) return undefined;
  const status = statusSaid(data);
  if (status !== "active" && playerStatuses.includes(status as PlayerStatus)) return undefined;
  if (status !== "active")
    return { unusable: `status ${JSON.stringify(status)} is not one of ${playerStatuses.join(", ")}` };
  const problem = scoreProblem(data["score"]);
  if (problem !== undefined) return { unusable: `score ${problem}` };
  return { score: toStep(steps, data["score"] as number) };
}

/** The score alone; undefined where the document has none that is ranked. */
export function scoreIfRanked(data: Record<string, unknown> | undefined): number | undefined {
  const ranked = rankedScoreOf(data);
  return ranked !== undefined && "score" in ranked ? ranked.score : undefined;
}
