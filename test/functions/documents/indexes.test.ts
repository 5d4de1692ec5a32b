/** Every query has its index, and none is there for nothing: the emulators don't check that. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Query, Timestamp } from "../../../functions/src/documents/firestore.ts";
import { type BoardKind, enterpriseIndexes, everyKind } from "../../../cli/init/enterprise-indexes.ts";
import {
  groupCodePath,
  groupPath,
  playerPath,
  playersPath,
  privateGroupPath,
  runPath,
  seasonPath,
  standingsPath,
} from "../../../functions/src/documents/paths.ts";
import * as privateGroupQueries from "../../../functions/src/documents/private-group-queries.ts";
import * as queries from "../../../functions/src/documents/queries.ts";
import { root } from "../../../scripts/project.ts";
import * as doctorQueries from "../../../cli/doctor/queries.ts";
import * as dashboardQueries from "../../../web/src/data/queries.ts";
import { dashboardQuery } from "../../support/dashboard-query.ts";
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
const outcomes = ["published", "failed", "done", "running"] as const;
const key = allTime("descending");

/** A board with segments of each order with a published page, pending shards and players, so that each query finds something. */
let world: World;
beforeAll(async () => {
  world = createWorld();
  await createBoard(world, "level", { template: { ids: "any" } });
  await world.call("submitScore", { leaderboard: "level:7", score: 1 }, user("ann"));
  await world.publish(allTime("level:7"));
  for (const order of ["descending", "ascending"] as const) {
    const segments = [{ name: "country", from: "submission" as const, values: ["AT"] }];
    const key = await createBoard(world, order, { order, visibility: "public", segments });
    for (const [player, score] of Object.entries({ ann: 1, bob: 2 })) {
      const submission = { leaderboard: order, score, segments: { country: "AT" } };
      await world.call("submitScore", submission, user(player));
      await world.deliver(key, player);
      if (player === "ann") await world.publish(key);
    }
    await world.db
      .doc(groupPath(key, "bronze-1"))
      .set({ newest_of: "bronze", unsettled: true, owners: ["a"] });
    await world.db.doc(playerPath(key, "waiting")).set({ league_seat: { waits: true, group: "bronze-1" } });
    await world.db.doc(privateGroupPath(order, "friends")).set({
      owners: ["a"],
      season: "all_time",
      unsettled: true,
      end_due_at: Timestamp.fromMillis(1_000),
    });
    await world.db
      .doc(privateGroupPath(order, "ended"))
      .set({ owners: ["a"], season: "all_time", settled_at: Timestamp.fromMillis(1_000) });
    await world.db.doc(groupCodePath(order, "CODE")).set({ group: "friends" });
    await world.db.doc(seasonPath(key)).update({
      league: "open",
      end_due_at: Timestamp.fromMillis(world.services.now()),
      closed_at: Timestamp.fromMillis(1_000),
      parked: "no_definition",
    });
    await world.db.doc(standingsPath(key, 0)).set({ players: ["ann"] });
    for (const outcome of outcomes)
      await world.db.doc(runPath(key, outcome)).set({
        outcome,
        started_at: Timestamp.fromMillis(1_000),
        ...(outcome === "done" && { repair: "repair" }),
      });
  }
});

/** Makes each form of a query. */
type Make = (kind: BoardKind) => Query[];
type OfBoards = "listedPlayers" | "pageOfScore" | "pageOfOffset" | "marksBetween";

/** The rankings of a board: that of all players, and that of a segment. */
function rankingsOf({ order, hasSegments }: BoardKind) {
  const all = allTime(order);
  return hasSegments === true ? [all, { ...all, segment: "country=AT" }] : [all];
}

