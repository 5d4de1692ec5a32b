/** Submissions in the short form that tests write them in. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Player } from "../../functions/src/documents/player.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { type Applied, applySubmission } from "../../functions/src/submit/apply.ts";
import type { Submission } from "../../functions/src/submit/schema.ts";
import { definitionOf } from "./definitions.ts";

/** A definition as a caller sends it. */
export type Board = Parameters<typeof definitionOf>[0];

/** A time some seconds after the first submission. */
export const at = (seconds: number) => Timestamp.fromMillis(1_700_000_000_000 + seconds * 1_000);

/** Submits for a player, at a time in seconds. */
export const submit = (
  board: Board,
  player: Player | undefined,
  submission: Submission,
  seconds = 0,
): Applied => applySubmission(definitionOf(board), player, submission, at(seconds));

/** Submits one after the other, a second apart. */
export function play(board: Board, submissions: readonly Submission[]): Player | undefined {
  return submissions.reduce<Player | undefined>(
    (player, submission, i) => submit(board, player, submission, i).player,
    undefined,
  );
}

/** The error that a submission is refused with. */
export function refusal(
  board: Board,
  player: Player | undefined,
  submission: Submission,
  seconds = 0,
): FirerankError {
  try {
    submit(board, player, submission, seconds);
  } catch (error) {
    if (error instanceof FirerankError) return error;
  }
  throw new Error("the submission was not refused");
}

/** A board of two columns: more points are better, then fewer seconds. */
export const table: Board = {
  columns: [
    { name: "points", min: 0, max: 300 },
    { name: "seconds", min: 0, max: 59, order: "ascending" },
  ],
};
