/* eslint-disable max-lines -- all queries, and the check of their indexes in both editions */
/** Every query has its index, and no document more index entries than Firestore takes: the emulators check neither. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Query,
  type QueryDocumentSnapshot,
  Timestamp,
} from "../../../functions/src/documents/firestore.ts";
import { type BoardKind, enterpriseIndexes, everyKind } from "../../../cli/init/enterprise-indexes.ts";
import {
  playersPath,
  type RankingKey,
  runPath,
  seasonPath,
  standingsPath,
} from "../../../functions/src/documents/paths.ts";
import * as queries from "../../../functions/src/documents/queries.ts";
import { root } from "../../../scripts/project.ts";
import * as doctorQueries from "../../../cli/doctor/queries.ts";
import * as dashboardQueries from "../../../web/src/data/queries.ts";
import type { QuerySpec } from "../../../web/src/data/queries.ts";
import { allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";
import {
  hasEnterpriseIndex,
  hasIndex,
  type IndexFile,
  indexesLost,
  neededIndex,
  type NeededIndex,
  type SentQuery,
} from "../../support/index-check.ts";

const file = JSON.parse(readFileSync(join(root, "firestore.indexes.json"), "utf8")) as IndexFile;
const orders = ["descending", "ascending"] as const;
const outcomes = ["published", "failed", "done", "running"] as const;
const keyOf = (order: (typeof orders)[number]) => allTime(order);
const segmentOf = (order: (typeof orders)[number]) => ({ ...keyOf(order), segment: "country=AT" });
/** The rankings of a board: that of all players, and that of a segment. */
const rankingsOf = (order: (typeof orders)[number]) => [keyOf(order), segmentOf(order)];

/** A board with segments of each order with a published page, pending shards and players, so that each query finds something. */
let world: World;
beforeAll(async () => {
  world = createWorld();
  for (const order of orders) {
    const segments = [{ name: "country", from: "submission" as const, values: ["AT"] }];
    const key = await createBoard(world, order, { order, visibility: "public", segments });
    for (const [player, score] of Object.entries({ ann: 1, bob: 2 })) {
      const submission = { leaderboard: order, score, segments: { country: "AT" } };
      await world.call("submitScore", submission, user(player));
      await world.deliver(key, player);
      if (player === "ann") await world.publish(key);
    }
    await world.db.doc(seasonPath(key)).update({
      end_due_at: Timestamp.fromMillis(world.services.now()),
      closed_at: Timestamp.fromMillis(1_000),
      parked: "no_definition",
    });
    await world.db.doc(standingsPath(key, 0)).set({ players: ["ann"] });
    for (const outcome of outcomes)
      await world.db.doc(runPath(key, outcome)).set({ outcome, started_at: Timestamp.fromMillis(1_000) });
  }
});

function numberedBy(field: Parameters<typeof queries.numbered>[2]): Query[] {
  const stretches: Parameters<typeof queries.numbered>[3][] = [{}, { from: [1, "ann"], before: [2, "bob"] }];
  return stretches.map((stretch) => queries.numbered(world.db, keyOf("ascending"), field, stretch));
}

