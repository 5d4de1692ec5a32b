/** The systems to measure: each has a store for the board, and a function that answers getRank from it. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Client } from "pg";
import { createClient } from "redis";
import { root } from "../../scripts/project.ts";
import type { Board } from "./board.ts";
import { freePort, startProgram } from "./program.ts";

export interface System {
  name: string;
  /** Stores the board, in a process of its own if it needs one. @throws if the database is not on this machine */
  store(board: Board, folder: string): Promise<Stored>;
}

/** A board that is stored, and how the function that reads it is started. */
export interface Stored {
  /** The module whose export `getRank` the Functions Framework loads. */
  source: string;
  env: Record<string, string>;
  /** The database's process, whose CPU time is measured with those it started. */
  pid?: number;
  stop?: () => Promise<void>;
}

const handler = (name: string) => join(import.meta.dirname, "handlers", `${name}.ts`);

/** Firerank itself: the deployed function, with the page in memory after the first request for it. See publish.ts. */
export const firerank: System = {
  name: "Firerank",
  async store() {
    return { source: join(root, "functions"), env: {} };
  },
};

/** A sorted array in the function's own memory: the floor of what server and protocol cost. */
export const memory: System = {
  name: "sorted array",
  async store({ scores }, folder) {
    const file = join(folder, "scores.f64");
    writeFileSync(file, Buffer.from(scores.buffer));
    return { source: handler("memory"), env: { SERVE_SCORES_FILE: file } };
  },
};

/** Redis: a sorted set of all players, in a server that keeps nothing on disk. ZCOUNT gives exactly what getRank returns. */
export const redisCount: System = {
  name: "Redis ZCOUNT",
  async store({ scores }, folder) {
    const port = await freePort();
    const url = `redis://127.0.0.1:${port}`;
    const options = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
    const isReady = () => withRedis(url, (client) => client.ping());
    const server = await startProgram(["redis-server", ...options], isReady, { cwd: folder });
    await withRedis(url, async (client) => {
      for (const [from, part] of partsOf(scores, 5_000)) {
        const members = part.map((score, i) => ({ score, value: `player-${from + i}` }));
        await client.zAdd("board", members);
      }
    });
    return { source: handler("redis"), env: { SERVE_REDIS_URL: url }, ...server };
  },
};

/** PostgreSQL: a table of all players with an index on the score. */
export const postgresCount: System = {
  name: "PostgreSQL count(*)",
  async store({ scores }, folder) {
    const { url, ...server } = await startPostgres(folder);
    await withPostgres(url, async (client) => {
      await client.query("create table players (player serial primary key, score double precision not null)");
      for (const [, part] of partsOf(scores, 50_000))
        await client.query("insert into players (score) select unnest($1::float8[])", [part]);
      await client.query("create index on players (score)");
      // After it, an index-only scan need not look at the table.
      await client.query("vacuum analyze players");
    });
    return { source: handler("postgres"), env: { SERVE_POSTGRES_URL: url }, ...server };
  },
};

/** With an empty database, as `nobody` where we are root, as which PostgreSQL refuses to run. */
async function startPostgres(folder: string) {
  const data = join(folder, "postgres");
  mkdirSync(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  const idOf = (option: string) => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  const user = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : undefined;
  if (user !== undefined) {
    chmodSync(folder, 0o711); // it has to pass through
    chownSync(data, user.uid, user.gid);
  }
  const PATH = [process.env["PATH"], globSync("/usr/lib/postgresql/*/bin").sort().at(-1)].join(delimiter);
  const options = { cwd: data, env: { ...process.env, PATH }, ...user };
  const making = ["-D", data, "-U", "bench", "--auth=trust", "--no-sync"];
  execFileSync("initdb", making, { ...options, stdio: "ignore" });
  const port = await freePort();
  const url = `postgres://bench@127.0.0.1:${port}/postgres`;
  // Memory enough for table and index; nothing is set by which the planner decides.
  const settings = [
    "fsync=off",
    "shared_buffers=512MB",
    "listen_addresses=127.0.0.1",
    "log_min_messages=fatal",
  ];
  const args = ["-D", data, "-p", String(port), "-k", data, ...settings.flatMap((line) => ["-c", line])];
  const isReady = () => withPostgres(url, (client) => client.query("select 1"));
  return { url, ...(await startProgram(["postgres", ...args], isReady, options)) };
}

async function withPostgres<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

type RedisClient = ReturnType<typeof createClient>;

/** With a client that does not connect again by itself. */
async function withRedis<T>(url: string, work: (client: RedisClient) => Promise<T>): Promise<T> {
  const client: RedisClient = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => undefined); // connect() tells
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** The scores in parts of so many, each with the index of its first. */
function* partsOf(scores: Float64Array, size: number): Generator<[from: number, part: number[]]> {
  for (let from = 0; from < scores.length; from += size)
    yield [from, Array.from(scores.subarray(from, from + size))];
}
