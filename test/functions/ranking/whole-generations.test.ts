/** A generation is a state that the index really had, also with changed intervals, an open slot and wrong clocks. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagesPath, seasonPath, shardPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { createServices } from "../../../functions/src/operations/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { play, repair } from "../../support/damage.ts";
import {
  definition,
  everything,
  key,
  minute,
  published,
  setInterval,
  shardCount,
} from "../../support/generations.ts";
import { expectConserved, expectRanked } from "../../support/oracle.ts";
import { beforeEachCommit } from "../../support/meddle.ts";
import { admin, createBoard, createWorld, type World } from "../../support/world.ts";

let world: World;

beforeEach(() => {
  world = createWorld();
});

describe("a ranking interval that changes", () => {
  test("from a day to five minutes is kept by a run and a repair that remember the day", async () => {
    await createBoard(world, "board", definition(24 * 60));
    await play(world, key, "ann", 1);
    const other = world.anotherInstance();
    await other.boards.load(key);
    await setInterval(world, 5);
    const waitMs = async () => {
      const season = await world.db.doc(seasonPath(key)).get();
      return (season.get("next_run_at") as Timestamp).toMillis() - world.services.now();
    };
    await publishRanking(other, key, everything);
    expect(await waitMs()).toBeLessThanOrEqual(5 * minute);
    await other.boards.load(key);
    await repair({ services: other }, key);
    expect(await waitMs()).toBeLessThanOrEqual(5 * minute);
  });
});

describe("a run of the open slot, while scores stream in", () => {
  test("gets through at the second attempt, as of one moment, and so does the call", async () => {
    await createBoard(world, "board", definition(5));
    for (let i = 0; i < 5; i++) await play(world, key, `p${i}`, i);
    let score = 1_000;
    const stop = beforeEachCommit(world, async () => {
      for (let i = 0; i < 3; i++) await play(world, key, `p${i}`, (score += 1));
    });
    for (let run = 0; run < 3; run++) {
      const record = await world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
      expect(record).toMatchObject({
        outcome: "published",
        players: 5,
        attempts: 2,
        found: { owed_rows: 0 },
      });
      await expectConserved(world, key);
    }
    stop();
    world.advance(2 * minute);
    await publishRanking(world.services, key);
    await expectRanked(world, key);
    await expectConserved(world, key);
    expect(await shardCount(world)).toBe(0);
  });

  test("that loses to other runs at each attempt ends as contention, with a readable message", async () => {
    await createBoard(world, "board", definition(5));
    await play(world, key, "p0", 1);
    const others = world.anotherInstance();
    beforeEachCommit(world, async () => {
      await publishRanking(others, key, everything);
      await play(world, key, "p0", published(world).length + 2);
    });
    const run = world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
    await expect(run).rejects.toMatchObject({ code: "contention" });
    await expect(run).rejects.toThrow(/Nothing is lost: ask again/);
  });
});

test("the slot of a change follows from when the database read, so a later change is never in an earlier slot", async () => {
  // Real times here: clocks of instances that are wrong by minutes, and the emulator's own read times.
  await createBoard(world, "board", definition(5));
  await play(world, key, "ann", 0);
  const slotMs = 5;
  const instances = [-10, 0, 10].map((minutes) =>
    createServices({
      ...world.services,
      databaseMs: (readTime) => readTime.toMillis(),
      now: () => world.services.now() + minutes * minute,
      slotMs,
      sleep: () => Promise.resolve(),
    }),
  );
  const before = new Set((await world.db.collection(shardsPath(key)).get()).docs.map(({ id }) => id));
  const slots: number[] = [];
  for (let score = 1; score <= 12; score++) {
    await world.db.doc(`${seasonPath(key)}/players/ann`).update({ score });
    // Now and then two at once: one finds nothing to do, or waits for the other.
    const chosen = instances.filter((_, i) => i === score % 3 || (score % 4 === 0 && i === (score + 1) % 3));
    await Promise.all(chosen.map((services) => countPlayers(services, key, ["ann"])));
    const { docs } = await world.db.collection(shardsPath(key)).get();
    const holding = docs.find(
      (shard) => !before.has(shard.id) && (shard.get("player_count") as object)[String(score) as never] === 1,
    );
    slots.push((holding?.get("slot_ends_at") as Timestamp).toMillis());
  }
  expect(slots).toEqual([...slots].sort((a, b) => a - b));
  expect(new Set(slots).size).toBeGreaterThan(3);
});

test("a ranking is never as of a later time than its run read, also if the clock is ahead", async () => {
  // Real times here: the emulator's own read times, and a clock that is in the next slot already.
  await createBoard(world, "board", definition(5));
  await play(world, key, "ann", 1);
  await world.db.doc(`${seasonPath(key)}/players/ann`).update({ score: 2 });
  const ahead = createServices({
    ...world.services,
    databaseMs: (readTime) => readTime.toMillis(),
    now: () => Date.now() + 70_000,
    sleep: () => Promise.resolve(),
  });
  await countPlayers(ahead, key, ["ann"]);
  expect(await publishRanking(ahead, key)).toMatchObject({ outcome: "published" });
  const page = await world.db.collection(pagesPath(key)).doc("0").get();
  expect(page.get("as_of")).toEqual(page.get("read_at"));
  expect((await world.db.doc(seasonPath(key)).get()).get("ranking.as_of")).toEqual(page.get("read_at"));
});

describe("the search for shard documents", () => {
  const endMs = () => world.services.now() - 20 * minute;
  const straggler = () => ({
    slot_ends_at: Timestamp.fromMillis(endMs()),
    player_count: { "77": 1 },
  });

  test("begins where the last publication ended, and now and then at the very beginning", async () => {
    await createBoard(world, "board", definition(5));
    await play(world, key, "ann", 1);
    world.advance(10 * minute);
    expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "published" });
    const season = () => world.db.doc(seasonPath(key)).get();
    const from = (await season()).get("ranking.shards_from") as Timestamp;
    expect(from.toMillis()).toBe(world.services.now() - 5 * minute);
    world.services.boards.forget("board");

    await world.db.doc(shardPath(key, 9, endMs())).set(straggler());
    expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "nothing_to_do" });
    await world.db.doc(seasonPath(key)).update({ "ranking.generation": 60 });
    await world.db.doc(`${pagesPath(key)}/0`).update({ generation: 60 });
    world.services.boards.forget("board");
    expect(await publishRanking(world.services, key)).toMatchObject({ outcome: "published", players: 2 });
  });

  test("finds documents there before a season falls asleep", async () => {
    await createBoard(world, "board", definition(5));
    await play(world, key, "ann", 1);
    world.advance(10 * minute);
    await publishRanking(world.services, key);
    await world.db.doc(shardPath(key, 9, endMs())).set(straggler());
    for (let hours = 0; hours < 3; hours++) {
      world.advance(61 * minute);
      await publishRanking(world.services, key);
    }
    expect((await world.db.doc(seasonPath(key)).get()).data()).toMatchObject({ ranking: { players: 2 } });
    expect(await shardCount(world)).toBe(0);
  });
});
