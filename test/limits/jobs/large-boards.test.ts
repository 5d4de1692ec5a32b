/** Alerts of idle boards with more players than one count takes. The limits are small. */
import { describe, expect, test, vi } from "vitest";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { createSeason } from "../../support/damage.ts";
import { eachWorld } from "../../support/world.ts";

const [atOnce, perLook] = [10, 100];
vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const small = { countedAtOnceMax: 10, countedPerLookMax: 100 };
  return { ...(await original<object>()), ...small };
});

const world = eachWorld();

/** A board of so many players, ranked two hours ago, and as many more as nobody has counted. */
async function idle(name: string, players: number, uncounted = 0): Promise<SeasonKey> {
  const key = await createSeason(world, name, players);
  for (let i = 0; i < uncounted; i++) await world.writeDirectly(key, `deaf-${i}`, { score: 5 + 10 * i });
  world.advance(2 * 3_600_000);
  return key;
}

const look = async (key?: SeasonKey) => {
  const { alerts, isComplete } = await findAlerts(world.services, key, { inFlightMs: 0 });
  return { found: alerts.map(({ leaderboard, message }) => `${leaderboard}: ${message}`), isComplete };
};

test("players whom nobody counted are found on a board of any size", async () => {
  const key = await idle("large", 4 * atOnce, 1);
  const found = ["large: The ranking lacks 1 player, and no change is pending."];
  expect(await look(key)).toEqual({ found, isComplete: true });
  expect(await look()).toEqual({ found, isComplete: true });
});

test("a board of any size whose players are all ranked has no alert", async () => {
  expect(await look(await idle("large", 4 * atOnce))).toEqual({ found: [], isComplete: true });
});

describe("cost", () => {
  const reads = async (work: () => Promise<unknown>) => (await world.bill(work)).reads;
  const [board, season, records, pending, page] = [1, 1, 3, 1, 1];
  const kinds = 3;

  test("is 3 for each stretch of half as many as are counted at once, and the pages", async () => {
    const key = await idle("large", 4 * atOnce);
    expect(await reads(() => look(key))).toBe(board + season + records + pending + page + kinds * 8);
  });

  test("is no more where far more players are missing", async () => {
    const key = await idle("large", 4 * atOnce, 20 * atOnce);
    const { found } = await look(key);
    expect(found).toHaveLength(1);
    expect(await reads(() => look(key))).toBe(board + season + records + pending + page + kinds * 8);
  });

  test("is bounded: players above the most that one look counts are left out, and the answer says so", async () => {
    const huge = await idle("huge", perLook + atOnce, 1);
    expect(await look(huge)).toEqual({ found: [], isComplete: false });
    await idle("large", 3 * atOnce, 1);
    expect(await look()).toEqual({
      found: ["large: The ranking lacks 1 player, and no change is pending."],
      isComplete: false,
    });
    expect(await reads(() => look(huge))).toBe(board + season + records + pending);
  });
});
