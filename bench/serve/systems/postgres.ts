/** PostgreSQL: a table of all players with an index on the score. */
import { join } from "node:path";
import { startPostgres, withPostgres } from "../../servers/postgres.ts";
import type { System } from "./system.ts";

const scoresAtATime = 50_000;

export const postgresCount: System = {
  name: "PostgreSQL count(*)",
  async store({ scores }, { folder, pinned }) {
    const { url, ...server } = await startPostgres(folder, pinned);
    await withPostgres(url, async (client) => {
      await client.query("create table players (player serial primary key, score double precision not null)");
      for (let from = 0; from < scores.length; from += scoresAtATime) {
        const part = Array.from(scores.subarray(from, from + scoresAtATime));
        await client.query("insert into players (score) select unnest($1::float8[])", [part]);
      }
      await client.query("create index on players (score)");
      // After it, an index-only scan need not look at the table.
      await client.query("vacuum analyze players");
    });
    const source = join(import.meta.dirname, "..", "handlers", "postgres.ts");
    return { source, target: "getRank", env: { SERVE_POSTGRES_URL: url }, ...server };
  },
};
