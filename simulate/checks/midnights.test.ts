/** Where the simulation found this model wrong, and not Firerank: repairs that read players before others write them. */
import { expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { playerPath, repairNotePath } from "../../functions/src/documents/paths.ts";
import { slotMs } from "../../functions/src/model/limits.ts";
import { slotEnd } from "../../functions/src/model/slot.ts";
import { pagesOf, rowsOfScores } from "../../test/support/pages.ts";
import { createStore, type Data } from "../memory/store.ts";
import { Midnights } from "./midnights.ts";

const key = { leaderboard: "board", season: "all_time" };
const playedMs = Date.parse("2026-11-30T10:00:01Z");
const midnightMs = Date.parse("2026-12-01T00:00:00Z");

/** A player's document with a score that is counted. */
const counted = (score: number): Data => ({ score, status: "active", counted: { score, of: "" } });

/** A player's writes, all within one slot, and a repair that comes in between. */
function play() {
  const store = createStore(() => playedMs);
  const midnights = new Midnights(store, key, "descending");
  const player = playerPath(key, "p");
  const slotEndMs = slotEnd(playedMs, slotMs);
  let readAt = store.now();

  const write = (path: string, data: Data | undefined, isForeign: boolean, repairedMs?: number) => {
    const changes = store.commit([{ path, guard: {}, apply: () => data }]);
    const handled = { receipts: [], repairedAt: repairedMs === undefined ? undefined : readAt };
    const ofMs = repairedMs ?? slotEndMs;
    const slotted = { slotEndMs: ofMs, earliestMs: ofMs, committedAt: store.now() };
    midnights.observe({ changes, isForeign }, [], handled, slotted);
  };
  return {
    ours: (data: Data | undefined) => {
      write(player, data, false);
    },
    ofServer: (data: Data | undefined) => {
      write(player, data, true);
    },
    repairReads: () => {
      readAt = store.now();
    },
    /** @param asOfMs the end of the last slot that the repair's ranking names */
    repairPublishes: (asOfMs = readAt.toMillis()) => {
      write(repairNotePath(key), { repaired_at: readAt }, false, asOfMs);
      const facts = { generation: 1, as_of: Timestamp.fromMillis(asOfMs), read_at: readAt };
      for (const page of pagesOf("descending", rowsOfScores("descending", [1])))
        midnights.published({ ...page, ...facts }, new Map(), true);
    },
    wasAtMidnight: () => midnights.wasAt("p", midnightMs, 1, midnightMs),
  };
}

test("who is deleted after a repair has read the marks, and before it is published, begins anew", () => {
  const { ours, ofServer, repairReads, repairPublishes, wasAtMidnight } = play();
  ours(counted(2));
  ofServer(counted(3));
  repairReads();
  ours(undefined);
  repairPublishes();
  expect(wasAtMidnight()).toEqual(new Set(["new"]));
});

test("a score is counted that comes after a repair has found no document, and before it is published", () => {
  const { ours, ofServer, repairReads, repairPublishes, wasAtMidnight } = play();
  ours(counted(2));
  ofServer(undefined);
  repairReads();
  ours(counted(3));
  repairPublishes();
  expect(wasAtMidnight()).toEqual(new Set([3]));
});

test("a repair has read later than what was counted in a slot that its ranking does not name", () => {
  const { ours, ofServer, repairReads, repairPublishes, wasAtMidnight } = play();
  ours(counted(2));
  ofServer(counted(3));
  repairReads();
  repairPublishes(slotEnd(playedMs, slotMs) - slotMs);
  expect(wasAtMidnight()).toEqual(new Set([3]));
});
