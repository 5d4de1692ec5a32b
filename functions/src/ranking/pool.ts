/** Work on many items, only some of them at the same time. */

/** Does the same work for each item, and returns the results in the items' order. */
export type Pool = <Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
) => Promise<Result[]>;

/**
 * A pool that begins another item as soon as one is done.
 * @returns a function that throws the first error only after all running work has ended: by then its bill is known.
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