/** Each query of the module for every kind of board. */
const cases: Record<keyof Omit<typeof queries, "markedScore" | "newestStandings">, () => Query[]> = {
  pageOfScore: () =>
    orders.flatMap((order) =>
      [7, -7].flatMap((score) =>
        rankingsOf(order).map((key) => queries.pageOfScore(world.db, key, order, score)),
      ),
    ),
  pageOfOffset: () => rankingsOf("ascending").map((key) => queries.pageOfOffset(world.db, key, 0)),
  listedPlayers: () =>
    orders.flatMap((order) =>
      (["first", "last"] as const).flatMap((ties) =>
        [{}, { upwards: true }, { timed: true }].flatMap((stretch) =>
          rankingsOf(order).map((key) => queries.listedPlayers(world.db, key, { order, ties }, stretch)),
        ),
      ),
    ),
  pendingShards: () => {
    const byMs = world.services.now() + 1e9;
    const from = Timestamp.fromMillis(0);
    return [{}, { from }, { byMs }, { from, byMs }].map((slots) =>
      queries.pendingShards(world.db, keyOf("ascending"), slots),
    );
  },
  marksBetween: () =>
    orders.flatMap((order) =>
      rankingsOf(order).map((key) =>
        queries.marksBetween(world.db, key, order, 1.5, order === "descending" ? 0 : 3),
      ),
    ),
  dueSeasons: () =>
    (["next_run_at", "end_due_at"] as const).map((field) =>
      queries.dueSeasons(world.db, field, world.services.now() + 1e9),
    ),
  standingsWith: () => [queries.standingsWith(world.db, keyOf("ascending"), "ann")],
  numbered: () => [...numberedBy("score"), ...numberedBy(queries.markedScore)],
  byId: () => [
    queries.byId(world.db, playersPath(keyOf("ascending")), 20),
    queries.byId(world.db, playersPath(keyOf("ascending")), 20, { after: "a", until: "b" }),
  ],
  rankedSeasons: () => [queries.rankedSeasons(world.db, 0)],
  parkedSeasons: () => [queries.parkedSeasons(world.db, 20)],
  runsSince: () =>
    outcomes.flatMap((outcome) =>
      [undefined, keyOf("ascending")].map((key) =>
        queries.runsSince(world.db, outcome, { key, sinceMs: 0 }, 20),
      ),
    ),
  leaderboards: () =>
    [true, false].flatMap((publicOnly) =>
      [undefined, "a"].map((after) => queries.leaderboards(world.db, { after, publicOnly }, 20)),
    ),
  openSeasons: () => [queries.openSeasons(world.db, "ascending")],
  listedSeasons: () =>
    [undefined, "all_time"].flatMap((span) =>
      [undefined, "open"].map((status) => queries.listedSeasons(world.db, "ascending", { span, status }, 20)),
    ),
  eventsWith: () => [queries.eventsWith(world.db, "ascending", "ann", 10)],
  closedSeasons: () =>
    [undefined, "ascending"].map((leaderboard) =>
      queries.closedSeasons(world.db, { leaderboard, sinceMs: 0, untilMs: 1e13 }, 20),
    ),
};

/** Each query of the dashboard, in each form. */
const dashboardCases: Record<
  keyof Omit<typeof dashboardQueries, "idField" | "suggestionsMax">,
  () => QuerySpec[]
> = {
  boards: () =>
    [true, false].flatMap((publicOnly) =>
      ["", "a"].map((prefix) => dashboardQueries.boards({ publicOnly, prefix, limit: 20 })),
    ),
  seasonsOf: () => [dashboardQueries.seasonsOf("chess", 4)],
  failedRuns: () => [dashboardQueries.failedRuns(new Date(0), 100)],
  parkedSeasons: () => [dashboardQueries.parkedSeasons(20)],
  runsOf: () =>
    (["all", "failed", "ranking", "audit", "repair", "end"] as const).map((filter) =>
      dashboardQueries.runsOf(keyOf("ascending"), filter, 50),
    ),
  repairsOf: () => [dashboardQueries.repairsOf(keyOf("ascending"), 10)],
  segmentPages: () => [dashboardQueries.segmentPages(keyOf("ascending"), 20)],
  edgesOfSegment: () => dashboardQueries.edgesOfSegment(keyOf("ascending"), "country=AT"),
  playersNamed: () => [dashboardQueries.playersNamed(keyOf("ascending"), "A", 8)],
  playersOfStatus: () =>
    (["hidden", "banned"] as const).map((status) => dashboardQueries.playersOfStatus("chess", status, 50)),
  playersWithPrefix: () => [dashboardQueries.playersWithPrefix(keyOf("ascending"), "a", 8)],
};

