/** The schedule asks for the runs that are due, again where one failed, and for none without a definition. */
import { describe, expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { type Services } from "../../../functions/src/operations/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { enqueueDueRuns } from "../../../functions/src/jobs/schedule.ts";
import { play, withQueue } from "../../support/damage.ts";
import { definition, key, minute, setInterval } from "../../support/generations.ts";
import { expectRanked } from "../../support/oracle.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

describe("the schedule", () => {
  test("enqueues a run again within two minutes after it failed for good", async () => {
    await createBoard(world, "board", definition(60));
    await play(world, key, "ann", 1);
    world.advance(60 * minute);
    const asked: string[] = [];
    const services: Services = {
      ...world.services,
      enqueueJob: (_, taskId) => {
        if (!asked.includes(taskId)) asked.push(taskId);
        return Promise.resolve();
      },
    };
    await enqueueDueRuns(services);
    await enqueueDueRuns(services);
    expect(asked).toHaveLength(1);
    // Its three attempts fail: nothing is published, and the season stays due.
    for (let passed = 0; passed < 2; passed++) {
      world.advance(minute);
      await enqueueDueRuns(services);
    }
    expect(asked).toHaveLength(2);
  });

  test("stops asking for a season whose definition was deleted, until it is saved again", async () => {
    await createBoard(world, "board", definition(5));
    await play(world, key, "ann", 1);
    await world.db.doc("leaderboards/board").delete();
    world.services.boards.forget("board");
    world.advance(5 * minute);
    await expect(publishRanking(world.services, key)).rejects.toMatchObject({
      code: "leaderboard_not_found",
    });
    const season = () => world.db.doc(seasonPath(key)).get();
    expect((await season()).data()).toMatchObject({ parked: "no_definition", next_run_at: null });
    expect(await enqueueDueRuns(withQueue(world.services).services)).toBe(0);
    expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(1);
    // A manual run says the same, and logs nothing more.
    await expect(publishRanking(world.services, key)).rejects.toMatchObject({
      code: "leaderboard_not_found",
    });
    expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(1);

    await setInterval(world, 5);
    expect((await season()).data()).toMatchObject({ parked: null, dormant_at: null });
    world.advance(5 * minute);
    expect(await enqueueDueRuns(withQueue(world.services).services)).toBe(1);
    await publishRanking(world.services, key);
    await expectRanked(world, key);
  });
});
