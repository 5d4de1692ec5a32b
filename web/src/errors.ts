/** Reads thrown values of unknown type. */

/** A thrown value as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The code of a thrown value: errors of Firebase and of calls have one. */
export function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
