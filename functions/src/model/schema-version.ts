/**
 * The form in which a board or a season is stored: the field `schema_version` of a definition and of a season's
 * document. The season's field holds for all documents below the season. When the number rises: ARCHITECTURE, "Versions
 * of stored data". Pure.
 */
import { FirerankError } from "./errors.ts";
import { version } from "./version.ts";

/** The form that this release writes, and the newest form that it reads. */
export const schemaVersion = 1;

/** Whether this release can read a document's form. A damaged field names no form, so the answer is true. */
export function isKnownSchema(data: Record<string, unknown> | undefined): boolean {
  const stored = data?.["schema_version"];
  return !Number.isSafeInteger(stored) || Number(stored) <= schemaVersion;
}

/** Refuses a document, such as a "season", in a form that this release cannot read. @throws `unknown_schema_version` */
export function requireKnownSchema(what: string, data: Record<string, unknown> | undefined): void {
  if (isKnownSchema(data)) return;
  throw new FirerankError(
    "unknown_schema_version",
    `A ${what} is stored with schema_version ${String(data?.["schema_version"])}, and firerank ${version} reads none above ${schemaVersion}. ` +
      "It is older than the data: deploy the newer package again, functions and dashboard, and use its command line. " +
      "Nothing was changed.",
  );
}
