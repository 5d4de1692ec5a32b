/** What is asked before a merge. Pure. */
import type { ExportPlayerAnswer } from "../../../functions/src/model/admin-answers.ts";
import type { Question } from "../parts/confirm.tsx";

interface Asked {
  leaderboard: string;
  player: string;
  /** Who gets the scores. */
  to: string;
  /** Whether `to` has a score in any season of the board. */
  hasScore: boolean;
}

/** The id to type is the one that gets the scores: nobody has looked at it yet, and it may be mistyped. */
export function mergeQuestion({ leaderboard, player, to, hasScore }: Asked) {
  const gets = hasScore
    ? `${to} gets the scores of both, as the board aggregates them, in all seasons`
    : `${to} has no score on ${leaderboard} yet: check the ID. It gets the scores of ${player} in all seasons`;
  return {
    title: `Merge ${player} into ${to}?`,
    text: `${gets}; ${player} is gone then. This cannot be undone.`,
    verb: "Merge",
    typed: to,
    isDanger: true,
  } satisfies Question;
}

/** Whether a player has a score in any season of a board, by what is stored about the player. */
export function isScored({ seasons }: Pick<ExportPlayerAnswer, "seasons">): boolean {
  return seasons.some(({ player, standing }) => player?.["score"] !== undefined || standing !== undefined);
}
