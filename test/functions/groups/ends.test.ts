/** What ends of groups keep, when they come late, and what those cost that cannot come. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  definitionPath,
  playerPath,
  privateGroupPath,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import { enqueueGroupEnds } from "../../../functions/src/groups/end.ts";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import {
  copyGroup,
  createGroup,
  eachBoardWithGroups,
  endlessGroups,
  getGroup,
  hourMs,
  leaderboard,
  minuteMs,
  playInGroups,
  scoresIn,
  storedGroupOf,
} from "../../support/groups.ts";
import { closed, endSeason } from "../../support/closing.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, user } from "../../support/world.ts";

const { world, key, setStatus, save, inMs, look } = eachBoardWithGroups();

/** Deletes a season with its players, as `keep_seasons` does. */
async function loseSeason(season: string, players: readonly string[]) {
  const of = { leaderboard, season };
  for (const player of players) await world.db.doc(playerPath(of, player)).delete();
  await world.db.doc(seasonPath(of)).delete();
}

const final = [
  ["bob", 7],
  ["ann", 5],
];

test("a group that has ended keeps the score of a member who was hidden for a while after the season went", async () => {
  await save({ spans: ["daily"], keep_seasons: 1 });
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(hourMs) });
  await playInGroups(world, { ann: 5, bob: 7 });
  const { season } = await storedGroupOf(world, group);
  world.advance(2 * hourMs);
  expect((await getGroup(world, group, "ann")).state).toBe("ended");
  await loseSeason(season, ["ann", "bob"]);
  world.advance(100 * hourMs);
  await setStatus("bob", "hidden");
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([["ann", 5]]);
  await setStatus("bob", "active");
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual(final);
});

test("a final score stays that a server replaces while the member is hidden", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(hourMs) });
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(2 * hourMs);
  await getGroup(world, group, "ann");
  await setStatus("bob", "hidden");
  // The time of the score is that of before the end.
  await world.db.doc(playerPath(key, "bob")).update({ score: 3 });
  await setStatus("bob", "active");
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual(final);
});

test("a group that is ended late, when its season is gone, keeps the scores that it shows", async () => {
  await save({ spans: ["daily"], keep_seasons: 1 });
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(hourMs) });
  await playInGroups(world, { ann: 5, bob: 7 });
  await loseSeason((await storedGroupOf(world, group)).season, ["ann", "bob"]);
  world.advance(60 * hourMs);
  await look();
  const ended = await getGroup(world, group, "ann");
  expect(ended.state).toBe("ended");
  expect(scoresIn(ended)).toEqual(final);
});

test.each([
  {
    when: "before",
    laterMs: 0,
    shown: [
      ["ann", 5],
      ["bob", null],
    ],
  },
  { when: "after", laterMs: hourMs + minuteMs, shown: final },
])("a score that a server deletes $when the end of a group", async ({ laterMs, shown }) => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(hourMs) });
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(laterMs);
  const write = await world.writeDirectly(key, "bob", undefined);
  await followInPrivateGroups(world.services, key, "bob", write);
  await doRefreshes(world);
  // The change of the status reads what is there now.
  await setStatus("bob", "hidden");
  await setStatus("bob", "active");
  world.advance(2 * hourMs);
  await look();
  const ended = await world.call("getGroup", { leaderboard, group }, user("ann"));
  expect(ended.state).toBe("ended");
  expect(scoresIn(ended)).toEqual(shown);
});

test.each(endlessGroups)("$kind cost a read each at most while they can't end", async ({ at, damage }) => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(hourMs) });
  const due = Timestamp.fromMillis(world.services.now());
  await copyGroup(world, group, { into: at, count: 20, more: { end_due_at: due, ...damage } });
  world.advance(2 * hourMs);
  await look();
  world.refreshes.clear();
  const isOurs = at.startsWith("leaderboards/");
  const bill = await world.bill(() => enqueueGroupEnds(world.services));
  expect(bill).toEqual({ reads: isOurs ? 1 : 20, writes: 0, deletes: 0 });
  expect([...world.refreshes.values()]).toEqual([]);
  const dueAt = (await world.db.doc(`${at}/g0`).get()).get("end_due_at") as Timestamp;
  // What is not ours is not touched.
  expect(dueAt.toMillis() > world.services.now()).toBe(isOurs);
});

test("a group ends by itself a day after somebody has given its board a definition again", async () => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(minuteMs) });
  const ref = world.db.doc(definitionPath(leaderboard));
  const definition = (await ref.get()).data() ?? {};
  await ref.delete();
  await look();
  await look();
  await ref.set(definition);
  world.advance(24 * hourMs);
  await look();
  expect((await storedGroupOf(world, group)).settled_at).toBeDefined();
});

test("a group shows of a closed season what its final table has", async () => {
  await save({ spans: ["daily"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5, bob: 7 });
  const { season } = await storedGroupOf(world, group);
  const day = { leaderboard, season };
  await endSeason(world, day, { until: closed });
  await world.db.doc(playerPath(day, "ann")).update({ score: 999 });
  const rank = await world.call("getRank", { leaderboard, season, player: "ann" }, user("ann"));
  expect(rank.score).toBe(5);
  const shown = async () => scoresIn(await getGroup(world, group, "bob", { season }));
  expect(await shown()).toEqual(final);
  // Who is hidden since then is out of sight, and back with the final score.
  await setStatus("ann", "hidden");
  expect(await shown()).toEqual([["bob", 7]]);
  await setStatus("ann", "active");
  expect(await shown()).toEqual(final);
  await endSeason(world, day, { until: ({ cleared_at: cleared }) => cleared !== null });
  world.advance(minuteMs);
  // The board is read anew.
  await shown();
  // 2 reads for the group and 1 as bob has no score today, 1 for each member, and 1 for ann, whose document has changed.
  expect(await world.reads(shown)).toBe(2 + 1 + 2 + 1);
});

test("a group that is ended after its season has closed ends with the scores of the final table", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(hourMs) }, admin);
  const { group } = await createGroup(world, ["ann", "bob"], { season: "cup" });
  await playInGroups(world, { ann: 5, bob: 7 }, { season: "cup" });
  // Its end was cut off before the final table.
  const stored = (await world.db.doc(privateGroupPath(leaderboard, group)).get()).data() ?? {};
  await endSeason(world, cup, { until: closed });
  await world.db.doc(privateGroupPath(leaderboard, group)).set(stored);
  await world.db.doc(playerPath(cup, "ann")).update({ score: 999 });
  await endSeason(world, cup, { until: ({ cleared_at: cleared }) => cleared !== null });
  const ended = await getGroup(world, group, "bob");
  expect(ended.state).toBe("ended");
  expect(scoresIn(ended)).toEqual(final);
});
