/** No commit of submissions, events or imports is larger, or takes longer, than Firestore allows, which no emulator refuses. */
import { beforeEach, describe, expect, test } from "vitest";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { followPlayer } from "../../../functions/src/counting/follow-player.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  playerPath,
  playersPath,
  type SeasonKey,
  shardsPath,
} from "../../../functions/src/documents/paths.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import {
  commitBytesMax,
  displayNameCharactersMax,
  idCharactersMax,
  documentsPerCommitMax,
  metadataBytesMax,
  playerBytesMax,
  playerIdCharactersMax,
  playersBytesPerCommitMax,
  playersPerCountMax,
  segmentsMax,
  segmentValueCharactersMax,
  shardChangeBytesMax,
  submissionIdCharactersMax,
  submissionsPerPlayerMax,
  transactionMsMax,
} from "../../../functions/src/model/limits.ts";
import {
  type PlayerSubmission,
  recordSubmissions,
} from "../../../functions/src/submit/record-submissions.ts";
import { failure, watchCommits, weighCommits } from "../../support/commits.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { allTime, createBoard, createWorld, type World } from "../../support/world.ts";

let world: World;
const key = allTime("board");
beforeEach(() => {
  world = createWorld();
});

/** Ids as long as a call takes them. */
const ids = (count: number) =>
  Array.from({ length: count }, (_, i) => String(i).padStart(playerIdCharactersMax, "p"));
/** Scores whose texts are as long as any. */
const longScore = (i: number) => -(1 + (i + 1) / 2 ** 40) * 1e-100;

/** Metadata of a kilobyte that has as many index entries as any. */
const metadata = (() => {
  const all: Record<string, Record<string, never>> = {};
  for (let i = 0; JSON.stringify({ ...all, [i.toString(36)]: {} }).length <= metadataBytesMax; i++)
    all[i.toString(36)] = {};
  return all;
})();

const names = Array.from({ length: segmentsMax }, (_, i) => String(i).padStart(idCharactersMax, "s"));
const segments = Object.fromEntries(names.map((name) => [name, "v".repeat(segmentValueCharactersMax)]));
/** A board that takes the largest submissions. */
const board = {
  aggregation: "latest" as const,
  segments: names.map((name) => ({ name, from: "server" as const })),
};

const largest = (player: string, score: number, n = 0): PlayerSubmission => ({
  player,
  score,
  metadata,
  segments,
  display_name: "\u{1d504}".repeat(displayNameCharactersMax / 2),
  submission_id: `${n}`.padStart(submissionIdCharactersMax, "s"),
});

async function record(submissions: readonly PlayerSubmission[]): Promise<void> {
  const outcomes = await recordSubmissions(world.services, "board", submissions);
  expect(outcomes.filter((outcome) => "error" in outcome)).toEqual([]);
}

async function expectRight(season: SeasonKey = key): Promise<void> {
  await expectConserved(world, season);
  await expectConverged(world, season);
}

/** Documents of a trusted server, without marks. */
async function write(documents: Record<string, Record<string, unknown>>): Promise<void> {
  const writer = world.db.bulkWriter({ throttling: false });
  for (const [player, data] of Object.entries(documents))
    void writer.set(world.db.doc(playerPath(key, player)), data);
  await writer.close();
}

describe("submissions", () => {
  test("of as many players as share a commit, each as large as it may be, in one season and in four", async () => {
    for (const spans of [["all_time"], ["all_time", "monthly", "weekly", "daily"]] as const) {
      world = createWorld();
      await createBoard(world, "board", { ...board, spans: [...spans] });
      await record([largest("first", 1)]);
      const heaviest = weighCommits(world);
      const players = ids(documentsPerCommitMax / spans.length);
      const all = (sign: number) =>
        players.flatMap((player, i) => [0, 1].map((n) => largest(player, sign * longScore(i), n)));
      await record(all(1));
      await record(
        all(-1).map((one) => ({ ...one, submission_id: `again ${one.submission_id}`.slice(0, 64) })),
      );
      expect(heaviest().bytes).toBeGreaterThan(playersBytesPerCommitMax / 2);
      await expectRight();
    }
  });

  test("of players whose documents a trusted server has filled go in several commits", async () => {
    await createBoard(world, "board", board);
    const players = ids(14);
    await write(
      Object.fromEntries(players.map((player, i) => [player, { score: i, own: "x".repeat(900_000) }])),
    );
    const commits = watchCommits(world);
    const heaviest = weighCommits(world);
    await record(players.map((player, i) => largest(player, 1_000 + i)));
    expect(heaviest().bytes).toBeGreaterThan(2 * 900_000);
    expect(commits.length).toBeGreaterThan(5);
    await expectRight();
  });

  test("take no more bytes of a shard document than were reserved for them", async () => {
    await createBoard(world, "board", board);
    const players = ids(documentsPerCommitMax);
    await record(players.map((player, i) => largest(player, longScore(i))));
    for (const { ref, data } of (await world.db.collection(shardsPath(key)).get()).docs.map((document) => ({
      ref: document.ref,
      data: document.data(),
    }))) {
      const changes = Object.keys(data["player_count"] as object).length;
      expect(documentSize(ref.path, { player_count: data["player_count"] as object })).toBeLessThanOrEqual(
        documentSize(ref.path, { player_count: {} }) + changes * shardChangeBytesMax,
      );
    }
  });
});

