/** A repair and a foreign write whose event is late: together they correct the write once, whichever comes first. */
import { beforeEach, describe, expect, test } from "vitest";
import { playerPath, repairNotePath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { PlayerWrite } from "../../../functions/src/counting/follow-player.ts";
import { stepRepair } from "../../../functions/src/jobs/repair/repair.ts";
import { beforeEachPublication, createSeason, repair, withQueue } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { createWorld, type World } from "../../support/world.ts";
import { rebuildPauseMs } from "../../../functions/src/jobs/repair/rebuild.ts";

let world: World;
let key: SeasonKey;
beforeEach(async () => {
  world = createWorld();
  key = await createSeason(world, "board", 12);
});

const noteNow = async () => (await world.db.doc(repairNotePath(key)).get()).data();

/** What a trusted server may do to a mark. */
const writes: Record<string, () => Promise<[player: string, write: PlayerWrite]>> = {
  "a mark overwritten": async () => ["p3", await world.writeDirectly(key, "p3", { score: 77 })],
  "a mark destroyed": async () => ["p4", await world.writeDirectly(key, "p4", undefined)],
  "a mark copied in": async () => {
    const copied = (await world.db.doc(playerPath(key, "p5")).get()).data();
    return ["copy", await world.writeDirectly(key, "copy", copied)];
  },
};

async function expectRight(): Promise<void> {
  await world.publish(key);
  await expectConserved(world, key);
  await expectConverged(world, key);
  await expectRanked(world, key);
  expect(await repair(world, key, { kind: "audit", full: true })).toMatchObject({ repair: "none" });
}

describe.each(Object.keys(writes))("%s", (name) => {
  const write = () => writes[name]?.() ?? Promise.reject(new Error("no write"));

  test("before the repair, with an event after it, is corrected by the repair alone", async () => {
    const [player, event] = await write();
    await repair(world, key);
    await world.follow(key, player, event, 2);
    await expectRight();
  });

  test("and followed before the repair is corrected by the event alone", async () => {
    const [player, event] = await write();
    await world.follow(key, player, event);
    await repair(world, key);
    await world.follow(key, player, event);
    await expectRight();
  });

  test("while the repair reads is corrected by its event, which waits", async () => {
    let late: [string, PlayerWrite] | undefined;
    beforeEachPublication(world, async () => {
      if (late !== undefined) return;
      late = await write();
      await expect(world.follow(key, ...late)).rejects.toMatchObject({ code: "contention" });
      expect(await noteNow()).toMatchObject({ holder: expect.any(String) as string });
    });
    await repair(world, key);
    if (late === undefined) throw new Error("the repair published nothing");
    expect(await noteNow()).toMatchObject({ holder: null, stands_until: null });
    await world.follow(key, ...late, 2);
    await expectRight();
  });

  test("after the repair is corrected by its event", async () => {
    await repair(world, key);
    const [player, event] = await write();
    await world.follow(key, player, event, 2);
    await expectRight();
  });

  test("before a repair that died is corrected by its event, once the note has expired", async () => {
    const [player, event] = await write();
    const stop = beforeEachPublication(world, () => Promise.reject(new Error("killed")));
    const { services } = withQueue(world.services);
    const request = { ...key, job: "repair", full: false, run: "dead", step: 0 } as const;
    await expect(stepRepair(services, request)).rejects.toThrow("killed");
    stop();
    await expect(world.follow(key, player, event)).rejects.toMatchObject({ code: "contention" });
    world.advance(rebuildPauseMs);
    await world.follow(key, player, event, 2);
    expect(await noteNow()).toEqual({ holder: null, stands_until: null });
    await expectRight();
  });

  test("before a repair that is held up is corrected once, though another task of it has begun again", async () => {
    const [player, event] = await write();
    const { services } = withQueue(world.anotherInstance());
    const request = { ...key, job: "repair", full: false, run: "twice", step: 0 } as const;
    let isHeldUp = false;
    beforeEachPublication(world, async () => {
      if (isHeldUp) return;
      isHeldUp = true;
      world.advance(rebuildPauseMs);
      await world.follow(key, player, event);
      const stop = beforeEachPublication(world, () => Promise.reject(new Error("killed")));
      await expect(stepRepair(services, request)).rejects.toThrow("killed");
      stop();
    });
    await stepRepair(world.services, request);
    expect((await noteNow())?.["repaired_at"]).toBeUndefined();
    await expectRight();
  });

  test("before a repair whose note expired while it read is corrected once: the repair reads again", async () => {
    const [player, event] = await write();
    let isDone = false;
    beforeEachPublication(world, async () => {
      if (isDone) return;
      isDone = true;
      world.advance(rebuildPauseMs);
      await world.follow(key, player, event);
    });
    expect(await repair(world, key)).toMatchObject({ outcome: "done", rebuilt: { attempts: 2 } });
    await world.follow(key, player, event);
    await expectRight();
  });
});
