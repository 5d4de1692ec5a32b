/** A generation is a state that the index really had, also with changed intervals, an open slot and wrong clocks. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagesPath, seasonPath, shardPath } from "../../../functions/src/documents/paths.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { play, repair } from "../../support/damage.ts";
import { definition, everything, key, minute, published, setInterval } from "../../support/generations.ts";
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
});
