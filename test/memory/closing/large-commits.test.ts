/** What a season's end deletes and completes fits Firestore's commits, however large the documents are. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isInLine } from "../../../functions/src/counting/count-players.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  playerPath,
  playersPath,
  type SeasonKey,
  seasonPath,
  standingsCollection,
  standingsMetadataPath,
  standingsPath,
} from "../../../functions/src/documents/paths.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import {
  commitBytesMax,
  documentBytesMax,
  metadataBytesMax,
  standingsPerDocument,
  summaryPartMax,
} from "../../../functions/src/model/limits.ts";
import { markPlayers } from "../../../functions/src/counting/mark-players.ts";
import { documentsOf } from "../../../functions/src/standings/pack.ts";
import { grpc } from "../../../functions/src/world/retryable.ts";
import { limitCommits, watchCommits } from "../../support/commits.ts";
import {
  createEnding,
  endSeason,
  expectFinal,
  playerFields,
  recordOf,
  seasonOf,
  writePlayers,
} from "../../support/closing.ts";
import { publishedRows } from "../../support/oracle.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

const player = (id: string, i: number) => ({
  player: id,
  score: 1e6 - i,
  achievedAt: Timestamp.fromMillis(1_760_000_000_000 + 7_919 * i),
  name: `Player ${i} `.padEnd(64, "x"),
  segments: "",
  metadata: JSON.stringify({ note: "x".repeat(metadataBytesMax - 20) }),
});

/** Full documents of standings, with ids of some length. */
async function writeStandings(key: SeasonKey, documents: number, idLength: number, players: number) {
  for (let n = 0; n < documents; n++) {
    const all = Array.from({ length: players }, (_, i) => player(`${n}-${i}`.padEnd(idLength, "y"), i));
    const { standings, metadata } = documentsOf(all);
    await world.db.doc(standingsPath(key, n)).set(standings);
    await world.db.doc(standingsMetadataPath(key, n)).set(metadata ?? {});
  }
}

const nothingMarked = { cursor: null, ended: false, players: 0, differing: 0, changed: 0, refused: 0 };
const inOneStep = { isRight: isInLine, isOver: () => false, onProgress: () => Promise.resolve() };

test("a season that is not kept is deleted without a refused commit, however large its documents are", async () => {
  const key = await createEnding(world, "board", {}, { begun: { status: "deleting" } });
  // Ids of 1,500 bytes, each in an index entry of its own; and players of half a megabyte, as a trusted server writes them.
  await writeStandings(key, 6, 1_500, 550);
  const large = { score: 1, notes: Array.from({ length: 300 }, (_, i) => `${i}`.padEnd(1_500, "n")) };
  const players = Array.from({ length: 20 }, (_, i) => [`p${i}`, large]);
  await writePlayers(world, key, Object.fromEntries(players) as Record<string, Record<string, unknown>>);
  const commits = limitCommits(world);
  await endSeason(world, key);
  expect((await world.db.doc(seasonPath(key)).get()).exists).toBe(false);
  for (const path of [playersPath(key), standingsCollection(key)])
    expect((await world.db.collection(path).get()).size).toBe(0);
  expect(commits.filter(({ isRefused }) => isRefused)).toEqual([]);
});

test("a deletion that fails ends its step only when all others have ended", async () => {
  const key = await createEnding(world, "board", {}, { begun: { status: "deleting" } });
  await writePlayers(world, key, Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, {}])));
  const begin = world.db.bulkWriter.bind(world.db);
  world.db.bulkWriter = (options) => {
    const writer = begin(options);
    const [remove, close] = [writer.delete.bind(writer), writer.close.bind(writer)];
    const refused = () => Promise.reject(new Error("refused"));
    writer.delete = (ref) => (ref.id === "p0" ? refused() : remove(ref));
    // What is left of the deletions is sent at the end.
    writer.close = () => pause(100).then(close);
    return writer;
  };
  await expect(endSeason(world, key)).rejects.toThrow("refused");
  const { docs } = await world.db.collection(playersPath(key)).get();
  expect(docs.map(({ id }) => id)).toEqual(["p0"]);
});

