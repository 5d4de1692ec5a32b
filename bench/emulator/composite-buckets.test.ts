/** What the shared cases do not ask of composite buckets: who is first among equals, and displays while players move. */
import { expect, onTestFinished, test } from "vitest";
import { createMeteredClient } from "../contest/bill.ts";
import { randomOf } from "../generators/random.ts";
import { compositeBuckets, newerCompositeBuckets } from "../systems/composite-buckets.ts";
import type { Opened, System } from "../systems/system.ts";

test("among equals, the older or the newer score comes first, whichever is chosen", async () => {
  for (const [system, order] of [
    [compositeBuckets, ["ann", "ben", "cem"]],
    [newerCompositeBuckets, ["cem", "ben", "ann"]],
  ] as const) {
    const board = await open(system);
    for (const player of ["ann", "ben", "cem"]) await board.submit({ player, score: 40 });
    // The same score again is not newer.
    await board.submit({ player: "ann", score: 40 });
    expect((await board.top?.(3))?.map(({ player }) => player)).toEqual(order);
    expect(await board.rank?.("ben")).toBe(1);
  }
});

test("while players move between buckets, no display misses or doubles one, and everybody finds the own neighbours", async () => {
  const board = await open(compositeBuckets);
  const players = Array.from({ length: 24 }, (_, i) => `player-${i}`);
  for (const [i, player] of players.entries()) await board.submit({ player, score: i * 10 });
  const workers = 3;
  let working = workers;
  const moves = Array.from({ length: workers }, async (_, worker) => {
    const random = randomOf(worker + 1);
    const own = players.filter((__, i) => i % workers === worker);
    for (let move = 0; move < 30; move++) {
      const player = own[Math.floor(random() * own.length)] ?? "";
      await board.submit({ player, score: Math.floor(random() * 250) });
    }
    working -= 1;
  });
  const displays: string[][] = [];
  const display = async () => {
    while (working > 0 || displays.length === 0) {
      const list = (await board.page?.(0, 1_000)) ?? [];
      const scores = list.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      displays.push(list.map(({ player }) => player));
      const around = (await board.around?.("player-5", 4, 4)) ?? [];
      expect(around.filter(({ player }) => player === "player-5")).toHaveLength(1);
    }
  };
  await Promise.all([...moves, display()]);
  for (const shown of displays) expect(shown.toSorted()).toEqual(players.toSorted());
});

async function open(system: System): Promise<Opened> {
  const { db, meter } = createMeteredClient();
  onTestFinished(() => db.terminate());
  let nowMs = Date.parse("2100-01-02T12:00:00Z");
  return system.open({ db, meter, now: () => ++nowMs, random: randomOf(1), folder: "" });
}
