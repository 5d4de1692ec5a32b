import { expect, test } from "vitest";
import { inPool } from "./pool.ts";

const soon = () => new Promise<void>((done) => setTimeout(done, 1));

test("a pool returns the results in the order of the items, and limits how many run at the same time", async () => {
  for (const atOnceMax of [1, 3, 50]) {
    let [underWay, most] = [0, 0];
    const results = await inPool([5, 4, 3, 2, 1], atOnceMax, async (thing) => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let wait = 0; wait < thing; wait++) await soon();
      underWay -= 1;
      return thing * 10;
    });
    expect(results).toEqual([50, 40, 30, 20, 10]);
    expect(most).toBe(Math.min(atOnceMax, 5));
  }
  expect(await inPool([], 2, () => Promise.resolve(1))).toEqual([]);
});

test("after a failure a pool begins nothing more, waits for running work, and throws the first error", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (thing: number) => {
    begun.push(thing);
    for (let wait = 0; wait < thing; wait++) await soon();
    ended.push(thing);
    throw new Error(`${thing} failed`);
  };
  await expect(inPool([3, 1, 2, 4], 2, work)).rejects.toEqual(new Error("1 failed"));
  expect(begun).toEqual([3, 1]);
  expect(ended).toEqual([1, 3]);
});
