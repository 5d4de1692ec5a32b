/**
 * The trigger tells our own writes from those of a trusted server by the times in its events: a mark names the version that
 * its transaction has read, so both have to be the same time, to the microsecond.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { playerPath, receiptsPath } from "../../../functions/src/documents/paths.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { useLive, eventually } from "../../support/live.ts";
import { type Executions, watchExecutions } from "../../support/executions.ts";

const live = useLive();
let executions: Executions;
beforeAll(async () => {
  executions = await watchExecutions(process.env["FIREBASE_EMULATOR_HUB"] ?? "");
});
afterAll(async () => {
  executions.close();
});

const handled = () => executions.finished("indexPlayer");

test("the events of our own commits correct nothing, and those of a trusted server's correct once", async () => {
  const board = await live.board({ aggregation: "latest" });
  const { key } = board;
  const receipts = async () => (await live.db.collection(receiptsPath(key)).get()).docs.map(({ id }) => id);
  const before = handled();
  await board.submit({ ann: 1, bob: 5 });
  await board.submit({ ann: 2 });
  await board.submit({ ann: 3 });
  await eventually(() => expect(handled()).toBeGreaterThanOrEqual(before + 4));
  // The events of these two come after those of ours.
  const eve = live.db.doc(playerPath(key, live.uid("eve")));
  for (const score of [7, 8]) {
    await eve.set({ score, status: "active" });
    await eventually(async () => {
      expect((await eve.get()).get("counted.score")).toBe(score);
    });
  }
  await eventually(async () => {
    expect(executions.underWay("indexPlayer")).toBe(0);
    // Of the two writes, only the second destroyed a mark.
    expect(await receipts()).toEqual([expect.stringMatching(/^written-/)]);
  });
  await expectConserved(live, key);
  await expectConverged(live, key);
  const ann = await live.db.doc(playerPath(key, live.uid("ann"))).get();
  expect(ann.get("counted")).toMatchObject({ score: 3 });
});
