/** An error as a text for records and logs. Paths of players' documents are left out, as they name players. Pure. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/players\/\S+/g, "…");
}
