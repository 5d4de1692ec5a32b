/** PostgreSQL: a table of all players with an index on the score, in a server of its own, as `nobody` where we are root. */
import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { type Board, playerAt } from "../board.ts";
import { findProgram, freePort, startProgram } from "./program.ts";
import type { Place, Stored, System } from "./system.ts";

const needs = "postgresql";
const found = { places: ["/usr/lib/postgresql/*/bin"] };

export const postgresCount: System = {
  name: "PostgreSQL count(*)",
  does: "the number of rows with a better score, by an index-only scan",
  needs,
  request: ({ leaderboard }, { score }) => ({ leaderboard, score }),
  store,
};

const rowsAtATime = 50_000;

async function store(board: Board, { folder, pinned }: Place): Promise<Stored> {
  const initdb = findProgram("initdb", needs, found);
  const server = findProgram("postgres", needs, { path: dirname(initdb), ...found });
  const data = join(folder, "postgres");
  const user = ordinaryUser();
  mkdirSync(data);
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const options = { cwd: data, ...user };
  execFileSync(initdb, ["-D", data, "-U", "bench", "--auth=trust", "--no-sync"], {
    ...options,
    stdio: "ignore",
  });
  const port = await freePort();
  const connectionString = `postgres://bench@127.0.0.1:${port}/postgres`;
  // Memory enough for table and index; nothing else is set, so that the planner decides as it does by default.
  const settings = ["fsync=off", "shared_buffers=512MB", "listen_addresses=127.0.0.1"];
  const args = ["-D", data, "-p", String(port), "-k", data, ...settings.flatMap((line) => ["-c", line])];
  const [program, ...rest] = [...pinned, server, ...args];
  const running = await startProgram({
    command: [program ?? "", ...rest],
    log: join(folder, "postgres.log"),
    options,
    ready: async () =>
      (await withClient(connectionString, (client) => client.query("select 1"))).rows.length === 1,
  });
  await withClient(connectionString, (client) => fill(client, board));
  const source = join(import.meta.dirname, "..", "handlers", "postgres.ts");
  return { source, target: "getRank", env: { SERVE_POSTGRES_URL: connectionString }, ...running };
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function fill(client: Client, board: Board): Promise<void> {
  await client.query("create table players (player text primary key, score double precision not null)");
  for (let from = 0; from < board.scores.length; from += rowsAtATime) {
    const scores = Array.from(board.scores.subarray(from, from + rowsAtATime));
    const players = scores.map((_, i) => playerAt(board, from + i));
    await client.query("insert into players select * from unnest($1::text[], $2::float8[])", [
      players,
      scores,
    ]);
  }
  await client.query("create index on players (score)");
  // After it, an index-only scan need not look at the table.
  await client.query("vacuum analyze players");
}
