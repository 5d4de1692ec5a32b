import { once } from "node:events";
import { expect, test } from "vitest";
import { giveTurns, takeTurn } from "./turns.ts";

test("turns are had one after the other, in the order of asking, and whoever goes away is passed over", async () => {
  const env = await giveTurns();
  const order: string[] = [];
  const first = await takeTurn(env);
  const second = takeTurn(env).then((turn) => {
    order.push("second");
    return turn;
  });
  const third = takeTurn(env).then((turn) => {
    order.push("third");
    return turn;
  });
  order.push("first is done");
  first?.destroy();
  await once((await second)?.destroy() ?? expect.fail("no turns are given"), "close");
  (await third)?.destroy();
  expect(order).toEqual(["first is done", "second", "third"]);
});

test("where nobody gives turns, nobody waits for one", async () => {
  expect(await takeTurn({})).toBeUndefined();
});
