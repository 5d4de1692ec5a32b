/** What `doctor` says of boards whose seasons the functions have stored by other rules of time zones than this computer's. */
import { expect, test } from "vitest";
import { createApi } from "../../../cli/doctor/api.ts";
import { boards } from "../../../cli/doctor/checks/boards.ts";
import { createPatient } from "../../../cli/doctor/patient.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = { leaderboard: "board", season: "daily-2100-01-02" };

async function look() {
  const { db, projectId: project, services } = world;
  const api = createApi({ project, addressOf: () => undefined, token: () => Promise.resolve("") });
  const place = { project, database: "(default)", timeZone: "UTC" };
  const findings = [];
  for await (const one of boards.look(createPatient({ ...place, api, db, now: services.now })))
    findings.push(one);
  return findings;
}

test("a season of the same rules has no finding, also while it runs on after a change of the zone", async () => {
  await createBoard(world, "board", {
    spans: ["daily", "weekly", "all_time"],
    time_zone: "Etc/GMT+8",
  });
  await world.submit("ann", 1);
  expect(await look()).toEqual([]);
  await world.call(
    "saveLeaderboard",
    { leaderboard: "board", definition: { time_zone: "Asia/Tokyo" } },
    admin,
  );
  expect(await look()).toEqual([]);
});

test("a season that ends an hour later in the database is named, with both times", async () => {
  await createBoard(world, "board", { spans: ["daily"], time_zone: "Etc/GMT+8" });
  await world.submit("ann", 1);
  const later = Timestamp.fromDate(new Date("2100-01-03T09:00:00Z"));
  await world.db.doc(seasonPath(key)).update({ closes_at: later });
  const [first, ...others] = await look();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ id: "time-zone-rules", gravity: "danger" });
  expect(first).toHaveProperty(
    "what",
    expect.stringContaining(
      "board/daily-2100-01-02, in Etc/GMT+8: 2100-01-02T08:00:00.000Z to 2100-01-03T09:00:00.000Z stored, " +
        "2100-01-02T08:00:00.000Z to 2100-01-03T08:00:00.000Z here.",
    ),
  );
});
