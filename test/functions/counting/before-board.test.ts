/** What a server writes before its board, or the template of its board, is there, and takes back. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { failure, watchCommits } from "../../support/commits.ts";
import { admin, allTime, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const active = (score: number) => ({
  score,
  status: "active",
  achieved_at: Timestamp.fromMillis(world.services.now()),
});

test("whom a server writes and deletes before its board's first save does not count", async () => {
  const key = allTime("sprint");
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", active(50)));
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", undefined));
  world.advance(10_000);
  await createBoard(world, "sprint", { order: "descending" });
  await world.call("submitScore", { leaderboard: "sprint", score: 9 }, user("ann"));
  await world.publish(key);
  expect(await world.call("getRank", { ...key, player: "ann" }, admin)).toMatchObject({
    rank: 1,
    players: 1,
  });
});

test("a first save whose repair fails, and is sent again, counts who was written before it", async () => {
  const key = allTime("sprint");
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", active(5.57)));
  const definition = { order: "ascending", decimals: 1 } as const;
  let commits = 0;
  watchCommits(world, async (_writes, perform) => {
    commits += 1;
    // The definition is saved; then the database is away.
    if (commits === 1 || isBack) return perform();
    throw failure("internal");
  });
  let isBack = false;
  await expect(createBoard(world, "sprint", definition)).rejects.toThrow();
  isBack = true;
  await createBoard(world, "sprint", definition);
  await world.call("submitScore", { leaderboard: "sprint", score: 5.6 }, user("ann"));
  await world.publish(key);
  const other = world.anotherInstance();
  const rank = await callOn(other, "getRank", { ...key, player: "ann" }, admin);
  expect(rank).toMatchObject({ rank: 1, players: 2 });
});

test("what is written before its template is there gives nobody a wrong rank", async () => {
  const key = allTime("level:7");
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", active(5.57)), 2);
  world.advance(10_000);
  await createBoard(world, "level", {
    template: { ids: "any" },
    submit: "server",
    order: "ascending",
    decimals: 1,
  });
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", active(5.6)));
  await world.publish(key);
  const other = world.anotherInstance();
  const rankOf = (player: string) => callOn(other, "getRank", { ...key, player }, admin);
  const both = [await rankOf("ann"), await rankOf("npc")].map(({ rank, score, exact }) => ({
    rank,
    score,
    exact,
  }));
  const first = { rank: 1, score: 5.6, exact: true };
  expect(both).toEqual([first, first]);
});

test("a level's player who is deleted before the template is there does not count", async () => {
  const key = allTime("level:7");
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", active(5.5)));
  await world.follow(key, "npc", await world.writeDirectly(key, "npc", undefined));
  world.advance(10_000);
  await createBoard(world, "level", { template: { ids: "any" }, submit: "server", order: "ascending" });
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", active(9)));
  await world.publish(key);
  expect(await world.call("getRank", { ...key, player: "ann" }, admin)).toMatchObject({
    rank: 1,
    players: 1,
  });
});
