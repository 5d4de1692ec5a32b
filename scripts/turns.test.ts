import { once } from "node:events";
import { expect, test } from "vitest";
import { giveTurns, takeTurn } from "./turns.ts";

test("turns are given one by one, in the order of requests, and processes that have gone are skipped", async () => {
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

test("if no process gives turns, no process waits for one", async () => {
  expect(await takeTurn({})).toBeUndefined();
});
