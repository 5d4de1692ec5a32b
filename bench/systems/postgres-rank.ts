/**
 * A table of players in PostgreSQL with an index on the score, and the three forms in which people ask it for ranks.
 * Firebase SQL Connect runs the same statements on Cloud SQL. No index of PostgreSQL knows how many entries come before
 * one, so each form goes through the players: all of them, the better ones, or all of them once for each refresh.
 */
import type { Client } from "pg";
import { bill } from "../contest/bill.ts";
import type { Entry } from "../contest/truth.ts";
import { connectPostgres, missingPostgres, startPostgres } from "../servers/postgres.ts";
import type { Opened, Place, System } from "./system.ts";

/** What a form asks, each in one statement. $1 is the player, or from where; then how many before, after or at all. */
interface Statements {
  create: readonly string[];
  rank: string;
  top: string;
  around: string;
  page: string;
  run?: string;
}

const tables = [
  `create table players (player text collate "C" primary key, score integer not null)`,
  `create index on players (score desc, player)`,
];
const ordered = "order by score desc, player";
const ranked = `select player, score, rank() over (order by score desc)::int as rank,
  row_number() over (${ordered})::int as place from players`;

const lists = {
  top: `select player, score from players ${ordered} limit $1`,
  page: `select player, score from players ${ordered} offset $1 limit $2`,
};

const aroundIn = (source: string) => `with ranked as (${source})
  select player, score from ranked, (select place as own from ranked where player = $1) as asked
  where place between own - $2::int and own + $3::int order by place`;

/** All players are ranked for each question. */
const window: Statements = {
  create: tables,
  ...lists,
  rank: `select rank from (${ranked}) as ranked where player = $1`,
  around: aroundIn(ranked),
};

/** The better ones are counted, and neighbours are found from the player on, both by the index. */
const counting: Statements = {
  create: tables,
  ...lists,
  rank: `select (select 1 + count(*)::int from players where score > own.score) as rank
    from players as own where player = $1`,
  around: `with own as (select score, player from players where player = $1)
    select player, score from (
      (select other.* from own, lateral (select player, score from players
        where score > own.score or (score = own.score and players.player < own.player)
        order by score, player desc limit $2) as other)
      union all select player, score from own union all
      (select other.* from own, lateral (select player, score from players
        where score < own.score or (score = own.score and players.player > own.player)
        ${ordered} limit $3) as other)
    ) as found ${ordered}`,
};

/** The ranks are kept, and made again from time to time, beside readers who see the old ones. */
const view: Statements = {
  create: [
    ...tables,
    `create materialized view ranks as ${ranked}`,
    `create unique index on ranks (player)`,
    `create unique index on ranks (place)`,
  ],
  rank: `select rank from ranks where player = $1`,
  top: `select player, score from ranks where place <= $1 order by place`,
  around: aroundIn("select * from ranks"),
  page: `select player, score from ranks where place > $1 and place <= $1 + $2 order by place`,
  run: `refresh materialized view concurrently ranks`,
};

const shared = {
  source: "https://firebase.google.com/docs/sql-connect/native-sql",
  rank: "exact",
  keeps: "latest",
  cannot: { run: "nothing is left to do" },
  load: { kind: "outside" },
  available: missingPostgres,
} satisfies Partial<System>;

const oneCommand = () => bill({ commands: 1 });
const bills = () => ({
  update: oneCommand,
  rank: oneCommand,
  top: oneCommand,
  around: oneCommand,
  page: oneCommand,
});

export const postgresSystems: readonly System[] = [
  {
    ...shared,
    id: "postgres-rank",
    name: "PostgreSQL RANK() OVER",
    layout: "A table of players with an index on the score; each question ranks all rows.",
    open: (place) => openTable(place, window),
    bills,
  },
  {
    ...shared,
    id: "postgres-rank-count",
    name: "PostgreSQL count(*) of the better ones",
    layout: "A table of players with an index on the score; each question counts the better rows.",
    source: "https://www.postgresql.org/docs/current/indexes-index-only-scans.html",
    open: (place) => openTable(place, counting),
    bills,
  },
  {
    ...shared,
    id: "postgres-rank-view",
    name: "PostgreSQL RANK() OVER in a materialized view",
    layout: "A table of players, and a view of their ranks with an index, made again from time to time.",
    source: "https://www.postgresql.org/docs/current/rules-materializedviews.html",
    rank: "exact at the last run",
    cannot: {},
    asOfRun: ["top", "around", "page"],
    open: (place) => openTable(place, view),
    bills: () => ({ ...bills(), run: oneCommand }),
  },
];

/** A score that is the same writes nothing. */
const store = `insert into players values ($1, $2)
  on conflict (player) do update set score = excluded.score where players.score <> excluded.score`;

async function openTable({ folder, meter }: Place, statements: Statements): Promise<Opened> {
  const server = await startPostgres(folder);
  const sql: Client = await connectPostgres(server.url);
  for (const statement of statements.create) await sql.query(statement);
  async function ask<Row extends object>(text: string, values: (string | number)[] = []): Promise<Row[]> {
    meter.commanded(1);
    return (await sql.query<Row>(text, values)).rows;
  }
  const { run } = statements;
  return {
    async submit({ player, score }) {
      await ask(store, [player, score]);
      return undefined;
    },
    rank: async (player) => (await ask<{ rank: number }>(statements.rank, [player]))[0]?.rank ?? null,
    top: (count) => ask<Entry>(statements.top, [count]),
    around: (player, before, after) => ask<Entry>(statements.around, [player, before, after]),
    page: (from, size) => ask<Entry>(statements.page, [from, size]),
    ...(run !== undefined && {
      async run() {
        await ask(run);
      },
    }),
    async close() {
      await sql.end();
      await server.stop();
    },
  };
}
