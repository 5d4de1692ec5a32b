import { expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import { createPostman, type FaultShares } from "./postman.ts";

const events = Array.from({ length: 2_000 }, (_, i) => i);

function deliver(shares: Partial<FaultShares>) {
  const postman = createPostman<number>({ doubled: 0, reordered: 0, lost: 0, ...shares }, randomOf(1));
  const come = events.flatMap((event) => postman.post(event));
  return { come: [...come, ...postman.flush()], done: postman.done };
}

test("without faults, each event comes once and in order", () => {
  expect(deliver({}).come).toEqual(events);
});

test("a doubled event comes twice, and the second time after later ones", () => {
  const { come, done } = deliver({ doubled: 0.02 });
  expect(come.length).toBe(events.length + done.doubled);
  expect(done.doubled).toBeGreaterThan(20);
  expect([...new Set(come)]).toEqual(events);
  const again = come.filter((event, i) => come.indexOf(event) < i);
  for (const event of again) expect(come.lastIndexOf(event) - come.indexOf(event)).toBeGreaterThan(1);
});

test("a reordered event comes once, after later ones, and none is late for ever", () => {
  const { come, done } = deliver({ reordered: 0.1 });
  expect(done.reordered).toBeGreaterThan(100);
  expect(come.toSorted((a, b) => a - b)).toEqual(events);
  expect(come).not.toEqual(events);
  come.forEach((event, i) => {
    expect(Math.abs(event - i)).toBeLessThan(20);
  });
});

test("a lost event never comes", () => {
  const { come, done } = deliver({ lost: 0.01 });
  expect(done.lost).toBeGreaterThan(5);
  expect(new Set(come).size).toBe(events.length - done.lost);
});
