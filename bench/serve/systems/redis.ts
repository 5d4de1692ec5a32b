/** Redis: a sorted set of all players, in a server of its own that keeps nothing on disk. */
import { join } from "node:path";
import { type RedisClient, redisPackage, startRedis, withRedis } from "../../servers/redis.ts";
import { type Board, playerAt } from "../board.ts";
import type { Place, Stored, System } from "./system.ts";

const needs = redisPackage;

/** By score: the number of members with a better one, exactly what getRank returns. */
export const redisCount: System = {
  name: "Redis ZCOUNT",
  does: "the number of members of a sorted set with a better score",
  needs,
  request: ({ leaderboard }, { score }) => ({ leaderboard, score }),
  store,
};

/**
 * By player: the place in the list. Among equal scores Redis counts by name, which is not a rank; the bench asks for
 * players who come first among equals, for whom both are the same.
 */
export const redisRank: System = {
  name: "Redis ZREVRANK",
  does: "the place of a member in a sorted set, with ZSCORE, in one round trip",
  needs,
  request: ({ leaderboard }, { player }) => ({ leaderboard, player }),
  store,
};

const membersAtATime = 5_000;

async function store(board: Board, { folder, pinned }: Place): Promise<Stored> {
  const { url, ...server } = await startRedis(folder, pinned);
  await withRedis(url, (client) => fill(client, board));
  const source = join(import.meta.dirname, "..", "handlers", "redis.ts");
  return { source, target: "getRank", env: { SERVE_REDIS_URL: url }, ...server };
}

async function fill(client: RedisClient, board: Board): Promise<void> {
  for (let from = 0; from < board.scores.length; from += membersAtATime) {
    const scores = board.scores.subarray(from, from + membersAtATime);
    const members = Array.from(scores, (score, i) => ({ score, value: playerAt(board, from + i) }));
    await client.zAdd("board", members);
  }
}
