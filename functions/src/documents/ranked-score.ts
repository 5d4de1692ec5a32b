/** The score with which a player's document is ranked. Pure: clients use this for their own document too. */
import { type Steps, toStep } from "../model/arithmetic.ts";
import { type PlayerStatus, playerStatuses, statusProblem, statusSaid } from "../model/player-status.ts";
import { isScore, scoreProblem } from "../model/score.ts";

/** The score as it is stored; undefined if the document has no score that is ranked. */
export function scoreIfRanked(data: Record<string, unknown> | undefined): number | undefined {
  const score = data?.["score"];
  return isScore(score) && statusSaid(data) === "active" ? 0 + score : undefined;
}

/**
 * What the index should count for a player: a score; nothing; or nothing because the document cannot be used, and why.
 * @param steps the board's definition; if it is left out, the score counts as it is stored.
 */
export function rankedScoreOf(
  data: Record<string, unknown> | undefined,
  steps: Steps = {},
): { score: number } | { unusable: string } | undefined {
  const score = scoreIfRanked(data);
  if (score !== undefined) return { score: toStep(steps, score) };
  if (data?.["score"] == null) return undefined;
  const status = statusSaid(data);
  if (status === "active") return { unusable: `score ${scoreProblem(data["score"])}` };
  if (playerStatuses.includes(status as PlayerStatus)) return undefined;
  return { unusable: statusProblem(status) };
}
