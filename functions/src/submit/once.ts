/**
 * Submissions that count once although their transaction runs twice.
 *
 * The client library runs a transaction again after any error that may pass, also when the commit went through and
 * only its answer was lost. On most boards the second time changes nothing. Where it would (a sum; a limit on
 * attempts or on their frequency), a submission that came without an id is given one for the call, so that its
 * player's document tells.
 */
import type { Player } from "../documents/player.ts";
import type { Definition } from "../model/definition.ts";
import type { Submission } from "./apply.ts";

/** Submissions of one call, and what its earlier attempts made of them. */
export interface OnceEach<Sent extends Submission, Made> {
  submissions: readonly Sent[];
  /**
   * What an earlier attempt made of a submission, if the players' documents, as they are now, show that it was
   * recorded; whatever they say else, such as that the player is banned by now.
   */
  recorded: (index: number, players: readonly (Player | undefined)[]) => Made | undefined;
  /** Remembers what this attempt makes of a submission. */
  remember: (index: number, made: Made) => void;
}

/** @param newId gives an id that nobody else has. */
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
