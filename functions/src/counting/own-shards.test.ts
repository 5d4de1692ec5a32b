import { describe, expect, test } from "vitest";
import { createOwnShards } from "./own-shards.ts";

const key = { leaderboard: "board", season: "all_time" };

function stage() {
  let nowMs = 5_000;
  const shards = createOwnShards({ now: () => nowMs, process: "me", apartMs: 1_000, bytesMax: 100 });
  const take = (bytes = 10, slot = 1) => shards.take(key, slot, bytes);
  return { shards, take, advance: (ms: number) => (nowMs += ms) };
}

describe("the shard documents of a process", () => {
  test("one is used again a second after its last commit, and not sooner", () => {
    const { take, advance } = stage();
    take().giveBack();
    advance(999);
    expect(take().name).toBe("me-1");
    advance(1);
    expect(take().name).toBe("me-0");
  });

  test("a quiet process has one, and no two commits have the same one at a time", () => {
    const { take, advance } = stage();
    const names = Array.from({ length: 5 }, () => {
      const shard = take();
      shard.giveBack();
      advance(1_500);
      return shard.name;
    });
    expect(new Set(names)).toEqual(new Set(["me-0"]));
    expect([take(), take()].map(({ name }) => name)).toEqual(["me-0", "me-1"]);
  });

  test("a full one is left", () => {
    const { take, advance } = stage();
    take(60).giveBack();
    advance(1_000);
    expect(take(41).name).toBe("me-1");
    expect(take(40).name).toBe("me-0");
  });

  test("those of each slot and each season are others", () => {
    const { take, shards } = stage();
    take(10, 1);
    expect(take(10, 2).name).toBe("me-0");
    expect(shards.take({ leaderboard: "board", season: "daily-2026-11-23" }, 1, 10).name).toBe("me-0");
  });
});
