/** An instance that has answered a generation of a segment answers no older one, live neither. */
import { expect, test } from "vitest";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("a live rank of a segment is of no generation before the one that was answered just now", async () => {
  const key = await createBoard(world, "board", {
    segments: [{ name: "country", from: "submission", values: ["AT"] }],
  });
  const play = (player: string, score: number) =>
    world.submit(player, score, { segments: { country: "AT" } });
  const asked = { leaderboard: "board", player: "ann", segment: { country: "AT" } };
  await play("ann", 10);
  await world.publish(key);
  const live = () => world.call("getRank", { ...asked, freshness: "live" }, admin);
  expect(await live()).toMatchObject({ rank: 1, generation: 1 });

  await play("bob", 20);
  await publishRanking(world.anotherInstance(), key, { includeOpenSlot: true });
  const published = await world.call("getRank", { ...asked, min_generation: 2 }, admin);
  expect(published).toMatchObject({ rank: 2, generation: 2 });
  expect(await live()).toMatchObject({ rank: 2, generation: 2 });
});
