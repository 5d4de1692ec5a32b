/** What ends of groups keep, when they come late, and how many come at once. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  definitionPath,
  playerPath,
  privateGroupPath,
  privateGroupsPath,
  seasonPath,
} from "../../../functions/src/documents/paths.ts";
import { enqueueGroupEnds } from "../../../functions/src/groups/end.ts";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import {
  createGroup,
  eachBoardWithGroups,
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

/** Writes copies of a group, each below a path. */
async function copyGroup(group: string, paths: readonly string[], more: object = {}) {
  const stored = await storedGroupOf(world, group);
  for (const path of paths) await world.db.doc(path).set({ ...stored, ...more });
}

const times = (count: number, path: (n: number) => string) =>
  Array.from({ length: count }, (_, i) => path(i));

test("1,200 groups that end at the same time have all ended ten minutes after their last scores", async () => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(hourMs) });
  const copies = times(1_200, (n) => privateGroupPath(leaderboard, `g${n}`));
  await copyGroup(group, copies);
  world.advance(hourMs + 6 * minuteMs + 1);
  await look();
  const open = world.db.collection(privateGroupsPath(leaderboard)).where("unsettled", "==", true);
  expect((await open.get()).size).toBe(0);
}, 60_000);

/** A thousand documents that are due, and cannot end. */
const kinds = [
  { kind: "groups of a board without a definition", at: "leaderboards/gone/private_groups", damage: {} },
  { kind: "damaged groups", at: privateGroupsPath(leaderboard), damage: { size: "many" } },
  { kind: "documents of the game's own", at: "games/gone/private_groups", damage: {} },
];

test.each(kinds)("a group ends by itself beside a thousand $kind", async ({ at, damage }) => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(hourMs) });
  const paths = times(1_000, (n) => `${at}/g${n}`);
  await copyGroup(group, paths, { end_due_at: Timestamp.fromMillis(world.services.now()), ...damage });
  world.advance(2 * hourMs);
  await look();
  expect((await storedGroupOf(world, group)).settled_at).toBeDefined();
});

test.each(kinds)("$kind cost a read each at most while they can't end", async ({ at, damage }) => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(hourMs) });
  const paths = times(20, (n) => `${at}/g${n}`);
  const due = Timestamp.fromMillis(world.services.now());
  await copyGroup(group, paths, { end_due_at: due, ...damage });
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

test("a look that takes too long is continued by the next one", async () => {
  const { group } = await createGroup(world, ["ann"], { ends_at: inMs(minuteMs) });
  await copyGroup(
    group,
    times(1_100, (n) => privateGroupPath(leaderboard, `g${n}`)),
  );
  world.advance(hourMs);
  const requested = new Set<string>();
  const slow: Services = {
    ...world.services,
    enqueueTopRefresh: ({ group: id = "" }) => {
      requested.add(id);
      world.advance(1_000);
      return Promise.resolve();
    },
  };
  const counts: number[] = [];
  for (let i = 0; i < 4; i++) counts.push(await enqueueGroupEnds(slow));
  expect(counts).toEqual([500, 500, 101, 500]);
  expect(requested.size).toBe(1_101);
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
