/** Ranks from a Redis sorted set: by score with ZCOUNT, by player with ZREVRANK. */
import { createClient } from "redis";
import { rankCallable, setting } from "./rank-callable.ts";

const key = "board";
const client = createClient({ url: setting("SERVE_REDIS_URL") });
await client.connect();
/** Asked once, to the set's favour. */
const players = await client.zCard(key);

export const getRank = rankCallable(async (asked) => {
  if ("score" in asked) {
    const above = await client.zCount(key, `(${asked.score}`, "+inf");
    return { score: asked.score, above, players };
  }
  // Sent together by the client: one round trip.
  const [above, score] = await Promise.all([
    client.zRevRank(key, asked.player),
    client.zScore(key, asked.player),
  ]);
  if (above === null || score === null) throw new Error(`${asked.player} is not on the board`);
  return { score, above, players };
});
