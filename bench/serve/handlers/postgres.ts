/** Ranks from PostgreSQL: count(*) of better scores, answered from the index alone. */
import { Pool } from "pg";
import { rankCallable, setting } from "./rank-callable.ts";

const pool = new Pool({ connectionString: setting("SERVE_POSTGRES_URL"), max: 10 });
/**
 * Planned again each time: the generic plan of a prepared statement starts parallel workers even if only a handful of
 * rows are better.
 */
const count = async (text: string, values: unknown[]) =>
  (await pool.query<{ players: number }>(text, values)).rows[0]?.players ?? NaN;
/** Asked once, to the database's favour. */
const players = await count("select count(*)::int as players from players", []);

export const getRank = rankCallable(async (score) => {
  const better = "select count(*)::int as players from players where score > $1";
  return { above: await count(better, [score]), players };
});
