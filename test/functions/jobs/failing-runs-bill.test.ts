/** A season whose board cannot be read is not tried again each two minutes for ever, as a season's end is not. */
import { expect, test } from "vitest";
import { definitionPath } from "../../../functions/src/documents/paths.ts";
import { enqueueDue } from "../../../functions/src/jobs/schedule/schedule.ts";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { stepJob, stepTogether } from "../../../functions/src/jobs/schedule/step.ts";
import { queueLimits } from "../../../functions/src/model/limits.ts";
import type { JobRequest } from "../../../functions/src/world/tasks.ts";
import { allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

// A hand in the console; or an older package that was deployed again, which does not know the definition's schema_version.
test.each([{ order: "sideways" }, { schema_version: 99 }])(
  "for a day, with %j in the definition",
  async (damage) => {
    await createBoard(world, "board");
    await world.submit("ann", 1);
    await world.db.doc(definitionPath("board")).update(damage);
    let calls = 0;
    const asked: JobRequest[] = [];
    const services = {
      ...world.services,
      enqueueJob: (request: JobRequest) => Promise.resolve(void asked.push(request)),
    };
    for (let minute = 0; minute < 24 * 60; minute++) {
      world.advance(60_000);
      await enqueueDue(services);
      for (const request of asked.splice(0)) {
        if (request.job === "shared") {
          calls += 1;
          await stepTogether(services, request.steps).catch(() => undefined);
          continue;
        }
        for (let attempt = 0; attempt < queueLimits.stepSeason.maxAttempts; attempt++) {
          calls += 1;
          const isDone = await stepJob(services, request).then(
            () => true,
            () => false,
          );
          if (isDone) break;
        }
      }
    }
    // Each ten minutes, three attempts, as a season's end is; before that, each two minutes, as one that was beaten.
    expect(calls).toBeLessThan(3 * 6 * 24 + 3 * 5);
    const { alerts } = await findAlerts(world.services, allTime("board"));
    expect(alerts.map(({ code }) => code)).not.toEqual([]);
  },
);
