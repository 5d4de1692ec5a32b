/**
 * Does some work for many things, for at most `atOnceMax` at the same time: as soon as one is done, the next begins.
 * @returns the results in the order of the things.
 * @throws the first error, but only after all work under way has ended, so that its bill is known
 */
export async function inPool<Thing, Result>(
  things: readonly Thing[],
  atOnceMax: number,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = things.entries();
  let failed: { error: unknown } | undefined;
  async function goOn(): Promise<void> {
    for (const [at, thing] of waiting) {
      try {
        results[at] = await work(thing);
      } catch (error) {
        failed ??= { error };
      }
      if (failed !== undefined) return;
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, goOn));
  if (failed !== undefined) throw failed.error;
  return results;
}