/** The queries that depend on the kind of a board. */
const ofBoards: Record<OfBoards, Make> = {
  listedPlayers: (kind) =>
    rankingsOf(kind).flatMap((one) => [
      ...[{}, { upwards: true }, { timed: true }].map((stretch) =>
        queries.listedPlayers(world.db, one, kind, stretch),
      ),
      queries.listedPlayers(world.db, one, kind).limitToLast(1),
    ]),
  pageOfScore: (kind) =>
    rankingsOf(kind).flatMap((one) =>
      [7, -7].map((score) => queries.pageOfScore(world.db, one, kind.order, score)),
    ),
  pageOfOffset: (kind) => rankingsOf(kind).map((one) => queries.pageOfOffset(world.db, one, 0)),
  marksBetween: (kind) =>
    rankingsOf(kind).map((one) =>
      queries.marksBetween(world.db, one, kind.order, 1.5, kind.order === "descending" ? 0 : 3),
    ),
};

type OfAll = Exclude<keyof typeof queries, OfBoards | "markedScore" | "newestStandings">;

/** Those that are the same for all boards. */
const ofAll: Record<OfAll | keyof typeof privateGroupQueries, Make> = {
  pendingShards: () => {
    const byMs = world.services.now() + 1e9;
    const from = Timestamp.fromMillis(0);
    return [{}, { from }, { byMs }, { from, byMs }].map((slots) =>
      queries.pendingShards(world.db, key, slots),
    );
  },
  dueSeasons: () =>
    (["next_run_at", "end_due_at"] as const).map((field) =>
      queries.dueSeasons(world.db, field, world.services.now() + 1e9),
    ),
  standingsWith: () => [queries.standingsWith(world.db, key, "ann")],
  numbered: () =>
    (["score", queries.markedScore] as const).flatMap((field) => [
      queries.numbered(world.db, key, field),
      queries.numbered(world.db, key, field, { from: [1, "ann"], before: [2, "bob"] }),
    ]),
  byId: () => [
    queries.byId(world.db, playersPath(key), 20),
    queries.byId(world.db, playersPath(key), 20, { after: "a", until: "b" }),
  ],
  rankedSeasons: () => [queries.rankedSeasons(world.db, 0)],
  parkedSeasons: () => [queries.parkedSeasons(world.db)],
  runsSince: () =>
    outcomes.flatMap((outcome) =>
      [undefined, key].map((of) => queries.runsSince(world.db, outcome, { key: of, sinceMs: 0 }, 20)),
    ),
  wrongAudits: () => [queries.wrongAudits(world.db, 0, 20)],
  leaderboards: () =>
    [true, false].flatMap((publicOnly) =>
      [undefined, "a"].map((after) => queries.leaderboards(world.db, { after, publicOnly }, 20)),
    ),
  documentsOfPlayer: () =>
    [undefined, {}].map((listed) => queries.documentsOfPlayer(world.db, "ann", listed)),
  seasonsOfTemplate: () => [queries.seasonsOfTemplate(world.db, "level")],
  openSeasons: () => [queries.openSeasons(world.db, "ascending")],
  listedSeasons: () =>
    [undefined, "all_time"].flatMap((span) =>
      [undefined, "open"].map((status) => queries.listedSeasons(world.db, "ascending", { span, status }, 20)),
    ),
  eventsOfBoardsWith: () =>
    [undefined, "level"].map((template) => queries.eventsOfBoardsWith(world.db, "ann", template)),
  eventsWith: () => [queries.eventsWith(world.db, "ascending", "ann")],
  waitingForSeats: () => [queries.waitingForSeats(world.db, key)],
  playersOfGroup: () => [queries.playersOfGroup(world.db, key, "bronze-1")],
  newestGroups: () => [queries.newestGroups(world.db, key, ["bronze", "gold"])],
  groupsOwnedBy: () => [queries.groupsOwnedBy(world.db, key, ["a", "b"])],
  unsettledGroups: () => {
    const all = queries.unsettledGroups(world.db, key);
    return [all, all.startAt("bronze-1"), all.endBefore("bronze-4")];
  },
  openLeagues: () => [queries.openLeagues(world.db, "descending")],
  privateGroupsOf: () => [privateGroupQueries.privateGroupsOf(world.db, "descending", "a")],
  endedGroupsOf: () => [privateGroupQueries.endedGroupsOf(world.db, "descending", "a")],
  anyPrivateGroup: () => [privateGroupQueries.anyPrivateGroup(world.db, "descending")],
  openGroupsOf: () => [privateGroupQueries.openGroupsOf(world.db, "descending", "a")],
  openGroupsOfSome: () => [privateGroupQueries.openGroupsOfSome(world.db, "descending", ["a", "b"])],
  privateGroupsShowing: () => [privateGroupQueries.privateGroupsShowing(world.db, key)],
  privateGroupsDue: () => [privateGroupQueries.privateGroupsDue(world.db, world.services.now())],
  codesOf: () => [privateGroupQueries.codesOf(world.db, "descending", "friends")],
  closedSeasons: () =>
    [undefined, "ascending"].map((leaderboard) =>
      queries.closedSeasons(world.db, { leaderboard, sinceMs: 0, untilMs: 1e13 }, 20),
    ),
};

