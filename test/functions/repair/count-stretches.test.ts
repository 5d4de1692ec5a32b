/** Players and marks that are too many for one count are counted in stretches, wherever they are. */
import { describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { findDrift } from "../../../functions/src/jobs/repair/audit.ts";
import { countAll, playerFields, writePlayers } from "../../support/closing.ts";
import { createSeason } from "../../support/damage.ts";
import { createBoard, presentOf, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const audit = async (key: SeasonKey, countedMax: number) =>
  findDrift(world.services, await boardCacheOf(world.services).load(key), false, {
    inFlightMs: 0,
    countedMax,
  });

test("each stretch is half of what may be counted at once, and costs a read at least", async () => {
  const key = await createSeason(world, "board", 40);
  await boardCacheOf(world.services).load(key);
  const { bill, result } = await world.meter.measure(() => audit(key, 10));
  expect(result).toMatchObject({ repair: "none", found: { players: 40, counted: 40 } });
  // season, page, no shard; eight stretches of five players, and of as many marks
  expect(bill).toEqual({ reads: 1 + 1 + 1 + 2 * 8, writes: 0, deletes: 0 });
  const { bill: whole } = await world.meter.measure(() => audit(key, 40));
  // Of as many as one count takes, all documents too.
  expect(whole.reads).toBe(1 + 1 + 1 + 3);
});

describe.each([
  ["descending", "first"],
  ["descending", "last"],
  ["ascending", "first"],
  ["ascending", "last"],
] as const)("%s, ties %s", (order, ties) => {
  /** Players of three kinds: spread out, with one score at different times, and with one score at one time. */
  async function crowded(): Promise<SeasonKey> {
    const key = await createBoard(world, "board", { order, ties, top_size: 10 });
    await boardCacheOf(world.services).open(presentOf(key));
    const players = Object.fromEntries([
      ...Array.from({ length: 30 }, (_, i) => [`spread-${i}`, playerFields(i * 1.5 - 20, i)] as const),
      ...Array.from({ length: 40 }, (_, i) => {
        const at = Timestamp.fromMillis(Date.parse("2026-01-01") + i);
        return [`late-${i}`, playerFields(7, i, { achieved_at: at })] as const;
      }),
      ...Array.from({ length: 50 }, (_, i) => [`same-${i}`, playerFields(-3, 0)] as const),
      ["odd-1", playerFields(7, 0, { achieved_at: "yesterday" })] as const,
      ["odd-2", playerFields(7, 0, { achieved_at: null })] as const,
    ]);
    await writePlayers(world, key, players);
    await countAll(world.services, key, Object.keys(players));
    return key;
  }

  test("crowds of equals are counted, whether the rows know of them or not", async () => {
    const key = await crowded();
    const found = { players: 122, counted: 122 };
    expect(await audit(key, 9)).toMatchObject({ found, repair: "none" });
    await world.publish(key);
    expect(await audit(key, 9)).toMatchObject({ found, repair: "none" });
  });

  test("what is missing is found by the same numbers", async () => {
    const key = await crowded();
    await world.publish(key);
    await world.db.doc(playerPath(key, "same-17")).delete();
    expect(await audit(key, 9)).toMatchObject({ found: { players: 121 }, repair: "repair" });
    for (const player of ["late-17", "late-18"])
      await world.db.doc(playerPath(key, player)).update({ "counted.score": null });
    expect(await audit(key, 9)).toMatchObject({
      found: { players: 121, counted: 119 },
      repair: "repair",
    });
  });
});
