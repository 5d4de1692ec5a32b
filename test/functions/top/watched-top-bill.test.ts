/**
 * docs/costs.md, "The top": each write of the top is a read for everybody who listens. Refreshes write it, and generations,
 * as ARCHITECTURE.md explains ("A top that is written with each publication").
 */
import { expect, test } from "vitest";
import { topPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");

test("an hour of scores that come nowhere near the top sends it once for each generation", async () => {
  await createBoard(world, "board", { aggregation: "latest", top_size: 2 });
  const play = (player: string, score: number) =>
    world.call("submitScores", { leaderboard: "board", submissions: [{ player, score }] }, admin);
  for (const [player, score] of Object.entries({ ann: 30, bob: 20, cyd: 1 })) await play(player, score);
  world.advance(60_000);
  await world.publish(key);
  world.refreshes.clear();
  const top = async () => {
    const found = await world.db.doc(topPath(key)).get();
    const generation = found.get("generation") as number;
    return { entries: found.get("entries") as unknown, generation, at: found.updateTime?.valueOf() };
  };
  const first = await top();
  let before = first;
  let [sent, changed] = [0, 0];
  for (let minute = 0; minute < 60; minute++) {
    world.advance(60_000);
    await play("cyd", 2 + minute / 100);
    await world.tick();
    const after = await top();
    if (after.at !== before.at) sent += 1;
    if (JSON.stringify(after.entries) !== JSON.stringify(before.entries)) changed += 1;
    before = after;
  }
  expect(changed).toBe(0);
  expect(sent).toBe(12);
  expect(before.generation).toBe(first.generation + 12);
});
