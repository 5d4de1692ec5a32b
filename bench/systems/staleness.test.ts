import { expect, test } from "vitest";
import { formulaSystems, systems } from "./index.ts";
import { stalenessOf } from "./staleness.ts";

const noRun = { run: "nothing is left to do" };

test("a system without a job is live", () => {
  expect(stalenessOf({ rank: "exact", cannot: noRun })).toEqual({
    rank: "live",
    text: "All answers are live.",
  });
  expect(stalenessOf({ rank: "top only", cannot: { ...noRun, page: "no" } }).rank).toBe("live");
});

test("a job that only mends leaves an exact rank live, and the system says when it is not", () => {
  expect(stalenessOf({ rank: "exact", cannot: {}, runSeconds: 3_600, lag: "After a crash …" })).toEqual({
    rank: "live",
    text: "All answers are live. After a crash …",
  });
});

test("ranks are as old as the last run, and so are the lists that say so", () => {
  expect(stalenessOf({ rank: "estimate", cannot: {} })).toEqual({
    rank: "up to 5 minutes",
    text: "Ranks are as of the last run, up to 5 minutes ago; the top, the players around one and pages are live.",
  });
  const view = { rank: "exact at the last run", runSeconds: 3_600, cannot: {} } as const;
  expect(stalenessOf({ ...view, asOfRun: ["top", "around", "page"] })).toEqual({
    rank: "up to 1 hour",
    text: "Ranks, the top, the players around one and pages are as of the last run, up to 1 hour ago.",
  });
});

test("a system without ranks has none that could be old", () => {
  const { rank, text } = stalenessOf({ rank: "top only", cannot: { ...noRun, rank: "none" } });
  expect([rank, text]).toEqual(["–", "All answers are live."]);
});

test("each system says how old its answers can be, and only one with a job has old ones", () => {
  for (const system of [...systems, ...formulaSystems]) {
    const { rank, text } = stalenessOf(system);
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(rank === "live").toBe(!text.includes("as of the last run"));
    if ("run" in system.cannot) expect([rank, system.asOfRun]).toEqual(["live", undefined]);
  }
  const ages = Object.fromEntries(systems.map((system) => [system.id, stalenessOf(system).rank]));
  expect(ages).toMatchObject({
    firerank: "up to 5 minutes",
    "regular-update": "up to 1 hour",
    "rank-tree": "live",
    "rank-tree-queues": "up to 5 seconds",
    "counter-extension": "up to 1 minute",
    "redis-sql": "live",
  });
});