/** Each query of `firerank doctor`. Those of {@link doctorQueries.outsideLeaderboards} order by the id alone. */
const doctorCases: Record<keyof typeof doctorQueries, () => Query[]> = {
  outsideLeaderboards: () => doctorQueries.outsideLeaderboards(world.db, "players"),
};

test("every query of the module has its cases here", () => {
  const { markedScore: __, newestStandings: ___, ...ofFunctions } = queries;
  expect(Object.keys(cases).sort()).toEqual(Object.keys(ofFunctions).sort());
  expect(Object.keys(doctorCases).sort()).toEqual(Object.keys(doctorQueries).sort());
  const { idField: _, suggestionsMax: ____, ...ofDashboard } = dashboardQueries;
  expect(Object.keys(dashboardCases).sort()).toEqual(Object.keys(ofDashboard).sort());
});

test.each(Object.entries(doctorCases))("the doctor's %s has its index", async (_name, make) => {
  const sent = await Promise.all(make().map(send));
  expect(sent.filter(({ index }) => !hasIndex(index, file) && !isWalk(index))).toEqual([]);
});

/** Whether a query walks a collection group by id: that needs no index, as `getPartitions` divides such queries. */
function isWalk({ equal, ordered }: NeededIndex): boolean {
  const [only] = ordered;
  return (
    equal.length === 0 && ordered.length === 1 && only?.fieldPath === "__name__" && only.order === "ASCENDING"
  );
}

/** Each query of the functions and of the dashboard, as it is sent. */
const sent: Record<string, () => Promise<SentQuery[]>> = Object.fromEntries([
  ...Object.entries(cases).map(([name, make]) => [name, () => sentBy(make())] as const),
  ...Object.entries(dashboardCases).map(([name, make]) => {
    return [`the dashboard's ${name}`, () => Promise.resolve(make().map(sentBySpec))] as const;
  }),
]);

/** @param used indexes that each board has */
function editionOf<Index>(
  all: readonly Index[],
  has: (query: SentQuery, indexes: readonly Index[]) => boolean,
  used = all,
) {
  const lackingIn = (indexes: readonly Index[], list: readonly SentQuery[]) =>
    list.filter((query) => !has(query, indexes));
  const without = (index: Index) => all.filter((other) => !isDeepStrictEqual(other, index));
  return {
    /** Queries that find no index. */
    lacking: (list: readonly SentQuery[]) => lackingIn(all, list),
    /** Indexes that no query needs. */
    unused: (list: readonly SentQuery[]) =>
      used.filter((one) => lackingIn(without(one), list).length === lackingIn(all, list).length),
  };
}

const editions = {
  Standard: editionOf(file.indexes, (query, indexes) =>
    hasIndex(neededIndex(query), { ...file, indexes: [...indexes] }),
  ),
  Enterprise: editionOf(enterpriseIndexes(everyKind), hasEnterpriseIndex, enterpriseIndexes([])),
};

describe.each(Object.entries(editions))("%s edition", (edition, { lacking, unused }) => {
  test.each(Object.entries(sent))("%s has its index on every kind of board", async (name, make) => {
    // Of all scores, whatever the status: a season's end asks, which reads all players anyway, and alerts of an idle one.
    const lacks = edition === "Enterprise" && name === "numbered" ? numberedBy("score").length : 0;
    expect(lacking(await make())).toHaveLength(lacks);
  });

  test("no index is there that no query needs", async () => {
    const all: SentQuery[] = [];
    for (const make of Object.values(sent)) all.push(...(await make()));
    expect(unused(all)).toEqual([]);
  });
});

