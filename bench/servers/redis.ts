/** A Redis server of the benchmark's own, which keeps nothing on disk. */
import { join } from "node:path";
import { createClient } from "redis";
import {
  findProgram,
  freePort,
  missingProgram,
  programVersion,
  type Running,
  startProgram,
} from "./program.ts";

export const redisPackage = "redis-server";

export type RedisClient = ReturnType<typeof createClient>;

/** Why Redis cannot be started here, in a sentence; `undefined` if it can. */
export function missingRedis(): string | undefined {
  return missingProgram("redis-server", redisPackage);
}

/** The version of Redis here; `undefined` if there is none. */
export function redisVersion(): string | undefined {
  return programVersion("redis-server");
}

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

/** A connected client, which does not connect again by itself. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client: RedisClient = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => undefined); // connect() tells
  await client.connect();
  return client;
}

/** Does some work with a client of its own. */
export async function withRedis<T>(url: string, work: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = await connectRedis(url);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
