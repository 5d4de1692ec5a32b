/** A server that writes a day's scores once the day is over: what it writes first opens the day, and the rest counts too. */
import { expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const minute = 60_000;

test("a batch that takes three minutes is in the final table as a whole", async () => {
  await createBoard(world, "board", { spans: ["daily"] });
  // Results are known an hour after midnight.
  world.advance(13 * 60 * minute);
  const yesterday = { leaderboard: "board", season: "daily-2100-01-02" };
  const write = async (player: string, score: number) =>
    world.follow(yesterday, player, await world.writeDirectly(yesterday, player, { score }));
  const status = async () => (await world.db.doc(seasonPath(yesterday)).get()).get("status") as unknown;
  for (let i = 0; i < 4; i++) {
    await write(`p${i}`, 10 - i);
    world.advance(minute);
    await world.tick();
  }
  for (let i = 0; i < 20 && (await status()) !== "closed"; i++) {
    await world.tick();
    world.advance(minute);
  }
  const { entries } = await world.call("getPage", yesterday, user("x"));
  expect(entries.map(({ player }) => player)).toEqual(["p0", "p1", "p2", "p3"]);
});
