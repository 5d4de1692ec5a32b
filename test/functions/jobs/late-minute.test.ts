/** What the schedule does once a day hangs on one minute: an execution that is late, or skipped, loses the day. */
import { expect, test } from "vitest";
import { enqueueDue } from "../../../functions/src/jobs/schedule/schedule.ts";
import type { JobRequest } from "../../../functions/src/world/tasks.ts";
import { play } from "../../support/damage.ts";
import { createBoard, eachWorld, stepsIn } from "../../support/world.ts";

const world = eachWorld();
const dayMs = 86_400_000;

/** The audits that are requested by executions at these seconds after four. */
async function auditsAt(...secondsAfterFour: number[]): Promise<number> {
  const key = await createBoard(world, "board");
  await play(world, key, "ann", 5);
  await world.publish(key);
  const asked: JobRequest[] = [];
  const services = {
    ...world.services,
    enqueueJob: (one: JobRequest) => Promise.resolve(void asked.push(one)),
  };
  const four = Math.ceil(world.services.now() / dayMs) * dayMs + 4 * 3_600_000;
  for (const seconds of secondsAfterFour) {
    world.advance(four + seconds * 1_000 - world.services.now());
    await enqueueDue(services);
  }
  return asked.flatMap(stepsIn).filter(({ job }) => job === "audit").length;
}

test("executions in time ask for the audits of the day, once", async () => {
  expect(await auditsAt(-60, 2, 60, 120)).toBe(1);
});

test("so do executions of which that of four was late, as the one before took longer than a minute", async () => {
  expect(await auditsAt(-57, 63, 120)).toBe(1);
});