describe("large documents without a mark", () => {
  const large = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `p${i}`,
      { score: i, notes: Array.from({ length: 300 }, (_, j) => `${j}`.padEnd(1_000, "n")) },
    ]),
  );

  /** Whether commits were kept below the limit, and whether that took several. */
  function sizesOf(commits: ReturnType<typeof limitCommits>) {
    const bytes = commits.reduce((sum, one) => sum + one.bytes, 0);
    return {
      refused: commits.filter(({ isRefused }) => isRefused).length,
      isSplit: bytes > commitBytesMax,
    };
  }

  test("are completed by a closing in commits that fit", async () => {
    const key = await createEnding(world, "board", {});
    await writePlayers(world, key, large);
    const commits = limitCommits(world);
    await endSeason(world, key);
    await expectFinal(world, key);
    expect(await seasonOf(world, key)).toMatchObject({ status: "closed", ranking: { players: 60 } });
    expect(await recordOf(world, key)).toMatchObject({ completed: { players: 60 } });
    expect(sizesOf(commits)).toEqual({ refused: 0, isSplit: true });
  });

  test("are brought into line by a repair in commits that fit", async () => {
    const key = await createEnding(world, "board", {});
    await writePlayers(world, key, large);
    const commits = limitCommits(world);
    expect(await markPlayers(world.services, key, nothingMarked, inOneStep)).toMatchObject({
      differing: 60,
      changed: 60,
      ended: true,
    });
    expect(sizesOf(commits)).toEqual({ refused: 0, isSplit: true });
  });
});

describe("a document that has no room for a mark", () => {
  /** A trusted server's bare score, ten bytes below Firestore's limit. */
  async function writeFull(key: SeasonKey, player: string): Promise<void> {
    const path = playerPath(key, player);
    const room = documentBytesMax - documentSize(path, { score: 5, own: "" });
    await world.db.doc(path).set({ score: 5, own: "x".repeat(room - 10) });
  }
  const told = expect.objectContaining({
    level: "error",
    message: "player full is not ranked: Firestore refuses to write the document",
  }) as unknown;

  test("is left out of the final table, after one search, and the log says so", async () => {
    const key = await createEnding(world, "board", { ann: playerFields(7, 1), bob: playerFields(3, 1) });
    await writeFull(key, "full");
    await writePlayers(world, key, { zoe: { score: 4 } });
    await endSeason(world, key);
    await expectFinal(world, key);
    expect(await seasonOf(world, key)).toMatchObject({ status: "closed", ranking: { players: 3 } });
    expect(await recordOf(world, key)).toMatchObject({ completed: { players: 1 } });
    expect(world.logged).toContainEqual(told);
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        message: "a season closes without players whose documents cannot be ranked",
      }),
    );
  });

  test("keeps no repair from bringing the others into line, and its record counts it", async () => {
    await createBoard(world, "board");
    const key = allTime("board");
    const submit = { leaderboard: "board", score: 1 };
    await world.call("submitScore", submit, user("first"));
    await writeFull(key, "full");
    await writePlayers(world, key, { ann: { score: 7 }, zoe: { score: 8 } });
    const repaired = await world.call("repairSeason", key, admin);
    expect(repaired).toMatchObject({
      outcome: "done",
      marked: { players: 4, differing: 3, changed: 2, refused: 1 },
    });
    expect(world.logged).toContainEqual(told);
    expect((await publishedRows(world.db, key)).map(({ score }) => score)).toEqual([8, 7, 1]);
  });

  test("or has too many index entries is found among hundreds of others", async () => {
    const key = await createEnding(world, "board", {});
    const bare = Array.from({ length: 199 }, (_, i) => [`p${i}`, { score: i }] as const);
    await writePlayers(world, key, { ...Object.fromEntries(bare), full: { score: 5 } });
    const error = new Error("3 INVALID_ARGUMENT: too many index entries for entity");
    watchCommits(world, (writes, perform) =>
      writes.some(({ path }) => path === playerPath(key, "full"))
        ? Promise.reject(Object.assign(error, { code: grpc.invalidArgument }))
        : perform(),
    );
    expect(await markPlayers(world.services, key, nothingMarked, inOneStep)).toMatchObject({
      differing: 200,
      changed: 199,
      refused: 1,
    });
    expect(world.logged).toContainEqual(told);
  });
});

test("the summary of a hundred million players fits its documents, and one commit with what a revision changes", () => {
  const key = { leaderboard: "x".repeat(64), season: "monthly-2099-12" };
  const documents = 100_000_000 / standingsPerDocument;
  const column = Array.from({ length: summaryPartMax }, (_, i) => 1e9 - i);
  const part = { counts: column, first_scores: column, ties_before: column, dense_before: column };
  const partBytes = documentSize(`${standingsCollection(key)}/summary-1`, part);
  expect(partBytes).toBeLessThan(documentBytesMax);
  const parts = Math.ceil(documents / summaryPartMax);
  const revised = 2 * 2 * documentBytesMax; // two players' documents of the standings, with their metadata
  expect(parts * partBytes + revised).toBeLessThan(10 * 1_048_576);
});
