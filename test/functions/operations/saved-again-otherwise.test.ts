/** A board with scores whose definition was deleted by hand can't be saved again with another ordering. */
import { expect, test } from "vitest";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const world = eachWorld();

async function begin(definition: Parameters<typeof createBoard>[2]): Promise<void> {
  await createBoard(world, leaderboard, definition);
  const scores = { ann: 30, bob: 20, cem: 10 };
  for (const [player, score] of Object.entries(scores)) await world.submit(player, score);
  await world.publish(key);
  await world.db.doc(leaderboardPath(leaderboard)).delete();
  world.advance(120_000);
}

const save = (definition: object) =>
  callOn(world.services, "saveLeaderboard", { leaderboard, definition }, admin).then(
    () => "saved",
    (error: unknown) => (error as { code?: string }).code,
  );

test("no rank that is wrong says that it is exact", async () => {
  await begin({ order: "ascending" });
  // Somebody saves it again, and forgets the order.
  expect(await save({})).toBe("definition_frozen");
  expect(await save({ order: "ascending" })).toBe("saved");
  await world.submit("dan", 15);
  await world.publish(key);
  world.advance(120_000);
  const ranks = await Promise.all(
    ["ann", "dan", "bob", "cem"].map(async (player) => {
      const rank = await callOn(world.services, "getRank", { leaderboard, player }, user("x"), true);
      return [rank.rank, rank.exact];
    }),
  );
  // Scores 30, 15, 20, 10; the lowest is the best.
  expect(ranks).toEqual([4, 2, 3, 1].map((rank) => [rank, true]));
});

test.each([{ order: "ascending" }, { aggregation: "sum" }, { columns: [{ name: "a", min: 0, max: 99 }] }])(
  "it is refused: %j",
  async (other) => {
    await begin({});
    expect(await save(other)).toBe("definition_frozen");
  },
);

test("nor with another source of a segment's values, whom a game may trust with them", async () => {
  const segment = (from: string) => [
    { name: "league", from, ...(from === "submission" && { values: ["a"] }) },
  ];
  await begin({ segments: segment("server") as never });
  expect(await save({ segments: segment("submission") })).toBe("definition_frozen");
  // Saved as it was, it goes on.
  expect(await save({ segments: segment("server") })).toBe("saved");
});

test("one that was added while seasons were open is known to them too", async () => {
  await createBoard(world, leaderboard, {});
  await world.submit("ann", 30);
  const league = [{ name: "league", from: "server" as const }];
  await world.call("saveLeaderboard", { leaderboard, definition: { segments: league } }, admin);
  await world.db.doc(leaderboardPath(leaderboard)).delete();
  world.advance(120_000);
  expect(await save({ segments: [{ name: "league", from: "claim" }] })).toBe("definition_frozen");
});

test("also where the stored definition cannot be read", async () => {
  await begin({ order: "ascending" });
  await world.db.doc(leaderboardPath(leaderboard)).set({ schema_version: 1, order: "up", spans: 5 });
  expect(await save({ order: "descending", spans: ["all_time"] })).toBe("definition_frozen");
  expect(await save({ order: "ascending", spans: ["all_time"] })).toBe("saved");
});

test("ranks go by what was counted where somebody has changed the stored order", async () => {
  await createBoard(world, leaderboard, { order: "ascending" });
  for (const [player, score] of [
    ["ann", 30],
    ["bob", 20],
  ] as const)
    await world.submit(player, score);
  await world.publish(key);
  await world.db.doc(leaderboardPath(leaderboard)).update({ order: "descending" });
  world.advance(120_000);
  await world.submit("cem", 10);
  await world.publish(key);
  world.advance(120_000);
  const page = await world.call("getPage", { leaderboard }, user("x"));
  expect(page.entries.map(({ player, rank }) => [player, rank])).toEqual([
    ["cem", 1],
    ["bob", 2],
    ["ann", 3],
  ]);
  expect(await world.call("getRank", { leaderboard }, user("cem"))).toMatchObject({ rank: 1, exact: true });
});
