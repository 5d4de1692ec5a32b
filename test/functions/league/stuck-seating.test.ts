/** Seatings of an instance go one after the other; a call that died in the middle of one holds up nobody. */
import { expect, test } from "vitest";
import { seatWaiting } from "../../../functions/src/league/seat-waiting.ts";
import { createLeague, presentWeek, seated } from "../../support/league.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("who waits is seated although a call has died while it gave seats", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await world.submit("ann", 1);
  // What a call that has ended still waits for never comes.
  const db = new Proxy(world.services.db, {
    get: (target, name): unknown =>
      name === "runTransaction" ? () => new Promise(() => undefined) : Reflect.get(target, name),
  });
  const passed = Promise.reject(new Error("it took too long"));
  passed.catch(() => undefined);
  void seatWaiting({ ...world.services, db }, week);
  const inTime = { ...world.services, deadline: () => ({ passed, cancel: () => undefined }) };
  expect(await seatWaiting(inTime, week)).toBe(true);
  expect(await seated(world, week)).toEqual({ "bronze-1": ["ann"] });
});
