/** A Redis server of the benchmark's own, which keeps nothing on disk. */
import { join } from "node:path";
import { createClient } from "redis";
import { findProgram, freePort, type Running, startProgram } from "./program.ts";

const redisPackage = "redis-server";

export type RedisClient = ReturnType<typeof createClient>;

/**
 * Starts Redis, empty, on a free port.
 * @param pinned goes in front of the command.
 * @throws if it is not on this machine
 */
export async function startRedis(
  folder: string,
  pinned: readonly string[] = [],
): Promise<Running & { url: string }> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const options = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
  const [program, ...args] = [...pinned, findProgram("redis-server", redisPackage), ...options];
  const running = await startProgram({
    command: [program ?? "", ...args],
    log: join(folder, `redis-${port}.log`),
    options: { cwd: folder },
    ready: () => withRedis(url, async (client) => (await client.ping()) === "PONG"),
  });
  return { url, ...running };
}

/** Does some work with a client of its own, which does not connect again by itself. */
export async function withRedis<T>(url: string, work: (client: RedisClient) => Promise<T>): Promise<T> {
  const client: RedisClient = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => undefined); // connect() tells
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
