/**
 * A Redis sorted set beside a table in PostgreSQL. The table is the truth: a score is stored there first, then in the
 * set, which answers all questions. A process that dies between the two leaves the set behind; each hour a job copies
 * the table into it. Equal scores are ordered by time, first come first, in the same number: score × 2^33, and the
 * seconds that were left until 2^33.
 */
import type { Client } from "pg";
import { bill, type Meter } from "../contest/bill.ts";
import type { Entry } from "../contest/truth.ts";
import { connectPostgres, missingPostgres, startPostgres } from "../servers/postgres.ts";
import { connectRedis, missingRedis, type RedisClient, startRedis } from "../servers/redis.ts";
import { isChange } from "./player-bills.ts";
import type { Event, Opened, Place, System } from "./system.ts";

/** Rows that the job copies at a time. */
const rowsAtATime = 1_000;

export const redisSql: System = {
  name: "Redis beside SQL",
  id: "redis-sql",
  layout: "A table of players in PostgreSQL, and a sorted set in Redis with score and time in one number.",
  source:
    "https://aws.amazon.com/blogs/database/building-a-real-time-gaming-leaderboard-with-amazon-elasticache-for-redis/, and “Real-time Gaming Leaderboard” in A. Xu and S. Lam, “System Design Interview”, volume 2",
  rank: "exact",
  keeps: "latest",
  cannot: {},
  load: { kind: "outside" },
  runSeconds: 3_600,
  lag: "If a process dies between the table and the set, a player's rank is wrong until the next resync.",
  available: () => missingRedis() ?? missingPostgres(),
  open: openBoth,
  bills: () => ({
    update: (_, change) => bill({ commands: isChange(change) ? 2 : 1 }),
    rank: () => bill({ commands: 2 }),
    top: () => bill({ commands: 1 }),
    around: () => bill({ commands: 2 }),
    page: () => bill({ commands: 1 }),
    run: ({ players }) =>
      bill({ commands: Math.floor(players / rowsAtATime) + 1 + Math.ceil(players / rowsAtATime) }),
  }),
};

const table = `create table players (
  player text collate "C" primary key, score integer not null, achieved_ms double precision not null
)`;

/** A score that is the same keeps its time. */
const store = `insert into players values ($1, $2, $3)
  on conflict (player) do update set score = excluded.score, achieved_ms = excluded.achieved_ms
  where players.score <> excluded.score`;

const nextRows = `select player, score, achieved_ms as "atMs" from players where player > $1 order by player limit $2`;

const key = "board";

async function openBoth({ folder, meter, now }: Place): Promise<Opened> {
  const postgres = await startPostgres(folder);
  const redis = await startRedis(folder);
  const sql = await connectPostgres(postgres.url);
  const set = await connectRedis(redis.url);
  await sql.query(table);
  return {
    async submit({ player, score }) {
      const atMs = now();
      meter.commanded(1);
      const { rowCount } = await sql.query(store, [player, score, atMs]);
      return rowCount === 0 ? undefined : { player, before: null, after: score, atMs };
    },
    async deliver({ player, after, atMs }: Event) {
      meter.commanded(1);
      await set.zAdd(key, { value: player, score: keyOf(after, atMs ?? now()) });
    },
    ...questionsTo(set, meter),
    run: () => copy(sql, set, meter),
    async close() {
      await set.close();
      await sql.end();
      await redis.stop();
      await postgres.stop();
    },
  };
}

/** What the sorted set answers: one command, or two where it has to find the player first. */
function questionsTo(
  set: RedisClient,
  meter: Meter,
): Required<Pick<Opened, "rank" | "top" | "around" | "page">> {
  async function range(from: number, until: number): Promise<Entry[]> {
    meter.commanded(1);
    const found = await set.zRangeWithScores(key, from, until, { REV: true });
    return found.map(({ value, score }) => ({ player: value, score: scoreOfKey(score) }));
  }
  return {
    async rank(player) {
      meter.commanded(2);
      const own = await set.zScore(key, player);
      if (own === null) return null;
      return 1 + (await set.zCount(key, keyOf(scoreOfKey(own) + 1, latestMs), "+inf"));
    },
    top: (count) => range(0, count - 1),
    async around(player, before, after) {
      meter.commanded(1);
      const index = await set.zRevRank(key, player);
      return index === null ? [] : range(Math.max(0, index - before), index + after);
    },
    page: (from, size) => range(from, from + size - 1),
  };
}

/** Copies the table into the set. */
async function copy(sql: Client, set: RedisClient, meter: Meter): Promise<void> {
  let last = "";
  for (;;) {
    meter.commanded(1);
    const found = await sql.query<{ player: string; score: number; atMs: number }>(nextRows, [
      last,
      rowsAtATime,
    ]);
    if (found.rows.length > 0) {
      meter.commanded(1);
      await set.zAdd(
        key,
        found.rows.map(({ player, score, atMs }) => ({ value: player, score: keyOf(score, atMs) })),
      );
    }
    if (found.rows.length < rowsAtATime) return;
    last = found.rows.at(-1)?.player ?? last;
  }
}

/** Times have room for 2^33 s, until the year 2242. */
const times = 2 ** 33;
const latestMs = (times - 1) * 1_000;

/** Higher for a better score, and among equals for an earlier time; exact up to a score of 2^20. */
export function keyOf(score: number, atMs: number): number {
  return score * times + (times - 1 - Math.floor(atMs / 1_000));
}

export function scoreOfKey(key: number): number {
  return Math.floor(key / times);
}