/** The queries about players and scores that a board of a kind sends; the others are the same for all. */
function queriesOf({ order, ties, hasSegments }: BoardKind): Query[] {
  const { db } = world;
  const of = (key: RankingKey) => [
    ...[{}, { upwards: true }].map((stretch) => queries.listedPlayers(db, key, { order, ties }, stretch)),
    queries.listedPlayers(db, key, { order, ties }).limitToLast(1),
    queries.pageOfScore(db, key, order, 2),
  ];
  const segment = segmentOf(order);
  const until = order === "descending" ? 0 : 3;
  const ofSegment = [
    ...of(segment),
    queries.pageOfOffset(db, segment, 0),
    queries.marksBetween(db, segment, order, 1.5, until),
  ];
  return [
    queries.listedPlayers(db, keyOf(order), { order, ties }, { timed: true }),
    ...of(keyOf(order)),
    ...(hasSegments === true ? ofSegment : []),
  ];
}

test.each(everyKind)(
  "on Enterprise, a board $order, $ties, with segments $hasSegments has what it needs, and nothing else",
  async (kind) => {
    const all = enterpriseIndexes([kind]);
    const common = enterpriseIndexes([]);
    const own = all.filter((one) => !common.some((other) => isDeepStrictEqual(one, other)));
    const { lacking, unused } = editionOf(all, hasEnterpriseIndex, own);
    const list = await sentBy(queriesOf(kind));
    expect([lacking(list), unused(list)]).toEqual([[], []]);
  },
);

test("a query outside the module would be found", () => {
  expect(queryCalls("db.collection(path).where('score', '>', 1)")).toEqual(["where"]);
  expect(queryCalls("db\n  .collectionGroup('players')\n  .orderBy (x)")).toEqual([
    "collectionGroup",
    "orderBy",
  ]);
  expect(
    queryCalls('db["collectionGroup"]("players"); Filter.and(a, b); collection.findNearest({})'),
  ).toHaveLength(3);
  expect(queryCalls("// where: orderBy\nconst where = nowhere(orderBy);")).toEqual([]);
});

test("no other module of the functions builds a query", () => {
  const sources = globSync("functions/src/**/*.ts", { cwd: root }).filter(
    (path) => !path.endsWith(".test.ts"),
  );
  const found = sources.filter((path) => queryCalls(readFileSync(join(root, path), "utf8")).length > 0);
  expect(found).toEqual([join("functions", "src", "documents", "queries.ts")]);
});

describe("a game's own collections, which have the same overrides", () => {
  // As people write them; Firestore applies an override to every collection of the name, wherever it is.
  const own = {
    players:
      "name display_name score status level team email created_at updated_at attempts submitted_at metadata " +
      "metadata.country columns expire_at ttl last_seen",
    runs:
      "player started_at finished_at time kind outcome category video expire_at expires_at expireAt ttl " +
      "submitted_at",
    scores: "score player value created_at writes slot_ends_at level expire_at",
    seasons: "name opens_at closes_at status shards next_run_at ranking.published_at",
    top: "score player rank generation players as_of",
    standings: "rank team points players score count as_of",
    leaderboards: "name order visibility",
    receipts: "player amount created_at expires_at ttl count receipt_expires_at",
    repair: "run stands_until repaired_at",
    events: "kind at time players season expires_at expire_at ttl created_at",
  };

  test.each(Object.entries(own))("%s keep every automatic index", (collection, fields) => {
    for (const field of fields.split(" ")) expect(indexesLost(collection, field, file), field).toEqual([]);
  });

  test("no document expires by a field that others might have", () => {
    const expiring = file.fieldOverrides.filter(({ ttl }) => ttl === true);
    expect(expiring.map(({ collectionGroup, fieldPath }) => `${collectionGroup}.${fieldPath}`)).toEqual([
      "runs.run_record_expires_at",
      "events.board_event_expires_at",
      "receipts.count_receipt_expires_at",
    ]);
  });

  test("docs/install.md names each field that loses its index in collections with common names", () => {
    const page = readFileSync(join(root, "docs/install.md"), "utf8");
    const losing = file.fieldOverrides.filter(
      ({ collectionGroup, fieldPath }) => indexesLost(collectionGroup, fieldPath, file).length > 0,
    );
    for (const { collectionGroup, fieldPath } of losing)
      expect(page).toContain(`\`${collectionGroup}.${fieldPath}\``);
  });
});

