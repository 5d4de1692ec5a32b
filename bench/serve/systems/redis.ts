/** Redis: a sorted set of all players, in a server of its own that keeps nothing on disk. */
import { join } from "node:path";
import { startRedis, withRedis } from "../../servers/redis.ts";
import type { System } from "./system.ts";

const membersAtATime = 5_000;

/** By score: the number of members with a better one, exactly what getRank returns. */
export const redisCount: System = {
  name: "Redis ZCOUNT",
  async store({ scores }, { folder, pinned }) {
    const { url, ...server } = await startRedis(folder, pinned);
    await withRedis(url, async (client) => {
      for (let from = 0; from < scores.length; from += membersAtATime) {
        const part = scores.subarray(from, from + membersAtATime);
        await client.zAdd(
          "board",
          Array.from(part, (score, i) => ({ score, value: `player-${from + i}` })),
        );
      }
    });
    const source = join(import.meta.dirname, "..", "handlers", "redis.ts");
    return { source, target: "getRank", env: { SERVE_REDIS_URL: url }, ...server };
  },
};
