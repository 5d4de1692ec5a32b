/** PostgreSQL: a table of all players with an index on the score. */
import { join } from "node:path";
import type { Client } from "pg";
import { postgresPackage, startPostgres, withPostgres } from "../../servers/postgres.ts";
import { type Board, playerAt } from "../board.ts";
import type { Place, Stored, System } from "./system.ts";

const needs = postgresPackage;

export const postgresCount: System = {
  name: "PostgreSQL count(*)",
  does: "the number of rows with a better score, by an index-only scan",
  needs,
  request: ({ leaderboard }, { score }) => ({ leaderboard, score }),
  store,
};

const rowsAtATime = 50_000;

async function store(board: Board, { folder, pinned }: Place): Promise<Stored> {
  const { url, ...server } = await startPostgres(folder, pinned);
  await withPostgres(url, (client) => fill(client, board));
  const source = join(import.meta.dirname, "..", "handlers", "postgres.ts");
  return { source, target: "getRank", env: { SERVE_POSTGRES_URL: url }, ...server };
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
