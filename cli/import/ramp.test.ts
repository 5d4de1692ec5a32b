import { expect, test } from "vitest";
import { createRamp, playersPerSecond } from "./ramp.ts";

test("the rate starts at 500 players a second and grows by half every five minutes", () => {
  const minute = 60_000;
  expect([0, 5 * minute - 1, 5 * minute, 10 * minute, 15 * minute].map(playersPerSecond)).toEqual([
    500, 500, 750, 1_125, 1_687.5,
  ]);
});

test("each caller waits for its turn, however many ask at once", async () => {
  let nowMs = 1_000;
  const waits: number[] = [];
  const ramp = createRamp({
    now: () => nowMs,
    sleep: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  await Promise.all([ramp(200), ramp(200), ramp(100)]);
  expect(waits).toEqual([400, 800]);
  nowMs += 10_000;
  await ramp(200); // unused time is not saved up for a burst
  await ramp(200);
  expect(waits).toEqual([400, 800, 400]);
});

test("a million players take 18 minutes", async () => {
  let nowMs = 0;
  const ramp = createRamp({
    now: () => nowMs,
    sleep: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
  });
  for (let players = 0; players < 1_000_000; players += 200) await ramp(200);
  expect(nowMs / 60_000).toBeCloseTo(18, 0);
});
