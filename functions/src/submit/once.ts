/**
 * Submissions that count once even if their transaction runs twice.
 *
 * The client library retries a transaction after any temporary error, even if the commit succeeded and only
 * its answer was lost. On most boards the second time changes nothing. Where it would (a sum; a limit on
 * attempts or on their frequency), a submission without an id gets one for the call, so that the player's
 * document shows whether it was recorded.
 */
import type { Player } from "../documents/player.ts";
import type { Definition } from "../model/definition.ts";
import type { Submission } from "./apply.ts";

/** Submissions of one call, and their results in its earlier attempts. */
export interface OnceEach<Sent extends Submission, Made> {
  submissions: readonly Sent[];
  /**
   * The result of an earlier attempt, if the players' documents, as they are now, show that it was recorded. It does
   * not matter what else they say, such as that the player has been banned since.
   */
  recorded: (index: number, players: readonly (Player | undefined)[]) => Made | undefined;
  /** Remembers the result of this attempt. */
  remember: (index: number, made: Made) => void;
}

/** @param newId gives a unique id. */
export function countOnce<Sent extends Submission, Made>(
  definitions: readonly Definition[],
  sent: readonly Sent[],
  newId: () => string,
): OnceEach<Sent, Made> {
  const earlier = new Map<number, Made>();
  const needsId = definitions.some(repeatCounts);
  const ids = sent.map(({ submission_id: id }) => (id === undefined && needsId ? newId() : undefined));
  return {
    submissions: sent.map((submission, index) => {
      const id = ids[index];
      return id === undefined ? submission : { ...submission, submission_id: id };
    }),
    recorded(index, players) {
      const id = ids[index];
      const isThere = id !== undefined && players.some((player) => player?.submission_ids?.includes(id));
      return isThere ? earlier.get(index) : undefined;
    },
    remember(index, made) {
      earlier.set(index, made);
    },
  };
}

function repeatCounts({ aggregation, max_attempts: most, min_seconds_between: wait }: Definition): boolean {
  return aggregation === "sum" || most !== undefined || wait !== undefined;
}
