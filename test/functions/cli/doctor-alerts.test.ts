/** What `doctor` says of the alerts of seasons: for how long each stands. */
import { expect, test } from "vitest";
import { createApi } from "../../../cli/doctor/api.ts";
import { alerts } from "../../../cli/doctor/checks/boards.ts";
import { createPatient } from "../../../cli/doctor/patient.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { runPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test.each([
  [1, "for 1 minute:"],
  [2, "for 2 minutes:"],
  [119, "for 119 minutes:"],
  [120, "for 2 hours:"],
  [3 * 1_440, "for 3 days:"],
])("an alert of %i minutes stands %s", async (minutes, said) => {
  const key = await createBoard(world, "board");
  await world.submit("ann", 1);
  const { db, projectId: project, services } = world;
  const failedAt = Timestamp.fromMillis(services.now() - minutes * 60_000);
  const failed = { kind: "repair", outcome: "failed", started_at: failedAt, finished_at: failedAt };
  await db.doc(runPath(key, "repair")).set(failed);
  const api = createApi({ project, addressOf: () => undefined, token: () => Promise.resolve("") });
  const place = { project, database: "(default)", timeZone: "UTC" };
  const findings = [];
  for await (const one of alerts.look(createPatient({ ...place, api, db, now: services.now })))
    findings.push(one);
  const what = expect.stringContaining(`board/all_time, ${said}`) as string;
  expect(findings).toMatchObject([{ id: "repair-dead", what }]);
});
