/** The schemas of a submission's fields. */
import { z } from "zod";
import { scoreValue } from "../model/definition.ts";
import { submissionId } from "../model/ids.ts";
import {
  displayNameCharactersMax,
  fieldNameBytesMax,
  metadataBytesMax,
  metadataDepthMax,
} from "../model/limits.ts";
import { shownText } from "../model/shown-text.ts";

const displayName = shownText(displayNameCharactersMax);

const metadata = metadataWithin(metadataDepthMax, metadataBytesMax).describe(
  `At most ${metadataBytesMax} bytes of JSON and ${metadataDepthMax} levels; no list directly in a list, and no key that is empty or has the form \`__…__\`.`,
);

/** Metadata that Firestore stores, of so many levels, and so many bytes as JSON. */
export function metadataWithin(depthMax: number, bytesMax = Infinity) {
  return z.record(z.string(), z.unknown(), { error: notAnObject }).superRefine((value, context) => {
    const problem = metadataProblem(value, depthMax) ?? tooLarge(value, bytesMax);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
}

function notWhole({ input }: { input: unknown }): string {
  return typeof input === "number" ? `is ${input}, not a whole number` : "must be a whole number";
}

function notAnObject({ input }: { input: unknown }): string {
  const found = Array.isArray(input) ? "a list" : input === null ? "null" : `a ${typeof input}`;
  return `must be an object of named values, such as {"country":"de"}; this is ${found}`;
}

/** The fields that `submitScore` and `submitScores` share. */
export const submissionFields = {
  score: scoreValue.optional(),
  columns: z
    .record(z.string(), z.int({ error: notWhole }))
    .optional()
    .describe("Each column of the board with its value, if it has columns; then there is no `score`."),
  submission_id: submissionId.optional(),
  display_name: displayName.optional(),
  metadata: metadata.optional(),
  segments: z
    .record(z.string(), z.string().nullable(), 'must be values by segment, such as {"country":"AT"}')
    .optional()
    .describe(
      "The player's values in segments of the board; null or an empty text leaves one, and what is left out stays as it was.",
    ),
};

/**
 * A submission as a caller sends it: `score` on a board without columns, `columns` on a board with columns. Its `segments`
 * are for {@link segmentsSaid} to check.
 */
export type Submission = z.infer<z.ZodObject<typeof submissionFields>>;

/** What `setProfile` changes; null takes it out. */
export const profileFields = {
  display_name: displayName.nullable().optional(),
  metadata: metadata.nullable().optional(),
};

function tooLarge(value: object, bytesMax: number): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > bytesMax ? `is ${bytes} bytes as JSON; at most ${bytesMax} are stored` : undefined;
}

/** Why Firestore would refuse to store a value; undefined if it would not. */
function metadataProblem(value: unknown, depthMax: number, depth = 1): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return "must hold finite numbers only";
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return "must hold whole numbers up to 2^53 - 1 in size only; write a larger one, such as an id, as a text";
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : "must hold well-formed Unicode only";
  if (value === null || typeof value !== "object") {
    return ["boolean", "number"].includes(typeof value) || value === null ? undefined : "must be plain JSON";
  }
  if (depth > depthMax) return `must be at most ${depthMax} levels deep`;
  if (Array.isArray(value)) {
    if (value.some((item) => Array.isArray(item)))
      return "must not hold an array directly in an array, which Firestore cannot store";
  } else {
    const bad = Object.keys(value).find((key) => key === "" || /^__.*__$/s.test(key) || !key.isWellFormed());
    if (bad !== undefined) return `must not have the key ${JSON.stringify(bad)}, which Firestore reserves`;
    if (Object.keys(value).some((key) => Buffer.byteLength(key) > fieldNameBytesMax))
      return `must not have a key of more than ${fieldNameBytesMax} bytes`;
  }
  for (const inner of Object.values(value)) {
    const problem = metadataProblem(inner, depthMax, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
