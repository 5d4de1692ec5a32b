/** Ranks from a Redis sorted set, with ZCOUNT. */
import { createClient } from "redis";
import { rankCallable, setting } from "./rank-callable.ts";

const key = "board";
const client = createClient({ url: setting("SERVE_REDIS_URL") });
await client.connect();
/** Asked once, to the set's favour. */
const players = await client.zCard(key);

export const getRank = rankCallable(async (score) => ({
  above: await client.zCount(key, `(${score}`, "+inf"),
  players,
}));
