/** An error as a text for records and logs, without the paths of documents that could name a player. Pure. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/players\/\S+/g, "…");
}
