/** What a player's document, as found, counts for in the ranking. Pure: clients ask it of their own document too. */
import { scoreProblem } from "../model/score.ts";

/** What the inverted index should count for a player: a score, nothing, or nothing because the score is unusable. */
export type Standing = { score: number } | { unusable: string } | undefined;

/** What the inverted index should count for a player's document, as found. */
export function standingOf(data: Record<string, unknown> | undefined): Standing {
  if (data?.["score"] === undefined || data["score"] === null) return undefined;
  const status = data["status"] ?? "active";
  if (status !== "active" && playerStatuses.includes(status as PlayerStatus)) return undefined;
  if (status !== "active")
    return { unusable: `status ${JSON.stringify(status)} is not one of ${playerStatuses.join(", ")}` };
  const problem = scoreProblem(data["score"]);
  if (problem !== undefined) return { unusable: `score ${problem}` };
  return { score: 0 + (data["score"] as number) };
}

export const playerStatuses = ["active", "hidden", "banned"] as const;

/** `hidden`: kept, not ranked, not listed. `banned`: hidden, and further submissions are refused. */
export type PlayerStatus = (typeof playerStatuses)[number];