/** Each query of the dashboard, in each form. */
const ofDashboard: Record<
  keyof Omit<typeof dashboardQueries, "idField" | "openMax" | "suggestionsMax">,
  () => dashboardQueries.QuerySpec[]
> = {
  boards: () =>
    [true, false].flatMap((publicOnly) =>
      ["", "a"].map((prefix) => dashboardQueries.boards({ publicOnly, prefix, limit: 20 })),
    ),
  newestOfSpan: () => [dashboardQueries.newestOfSpan("chess", "daily")],
  openTournaments: () => [dashboardQueries.openTournaments("chess", new Date(0))],
  openSeasons: () => [dashboardQueries.openSeasons("chess")],
  endedSeasons: () => [dashboardQueries.endedSeasons("chess", 10)],
  failedRuns: () => [dashboardQueries.failedRuns(new Date(0), 100)],
  parkedSeasons: () => [dashboardQueries.parkedSeasons(20)],
  runsOf: () =>
    (["all", "failed", "ranking", "audit", "repair", "end"] as const).map((filter) =>
      dashboardQueries.runsOf(key, filter, 50),
    ),
  repairsOf: () => [dashboardQueries.repairsOf(key, 10)],
  boardsOfTemplate: () => [dashboardQueries.boardsOfTemplate("level", "all_time", 20)],
  boardWithPrefix: () =>
    [undefined, "level:7"].map((after) => dashboardQueries.boardWithPrefix("level", "7", after)),
  segmentPages: () => [dashboardQueries.segmentPages(key, 20)],
  edgesOfSegment: () => dashboardQueries.edgesOfSegment(key, "country=AT"),
  playersNamed: () => [dashboardQueries.playersNamed(key, "A", 8)],
  playersFromName: () => [dashboardQueries.playersFromName(key, "A", 2)],
  playersOfStatus: () =>
    (["hidden", "banned"] as const).map((status) => dashboardQueries.playersOfStatus("chess", status, 50)),
  playersWithPrefix: () => [dashboardQueries.playersWithPrefix(key, "a", 8)],
  privateGroups: () => ["", "F"].map((prefix) => dashboardQueries.privateGroups("chess", prefix, 20)),
  groupsOfTier: () => [dashboardQueries.groupsOfTier(key, "bronze", 10)],
};

/** A query as it is sent, with its name. */
interface Named {
  name: string;
  sent: SentQuery;
}

const ofTemplates = ["documentsOfPlayer", "eventsOfBoardsWith"];
const ofLeagues = [
  "waitingForSeats",
  "playersOfGroup",
  "newestGroups",
  "groupsOwnedBy",
  "unsettledGroups",
  "openLeagues",
];

