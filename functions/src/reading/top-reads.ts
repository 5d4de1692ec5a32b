/** The top document as `getTop` reads it: once for all concurrent requests. */
import { type SeasonKey, topPath } from "../documents/paths.ts";
import { readTop } from "../documents/top.ts";
import { sharedReadsMax } from "../model/limits.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import type { World } from "../world/world.ts";
import { emptyTop, type TopRead } from "./top-answer.ts";

export function createTopReads({ db, now }: Pick<World, "db" | "now">) {
  const reads = createSharedReads<TopRead>({ now, max: sharedReadsMax, keepMs: 0 });

  async function read(key: SeasonKey): Promise<TopRead> {
    const document = await db.doc(topPath(key)).get();
    return document.exists ? readTop(document.data()) : emptyTop(document.readTime);
  }

  return {
    /**
     * A season's top, read now, or by a read already under way if its generation is at least `minGeneration`: it may be
     * older than the publication that the caller knows. Cost: 1 read, shared by all waiting requests.
     */
    async topOf(key: SeasonKey, minGeneration = 0): Promise<TopRead> {
      const asked = reads.mark();
      for (;;) {
        const { value: top, began } = await reads.get(topPath(key), () => read(key));
        if (top.generation >= minGeneration || began > asked) return top;
      }
    },
  };
}
