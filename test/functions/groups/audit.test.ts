/** What an audit does for private groups: it puts right what a process has left behind that died. */
import { expect, test } from "vitest";
import { auditSeatsMax } from "../../../functions/src/league/audit-groups.ts";
import { auditPrivateGroups } from "../../../functions/src/groups/audit.ts";
import { playerPath, privateGroupPath } from "../../../functions/src/documents/paths.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import type { OpenedBoard } from "../../../functions/src/seasons/read-board.ts";
import { watchCommits } from "../../support/commits.ts";
import {
  createGroup,
  eachBoardWithGroups,
  hourMs,
  leaderboard,
  playInGroups,
  storedGroupOf,
} from "../../support/groups.ts";
import { admin } from "../../support/world.ts";

const { world, key, inMs } = eachBoardWithGroups();

const audit = () => world.call("auditSeason", { leaderboard }, admin);

async function auditedOf(seatsMax: number) {
  const board = (await boardCacheOf(world.services).load(key)) as OpenedBoard;
  return auditPrivateGroups(world.services, board, { seatsMax });
}

/** A score whose process dies before it writes a group: nothing of it is committed any more. */
async function submitDying(player: string, score: number): Promise<void> {
  let isDead = false;
  let isPast = false;
  watchCommits(world, (writes, perform) => {
    isDead ||= !isPast && writes.some(({ path }) => path.includes("/private_groups/"));
    return isDead ? Promise.reject(new Error("the process died")) : perform();
  });
  await world.submit(player, score).catch(() => undefined);
  expect(isDead).toBe(true);
  [isDead, isPast] = [false, true];
  world.refreshes.clear();
}

const scoresOf = async (group: string) =>
  Object.values((await storedGroupOf(world, group)).seats).map(({ score }) => score);

test("a process that dies between a score's commit and its group leaves a group that an audit brings up to date", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5, bob: 6 });
  world.advance(30_000);
  await submitDying("ann", 50);
  expect(await scoresOf(group)).toEqual([5, 6]);
  await audit();
  expect(await scoresOf(group)).toEqual([50, 6]);
});

test("a score that was achieved after the end of a group is none for an audit either", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(hourMs) });
  await playInGroups(world, { ann: 5, bob: 6 });
  world.advance(hourMs + 1_000);
  await world.submit("ann", 50);
  await audit();
  expect(await scoresOf(group)).toEqual([5, 6]);
});

test("an audit writes nothing into a group that shows what its members have, or that has ended", async () => {
  const { group } = await createGroup(world, ["ann", "bob", "cyd"]);
  await createGroup(world, ["dan", "ann"], { name: "Class" });
  await playInGroups(world, { ann: 5, bob: 6, dan: 7 });
  world.advance(30_000);
  const before = await storedGroupOf(world, group);
  // Of cyd, who has no document, the board may keep a ban.
  const spent = await world.bill(() => auditedOf(auditSeatsMax));
  expect(spent).toEqual({ reads: 2 * 2 + (3 + 1) + 2 + 1, writes: 0, deletes: 0 });
  expect(await storedGroupOf(world, group)).toEqual(before);
});

test("an audit looks at as many members as it may, and any group may be the first", async () => {
  for (const owner of ["ann", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "ida", "jon"])
    await createGroup(world, [owner]);
  await world.submit("zoe", 1);
  expect(await auditedOf(1)).toEqual({ groups: 8, renewed: 0 });
  expect(await auditedOf(Infinity)).toEqual({ groups: 10, renewed: 0 });
});

test("a damaged group holds up the audit of no other", async () => {
  const { group: damaged } = await createGroup(world, ["ann"]);
  const { group } = await createGroup(world, ["ann", "bob"], { name: "Class" });
  await playInGroups(world, { ann: 5, bob: 6 });
  await world.db.doc(privateGroupPath(leaderboard, damaged)).update({ seats: "gone" });
  await world.db.doc(playerPath(key, "bob")).update({ score: 9 });
  await audit();
  expect(await scoresOf(group)).toEqual([5, 9]);
});
