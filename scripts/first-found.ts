/** The first of several ways to have something that works, and in a few words why each before it did not. */
export async function firstFound<T extends object>(
  ways: readonly (() => Promise<T | string>)[],
): Promise<{ found: T | undefined; reasons: string[] }> {
  const reasons: string[] = [];
  for (const way of ways) {
    const result = await way();
    if (typeof result !== "string") return { found: result, reasons };
    reasons.push(result);
  }
  return { found: undefined, reasons };
}
