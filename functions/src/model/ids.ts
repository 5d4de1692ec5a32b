/** Schemas of the ids that become Firestore document ids. */
import { z } from "zod";
import { documentIdBytesMax, documentIdProblem, numberInId } from "./document-id.ts";
import { idCharactersMax, playerIdCharactersMax, submissionIdCharactersMax } from "./limits.ts";
import { definitionId } from "./template.ts";

/**
 * Patterns for the OpenAPI description of requests. They use no look-ahead and no Unicode properties, so that any
 * language can read them. The checks beside the patterns are stricter.
 */
const control = String.raw`\x00-\x1f\x7f-\x9f`;
/** A text without control characters. */
export const textPattern = `^[^${control}]+$`;

/** Ids are parts of URLs, so they have only letters, digits, `_` and `-`. */
const name = `[A-Za-z0-9][A-Za-z0-9_-]{0,${idCharactersMax - 1}}`;
const nameSaid = `must be 1 to ${idCharactersMax} letters, digits, "_" or "-", beginning with a letter or digit`;

const leaderboardIds = new RegExp(`^${name}(:[A-Za-z0-9_-]{1,${idCharactersMax}})?$`);

/** The id under which a definition is saved: of a board, or of a template for many boards. */
export const definedId = z.string().regex(new RegExp(`^${name}$`), {
  error({ input }) {
    if (typeof input !== "string" || !leaderboardIds.test(input)) return nameSaid;
    return `must be the template's id, "${definitionId(input)}", which is for all of its boards`;
  },
});

/** A leaderboard's id. A board of a template has the template's id, a colon and a name of its own: `level:7`. */
export const leaderboardId = z
  .string()
  .regex(
    leaderboardIds,
    `${nameSaid}; for a board of a template, also a colon and 1 to ${idCharactersMax} of these`,
  );

/** A season's id, such as `all_time`. */
export const seasonId = z.string().regex(new RegExp(`^${name}$`), nameSaid);

/** The id of an existing document, whoever chose it: any string that Firestore takes. */
export const documentId = z
  .string()
  .min(1, "must not be empty")
  .superRefine((id, context) => {
    const isTooLarge = /^__.*__$/.test(id) && numberInId(id) === undefined;
    const numberProblem = isTooLarge ? "must be of a 64-bit number, as it begins with __id" : undefined;
    const problem = id === "" ? undefined : (documentIdProblem(id) ?? numberProblem);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .meta({ maxLength: documentIdBytesMax, pattern: "^[^/]+$" })
  .describe(
    "Any id that Firestore takes for a document: not `.` or `..`, nor of the form `__…__` but for an imported `__id7__`.",
  );

/** The id of a player that a call may add: the Firebase Auth uid where there is one. */
export const playerId = documentId
  .max(playerIdCharactersMax, `must have at most ${playerIdCharactersMax} characters`)
  .refine((id) => !hasControlCharacter(id), "must not contain control characters")
  .meta({ maxLength: playerIdCharactersMax, pattern: `^[^/${control}]+$` });

/**
 * The id of a player who gets a score; it must not end with a space. An event about a document carries the document's
 * path in an HTTP header, and headers lose white space at their end, so the trigger would never find the player:
 * https://github.com/firebase/firebase-functions/issues/1922.
 */
export const scorerId = playerId
  .refine((id) => !/\s$/u.test(id), "must not end with a space")
  .meta({ pattern: String.raw`^[^/${control}]*[^/${control}\s]$` });

/** The id of a submission, by which a retry is recognised. */
export const submissionId = z
  .string()
  .min(1, "must not be empty")
  .max(submissionIdCharactersMax, `must have at most ${submissionIdCharactersMax} characters`)
  .refine((id) => id.isWellFormed() && !hasControlCharacter(id), "must not contain control characters")
  .meta({ pattern: textPattern });

/** Whether a text has a character that no name or id needs and no page shows. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
