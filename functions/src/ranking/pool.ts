/** Work on many things of which only some may be under way at once. */

/** Does the same for each of some things, and gives the results in their order. */
export type Pool = <Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
) => Promise<Result[]>;

/**
 * A pool that begins with another thing as soon as one is done.
 * @returns a function that throws what the first failed work did, once nothing is under way any more: what it was
 * billed is known then.
 */
export function createPool(atOnceMax: number): Pool {
  return async (things, work) => {
    const results: Awaited<ReturnType<typeof work>>[] = [];
    let next = 0;
    let failed: { error: unknown } | undefined;
    async function goOn(): Promise<void> {
      while (failed === undefined && next < things.length) {
        const at = next++;
        try {
          results[at] = await work(things[at] as (typeof things)[number]);
        } catch (error) {
          failed ??= { error };
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(atOnceMax, things.length) }, goOn));
    if (failed !== undefined) throw failed.error;
    return results;
  };
}
