/** Boards large enough to make counting hard: one that leaves its index, and one that is ranked for the first time. */
import { beforeEach, expect, test, vi } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { indexPlayers } from "../../../functions/src/indexing/index-players.ts";
import { countHeadMax, samplePlayersPerQuery, sampleQueries } from "../../../functions/src/model/limits.ts";
import { getRankSpec } from "../../../functions/src/operations/get-rank.ts";
import { saveLeaderboardSpec } from "../../../functions/src/operations/save-leaderboard.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { countReads } from "../../../functions/src/ranking/thresholds.ts";
import { seededRandom } from "../../../functions/src/testing/arbitraries.ts";
import {
  admin,
  allTime,
  createBoard,
  createWorld,
  user,
  type World,
  presentOf,
} from "../../support/world.ts";

vi.setConfig({ testTimeout: 240_000 });

let world: World;
const key = allTime("board");
const players = 5_000;
const topSize = 20;

/** Different scores, most of them small, and shuffled: the n-th player's score says nothing about the next one's. */
const scoreOf = (n: number) => ((n * 7_919) % players) ** 2 / 1_024 + 1 / 3;

/** Writes all players, 200 at a time: by the index's own transaction, or as a trusted server does. */
async function writeAll(
  count: number,
  write: (from: number, until: number) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < count; start += 1_600) {
    const starts = Array.from({ length: 8 }, (_, i) => start + 200 * i).filter((at) => at < count);
    await Promise.all(starts.map((at) => write(at, Math.min(count, at + 200))));
  }
}

const fieldsOf = (n: number) => ({
  score: scoreOf(n),
  status: "active",
  achieved_at: Timestamp.fromMillis(n),
});

/** The aggregations that the client sent during some work, and the most of them at once. */
async function countingQueries<Result>(work: () => Promise<Result>) {
  const sent = { counts: 0, underWay: 0, atOnce: 0 };
  const internals = world.db as unknown as {
    requestStream(method: string, ...rest: unknown[]): Promise<NodeJS.ReadableStream>;
  };
  const requestStream = internals.requestStream.bind(world.db);
  internals.requestStream = async (method, ...rest) => {
    if (method !== "runAggregationQuery") return requestStream(method, ...rest);
    sent.counts += 1;
    // Counted from here, as the stream exists only once its first answer has arrived.
    sent.underWay += 1;
    sent.atOnce = Math.max(sent.atOnce, sent.underWay);
    const stream = await requestStream(method, ...rest);
    return stream.once("end", () => (sent.underWay -= 1));
  };
  const measured = await world.meter.measure(work);
  internals.requestStream = requestStream;
  return { ...measured, sent };
}

/** The bounds of some ranks contain the truth, and are within a hundredth of it below the best 512. */
async function expectRanks(count: number): Promise<void> {
  const sorted = Array.from({ length: count }, (_, n) => scoreOf(n)).sort((a, b) => b - a);
  world.services.pages = world.anotherInstance().pages;
  for (let rank = 1; rank <= count; rank = Math.ceil(1.4 * rank)) {
    const score = sorted[rank - 1] ?? NaN;
    const found = await world.call(getRankSpec, { leaderboard: "board", score }, user("eve"));
    expect(found.rank_best).toBeLessThanOrEqual(rank);
    expect(found.rank_worst).toBeGreaterThanOrEqual(rank);
    expect(found.rank_worst - found.rank_best).toBeLessThanOrEqual(rank < countHeadMax ? 0 : rank / 100);
  }
}

beforeEach(() => {
  world = createWorld();
  world.services.random = seededRandom(1);
});

test("a board of five thousand different scores leaves the index in one run of a bounded number of counts", async () => {
  const definition = { aggregation: "latest", top_size: topSize } as const;
  await createBoard(world, "board", definition);
  await world.services.boards.open(presentOf(key));
  await writeAll(players, (from, until) => {
    const ids = Array.from({ length: until - from }, (_, i) => `p${from + i}`);
    return indexPlayers(world.services, key, ids, { rewrite: (id) => fieldsOf(Number(id.slice(1))) });
  });
  const indexed = await publishRanking(world.services, key, { includeOpenSlot: true });
  expect(indexed).toMatchObject({ players, rows: players, exact: true });

  const changed = { leaderboard: "board", definition: { ...definition, source: "count" as const } };
  await world.call(saveLeaderboardSpec, changed, admin);
  await world.services.boards.load(key);
  const { result: record, bill, sent } = await countingQueries(() => publishRanking(world.services, key));
  expect(record).toMatchObject({ outcome: "published", players, attempts: 1 });
  expect(record.billed).toEqual(bill);
  // Plus, besides counting: the pages of the index, and the top with its document and its index entry.
  expect(bill.reads).toBeLessThanOrEqual(indexed.wrote.pages + topSize + 2 + 1.05 * countReads(players));
  expect(sent.counts).toBeLessThan(800);
  expect(sent.counts).toBeLessThanOrEqual(record.rows - countHeadMax + 16);
  expect(sent.atOnce).toBeGreaterThan(1);
  expect(sent.atOnce).toBeLessThanOrEqual(32);
  await expectRanks(players);
});

test("a first ranking finds its thresholds by a sample", async () => {
  const few = 3_000;
  await createBoard(world, "board", { aggregation: "latest", top_size: topSize, source: "count" });
  await world.services.boards.open(presentOf(key));
  await writeAll(few, (from, until) => {
    const batch = world.db.batch();
    for (let n = from; n < until; n++) batch.set(world.db.doc(playerPath(key, `p${n}`)), fieldsOf(n));
    return batch.commit();
  });
  await world.services.boards.load(key);
  const { result: record, bill, sent } = await countingQueries(() => publishRanking(world.services, key));
  expect(record).toMatchObject({ outcome: "published", players: few, attempts: 1 });
  expect(record.billed).toEqual(bill);
  expect(bill.reads).toBeLessThan(sampleQueries * samplePlayersPerQuery + 3 * countReads(few));
  expect(sent.counts).toBeLessThan(3_000);
  expect(sent.atOnce).toBeLessThanOrEqual(32);
  await expectRanks(few);
});
