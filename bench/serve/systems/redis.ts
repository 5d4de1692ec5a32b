/** Redis: a sorted set of all players, in a server of its own that keeps nothing on disk. */
import { join } from "node:path";
import { createClient } from "redis";
import { type Board, playerAt } from "../board.ts";
import { findProgram, freePort, startProgram } from "./program.ts";
import type { Place, Stored, System } from "./system.ts";

const needs = "redis-server";

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

type Client = ReturnType<typeof createClient>;

const membersAtATime = 5_000;

async function store(board: Board, { folder, pinned }: Place): Promise<Stored> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const options = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
  const [program, ...args] = [...pinned, findProgram("redis-server", needs), ...options];
  const server = await startProgram({
    command: [program ?? "", ...args],
    log: join(folder, `redis-${port}.log`),
    options: { cwd: folder },
    ready: () => withClient(url, async (client) => (await client.ping()) === "PONG"),
  });
  await withClient(url, (client) => fill(client, board));
  const source = join(import.meta.dirname, "..", "handlers", "redis.ts");
  return { source, target: "getRank", env: { SERVE_REDIS_URL: url }, ...server };
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client: Client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => undefined); // connect() tells
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function fill(client: Client, board: Board): Promise<void> {
  for (let from = 0; from < board.scores.length; from += membersAtATime) {
    const scores = board.scores.subarray(from, from + membersAtATime);
    const members = Array.from(scores, (score, i) => ({ score, value: playerAt(board, from + i) }));
    await client.zAdd("board", members);
  }
}
