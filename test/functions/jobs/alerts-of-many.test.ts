/** Alerts of all boards, where the records of a month are more than one look reads. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { runPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { findAlerts, recordsMost } from "../../../functions/src/jobs/schedule/watch.ts";
import { play } from "../../support/damage.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const hourMs = 3_600_000;

test("a repair that was started again and went well is no alert, however many audits came since", async () => {
  const key = await createBoard(world, "board");
  const other = await createBoard(world, "other");
  for (const one of [key, other]) {
    await play(world, one, "ann", 5);
    await world.publish(one);
  }
  const nowMs = world.services.now();
  const record = (of: SeasonKey, agoMs: number, fields: object) => {
    const at = Timestamp.fromMillis(nowMs - agoMs);
    const times = { started_at: at, finished_at: at };
    return [world.db.doc(runPath(of, randomUUID())), { ...times, ...fields }] as const;
  };
  const writer = world.db.bulkWriter({ throttling: false });
  const days = 24 * hourMs;
  void writer.set(...record(key, 10 * days, { kind: "repair", outcome: "failed", error: "Error: busy" }));
  void writer.set(...record(key, 10 * days - hourMs, { kind: "repair", outcome: "done" }));
  // A hundred boards with an audit a day have 2,000 of these in three weeks.
  const audit = { kind: "audit", outcome: "done", repair: "none", full: false };
  for (let i = 0; i < recordsMost; i++) void writer.set(...record(other, 9 * days - i * 1_000, audit));
  await writer.close();
  expect((await findAlerts(world.services, key)).alerts).toEqual([]);
  const { alerts } = await findAlerts(world.services);
  expect(alerts.map(({ code, leaderboard }) => [leaderboard, code])).toEqual([]);
});