test("the check finds a wrong order, direction, collection or scope, and judges no filter that it does not know", () => {
  const ordered = ["score", "achieved_at", "__name__"].map((fieldPath, i) => ({
    fieldPath,
    order: i === 0 ? "DESCENDING" : "ASCENDING",
  }));
  const needed: NeededIndex = { collectionGroup: "players", scope: "COLLECTION", equal: ["status"], ordered };
  expect(hasIndex(needed, file)).toBe(true);
  const wrong: Partial<NeededIndex>[] = [
    { ordered: ordered.with(0, { fieldPath: "achieved_at", order: "ASCENDING" }) },
    { ordered: ordered.with(2, { fieldPath: "__name__", order: "DESCENDING" }) },
    { equal: [] },
    { equal: ["status", "name"] },
    { collectionGroup: "standings" },
    { scope: "COLLECTION_GROUP" },
    { contains: "segments" },
  ];
  expect(hasIndex({ ...needed, contains: "counted.segments" }, file)).toBe(true);
  expect(wrong.filter((change) => hasIndex({ ...needed, ...change }, file))).toEqual([]);
  const or = { compositeFilter: { op: "OR", filters: [] } };
  expect(() => neededIndex({ from: [{ collectionId: "players" }], where: or })).toThrow(
    "knows no such filter",
  );
});

/**
 * A query of the dashboard as Firebase's client sends it: its orders end with the id. `in` asks for the index of as
 * many equalities.
 */
function sentBySpec({ collection, group, where, orderBy }: QuerySpec): SentQuery {
  const ops: Record<string, string> = {
    "==": "EQUAL",
    in: "EQUAL",
    ">=": "GREATER_THAN_OR_EQUAL",
    "<=": "LESS_THAN_OR_EQUAL",
    "<": "LESS_THAN",
  };
  const last = orderBy.at(-1);
  return {
    from: [{ collectionId: collection.split("/").at(-1) ?? "", allDescendants: group === true }],
    where: {
      compositeFilter: {
        op: "AND",
        filters: where.map(([fieldPath, op]) => ({
          fieldFilter: { field: { fieldPath }, op: ops[op] ?? op },
        })),
      },
    },
    orderBy: [
      ...orderBy,
      ...(last?.[0] === "__name__" ? [] : [["__name__", last?.[1] ?? "asc"] as const]),
    ].map(([fieldPath, direction]) => ({
      field: { fieldPath },
      direction: direction === "asc" ? "ASCENDING" : "DESCENDING",
    })),
  };
}

/** Queries as they are sent; the query for what follows a document must need the same index. */
async function sentBy(list: readonly Query[]): Promise<SentQuery[]> {
  const all: SentQuery[] = [];
  for (const query of list) {
    const { docs, index, sent: one } = await send(query);
    if (docs[0] === undefined) throw new Error(`nothing was found with ${JSON.stringify(index)}`);
    expect((await send(query.startAfter(docs[0]))).index).toEqual(index);
    all.push(one);
  }
  return all;
}

async function send(
  query: Query,
): Promise<{ docs: QueryDocumentSnapshot[]; sent: SentQuery; index: NeededIndex }> {
  const { docs } = await query.get();
  const sent = world.meter.queries.at(-1);
  if (sent === undefined) throw new Error("no query was sent");
  return { docs, sent, index: neededIndex(sent) };
}

/** The calls in a source that make a query of more than a collection. */
function queryCalls(source: string): string[] {
  const calls = /(?:\.|\[["'`])(where|orderBy|collectionGroup|findNearest)(?:["'`]\])?\s*\(|\b(Filter)\./g;
  return [...source.matchAll(calls)].map((match) => match[1] ?? match[2] ?? "");
}
