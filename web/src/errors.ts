/** What was thrown, read without knowing what it is. */

/** It as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Its code, as the errors of Firebase and of calls have one. */
export function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
