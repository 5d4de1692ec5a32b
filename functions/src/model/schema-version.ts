/**
 * In which form a board or a season is stored: the field `schema_version` of a definition and of a season's document, which
 * speaks for everything below the season too. Pure.
 *
 * It rises only where a reader of the form before would misread the new one. Old and new instances run side by side
 * while functions are deployed, so one release reads a new form before another writes it: ARCHITECTURE, "Versions of
 * stored data".
 */
import { FirerankError } from "./errors.ts";
import { version } from "./version.ts";

/** The form that this release writes, and the only one that it reads. */
export const schemaVersion = 1;

/** Whether this release reads the form of a document; true for a damaged field, which names no other form. */
export function isKnownSchema(data: Record<string, unknown> | undefined): boolean {
  const stored = data?.["schema_version"];
  return (
    !Number.isSafeInteger(stored) ||
    // Stryker disable next-line EqualityOperator: form 1 is known anyway
    (stored as number) < 1 ||
    stored === schemaVersion
  );
}

/**
 * Refuses a document in a form that this release does not read, such as a "leaderboard" or "season", before anything is
 * guessed from it. A damaged field passes: it says nothing about the form.
 * @throws `unknown_schema_version`
 */
export function requireKnownSchema(what: string, data: Record<string, unknown> | undefined): void {
  if (isKnownSchema(data)) return;
  throw new FirerankError(
    "unknown_schema_version",
    `A ${what} is stored with schema_version ${String(data?.["schema_version"])}, and firerank ${version} reads ${schemaVersion}. ` +
      "It is older than the data: deploy the newer package again, functions and dashboard, and use its command line. " +
      "Nothing was changed.",
  );
}
