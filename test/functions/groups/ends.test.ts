/** What ends of groups keep, when they come late, and how many come at once. */
import { expect, test } from "vitest";
import { playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
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
import { doRefreshes } from "../../support/league.ts";
import { user } from "../../support/world.ts";

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
