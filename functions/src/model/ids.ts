/** Schemas of the ids that become Firestore document ids. */
import { z } from "zod";
import { idCharactersMax, playerIdCharactersMax, submissionIdCharactersMax } from "./limits.ts";

/** A leaderboard's id: also part of URLs, so letters, digits, `_` and `-`. */
export const leaderboardId = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,${idCharactersMax - 1}}$`),
    `must be 1 to ${idCharactersMax} letters, digits, "_" or "-", beginning with a letter or digit`,
  );

/** A season's id, such as `all_time`. */
export const seasonId = leaderboardId;

/** A player's id: the Firebase Auth uid where there is one, else any string that Firestore takes as a document id. */
export const playerId = z
  .string()
  .min(1, "must not be empty")
  .max(playerIdCharactersMax, `must have at most ${playerIdCharactersMax} characters`)
  .refine((id) => !id.includes("/"), 'must not contain "/"')
  .refine((id) => id !== "." && id !== "..", 'must not be "." or ".."')
  .refine((id) => !/^__.*__$/s.test(id), 'must not be of the form "__…__", which Firestore reserves')
  .refine((id) => id.isWellFormed() && !hasControlCharacter(id), "must not contain control characters");

/** A document's id as a trusted server may have chosen it: any string that Firestore takes. */
export const documentId = z
  .string()
  .refine(
    (id) => id !== "" && new TextEncoder().encode(id).length <= 1_500,
    "must have 1 to 1,500 bytes, as the id of a Firestore document has",
  )
  .refine(
    (id) => !id.includes("/") && id !== "." && id !== ".." && !/^__.*__$/s.test(id) && id.isWellFormed(),
    "must be an id that Firestore takes for a document",
  );

/**
 * The id of a player who gets a score. Events about a document come with its path in an HTTP header, which loses white
 * space at its end, so that the trigger would never find the player:
 * https://github.com/firebase/firebase-functions/issues/1922.
 */
export const scorerId = playerId.refine((id) => !/\s$/u.test(id), "must not end with a space");

/** What makes a retried submission recognisable. */
export const submissionId = z
  .string()
  .min(1, "must not be empty")
  .max(submissionIdCharactersMax, `must have at most ${submissionIdCharactersMax} characters`)
  .refine((id) => id.isWellFormed() && !hasControlCharacter(id), "must not contain control characters");

/** Whether a text has a character that no name or id needs and no page shows. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