/** What boards of some kinds send, and the dashboard. */
async function sentOn(kinds: readonly BoardKind[]): Promise<Named[]> {
  const has = (flag: "isTemplate" | "hasLeague") => kinds.some((kind) => kind[flag] === true);
  const isSent = (name: string) =>
    ofLeagues.includes(name) ? has("hasLeague") : !ofTemplates.includes(name) || has("isTemplate");
  const all = await sentBy(Object.fromEntries(Object.entries(ofAll).filter(([name]) => isSent(name))));
  for (const kind of kinds) all.push(...(await sentBy(ofBoards, kind)));
  const hasSegments = kinds.some((kind) => kind.hasSegments === true);
  for (const [name, make] of Object.entries(ofDashboard))
    for (const spec of hasSegments || !/segment/i.test(name) ? make() : [])
      all.push({ name: `the dashboard's ${name}`, sent: (await send(dashboardQuery(world.db, spec))).sent });
  return all;
}

/** Each must find something, and the query for what follows a document must need the same index. */
async function sentBy(
  makers: Record<string, Make>,
  kind: BoardKind = { order: "descending", ties: "first" },
) {
  const all: Named[] = [];
  for (const [name, make] of Object.entries(makers))
    for (const query of make(kind)) {
      const { docs, sent } = await send(query);
      if (docs[0] === undefined) throw new Error(`${name} found nothing with ${JSON.stringify(sent)}`);
      expect(neededIndex((await send(query.startAfter(docs[0]))).sent)).toEqual(neededIndex(sent));
      all.push({ name, sent });
    }
  return all;
}

async function send(query: Query) {
  const { docs } = await query.get();
  const sent = world.meter.queries.at(-1) ?? expect.fail("no query was sent");
  return { docs, sent };
}

/**
 * @param has whether a query finds its index among some.
 * @returns the names of queries that find none among all, and the indexes without which none would be missing.
 */
function compare<Index>(
  list: readonly Named[],
  all: readonly Index[],
  has: (query: SentQuery, indexes: Index[]) => boolean,
) {
  const lackingIn = (indexes: readonly Index[]) =>
    list.filter(({ sent }) => !has(sent, [...indexes])).map(({ name }) => name);
  const lacking = lackingIn(all);
  const isUnused = (one: Index) => lackingIn(all.filter((other) => other !== one)).length === lacking.length;
  return { lacking, unused: all.filter(isUnused) };
}

describe("each query has its index, and no index is there that none needs,", () => {
  test("on Standard, on every kind of board", async () => {
    const list = await sentOn(everyKind);
    for (const [name, make] of Object.entries(doctorQueries))
      for (const query of make(world.db, "players"))
        list.push({ name: `the doctor's ${name}`, sent: (await send(query)).sent });
    const has = (query: SentQuery, indexes: IndexFile["indexes"]) =>
      hasIndex(neededIndex(query), { ...file, indexes });
    expect(compare(list, file.indexes, has)).toEqual({ lacking: [], unused: [] });
  });

  test.each(everyKind)(
    "on Enterprise, on a board $order, $ties, with segments $hasSegments, of a template $isTemplate, with a league $hasLeague",
    async (kind) => {
      const found = compare(await sentOn([kind]), enterpriseIndexes([kind]), hasEnterpriseIndex);
      // Of all scores, whatever the status: a season's end asks, which reads all players anyway, and alerts of an idle one.
      expect(found).toEqual({ lacking: ["numbered", "numbered"], unused: [] });
    },
  );
});

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
  const modules = ["private-group-queries.ts", "queries.ts"];
  expect(found).toEqual(modules.map((name) => join("functions", "src", "documents", name)));
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

/** The calls in a source that make a query of more than a collection. */
function queryCalls(source: string): string[] {
  const calls = /(?:\.|\[["'`])(where|orderBy|collectionGroup|findNearest)(?:["'`]\])?\s*\(|\b(Filter)\./g;
  return [...source.matchAll(calls)].map((match) => match[1] ?? match[2] ?? "");
}