test("the largest player's document, with all its notes of midnights, is as large as the limits say", async () => {
  const movement = { movement: true, time_zone: "America/Argentina/ComodRivadavia" };
  await createBoard(world, "board", { ...board, aggregation: "latest", ...movement });
  const [player = ""] = ids(1);
  for (let n = 0; n < 2 * submissionsPerPlayerMax; n++) {
    await record([largest(player, longScore(n), n)]);
    world.advance(24 * 3_600_000);
  }
  const found = await world.db.doc(playerPath(key, player)).get();
  expect(documentSize(found.ref.path, found.data() ?? {})).toBeLessThanOrEqual(playerBytesMax);
  // The last 9 days, and the beginnings of 6 weeks.
  expect(found.get("counted.before.days")).toHaveLength(14);
});

test.each([
  ["each with two increments", {}],
  ["as large as they may be, in several", { metadata, segments, display_name: largest("", 0).display_name }],
])("an import's or a repair's players fit a commit, %s", async (_what, own) => {
  await createBoard(world, "board", board);
  const players = ids(playersPerCountMax);
  await record([largest("first", 1)]);
  await countPlayers(world.services, key, players, { rewrite: (player) => fieldsOf(player, 1) });
  const heaviest = weighCommits(world);
  await countPlayers(world.services, key, players, { rewrite: (player) => fieldsOf(player, -1) });
  if ("metadata" in own) expect(heaviest().bytes).toBeGreaterThan(playersBytesPerCommitMax / 2);
  else expect(heaviest().transforms).toBeGreaterThanOrEqual(2 * playersPerCountMax);
  await expectRight();

  function fieldsOf(player: string, sign: number) {
    const achieved_at = Timestamp.fromMillis(world.services.now());
    return {
      score: sign * longScore(players.indexOf(player)),
      achieved_at,
      status: "active",
      ...own,
    };
  }
});

test("the event of a full document that a server overwrote, with a wrong mark, fits a commit", async () => {
  await createBoard(world, "board", board);
  await record([largest("first", 1)]);
  const write = (score: number, counted: number) =>
    world.writeDirectly(key, "ann", { score, counted: { score: counted, of: "" }, own: "x".repeat(900_000) });
  const writes = [await write(1, 2), await write(3, 4), await write(5, 6)];
  const heaviest = weighCommits(world);
  for (const event of writes.reverse()) await followPlayer(world.services, key, "ann", event);
  expect(heaviest().bytes).toBeGreaterThan(900_000);
  expect(heaviest().bytes).toBeLessThan(commitBytesMax);
  await expectRight();
});

test("a commit that comes later than Firestore takes it is refused, and its submission is not answered as recorded", async () => {
  await createBoard(world, "board", { ...board, aggregation: "sum" });
  await record([largest("first", 1)]);
  const beganMs = world.services.now();
  watchCommits(world, (_writes, perform) => {
    world.advance(transactionMsMax / 2);
    const isInTime = world.services.now() - beganMs <= transactionMsMax;
    return isInTime ? Promise.reject(failure("aborted")) : perform();
  });
  const outcomes = await recordSubmissions(world.services, "board", [largest("ann", 5), largest("bob", 6)]);
  expect(outcomes).toMatchObject([{ error: { code: "contention" } }, { error: { code: "contention" } }]);
  expect((await world.db.collection(playersPath(key)).get()).size).toBe(1);
  await expectRight();
});
