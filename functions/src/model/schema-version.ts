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

/** The form that this release writes. */
export const schemaVersion = 2;

/** The forms that this release reads, from the oldest to the newest. */
export const schemasRead: SchemasRead = { oldest: 1, newest: 2 };

interface SchemasRead {
  oldest: number;
  newest: number;
}

/** What everything was written in before there was the field. */
const schemaWithoutField = 1;

/** The form of a stored definition or season. Anything but a whole number from 1 on is a damaged document's. */
export function schemaVersionOf(data: Record<string, unknown> | undefined): number | undefined {
  const { schema_version: stored = schemaWithoutField } = data ?? {};
  return Number.isSafeInteger(stored) && (stored as number) >= 1 ? (stored as number) : undefined;
}

/** Whether this release reads the form of a document; one with a damaged field names no other. */
export function isKnownSchema(
  data: Record<string, unknown> | undefined,
  { oldest, newest } = schemasRead,
): boolean {
  const stored = schemaVersionOf(data);
  return stored === undefined || (stored >= oldest && stored <= newest);
}

/**
 * Refuses a document in a form that this release does not read, before anything is guessed from it. A damaged field
 * passes: it says nothing about the form.
 * @param what such as "leaderboard" or "season".
 * @throws `unknown_schema_version`
 */
export function requireKnownSchema(
  what: string,
  data: Record<string, unknown> | undefined,
  read = schemasRead,
): void {
  const stored = schemaVersionOf(data);
  if (stored === undefined || isKnownSchema(data, read)) return;
  const { oldest, newest } = read;
  const known = `firerank ${version} reads ${oldest} to ${newest}`;
  const advice =
    stored > newest
      ? "It is older than the data: deploy the newer package again, functions and dashboard, and use its command line."
      : "The data was left out of an upgrade: run `npx firerank upgrade` of the release before this one.";
  throw new FirerankError(
    "unknown_schema_version",
    `A ${what} is stored with schema_version ${stored}, and ${known}. ${advice} Nothing was changed.`,
  );
}
