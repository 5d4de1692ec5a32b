/** Concurrent runs and refreshes of the top: neither undoes the other, and neither blocks the other. */
import { beforeEach, expect, test } from "vitest";
import { playerPath, topPath } from "../../../functions/src/documents/paths.ts";
import { readTop } from "../../../functions/src/documents/top.ts";
import { renewTop } from "../../../functions/src/top/keep-live.ts";
import { expectRanked } from "../../support/oracle.ts";
import { beforeNextCommit } from "../../support/meddle.ts";
import { allTime, createBoard, eachWorld } from "../../support/world.ts";
import { topOvertakenMax } from "../../../functions/src/ranking/publish.ts";

const world = eachWorld();
const key = allTime("board");
const refresh = async () => renewTop(world.services, await world.services.boards.load(key));
const top = async () => readTop((await world.db.doc(topPath(key)).get()).data());
const listed = async () => (await top()).entries.map(({ player, score }) => [player, score]);

beforeEach(async () => {
  await createBoard(world, "board", { top_size: 2, aggregation: "latest" });
  for (const [player, score] of Object.entries({ ann: 30, bob: 20, cyd: 10 }))
    await world.submit(player, score);
  await world.publish(key);
  await world.submit("cyd", 15);
});

/** Does something before each of the next commits. */
function beforeCommits(times: number, meddle: () => Promise<unknown>): void {
  const next = (time: number) => {
    if (time >= times) return;
    beforeNextCommit(world, async () => {
      await meddle();
      next(time + 1);
    });
  };
  next(0);
}

test("a run that a refresh overtakes publishes its generation with the newer top, without folding again", async () => {
  beforeNextCommit(world, async () => {
    await world.db.doc(playerPath(key, "bob")).update({ score: 50 });
    await refresh();
  });
  const { result: record, bill } = await world.meter.measure(() => world.publish(key));
  expect(record).toMatchObject({ outcome: "published", generation: 2, attempts: 1, top_overtaken: 1 });
  expect(await listed()).toEqual([
    ["bob", 50],
    ["ann", 30],
  ]);
  expect(await top()).toMatchObject({ generation: 2, players: 3 });
  const refreshed = { reads: 1 + 2 + 1, writes: 1 + 1 }; // with the event of another leader
  expect(bill.reads).toBe(record.billed.reads + refreshed.reads);
  expect(bill.writes).toBe(record.billed.writes + refreshed.writes + 1); // with bob's document
  expect(record.billed.reads).toBe(1 + 1 + 4 + 4); // page, shard, and the top twice
});

test("a run that is overtaken by refreshes again and again still publishes", async () => {
  beforeCommits(2 * (topOvertakenMax + 1), refresh);
  const record = await world.publish(key);
  expect(record).toMatchObject({ outcome: "published", generation: 2, attempts: 3 });
  expect(await top()).toMatchObject({ generation: 2 });
  await expectRanked(world, key);
});

test("a top that was deleted or damaged by hand is whole again with the next publication", async () => {
  await world.db.doc(topPath(key)).set({ entries: "gone" });
  await expect(refresh()).rejects.toThrow("is not a top document");
  await world.publish(key);
  expect(await top()).toMatchObject({ generation: 2 });
  await world.db.doc(topPath(key)).delete();
  await refresh();
  expect((await world.db.doc(topPath(key)).get()).exists).toBe(false);
  await world.submit("cyd", 16);
  await world.deliver(key, "cyd");
  beforeNextCommit(world, () => world.db.doc(topPath(key)).set({ entries: [] }));
  await world.publish(key);
  expect(await top()).toMatchObject({ generation: 3 });
});
