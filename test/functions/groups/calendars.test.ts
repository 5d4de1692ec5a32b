/** What private groups show while instances remember the calendar of before: a new one applies at once until a board's first score. */
import { expect, test } from "vitest";
import {
  createBoardWithGroups,
  createGroup,
  getGroup,
  leaderboard,
  playInGroups,
  scoresIn,
  storedGroupOf,
} from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, callOn, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

/** The clocks show a Saturday. */
const changes = [
  { was: "saturday", is: "sunday", season: "weekly-2099-W52" },
  { was: "sunday", is: "saturday", season: "weekly-2100-W01" },
] as const;
type Change = (typeof changes)[number];

/** A group whose board gets another calendar, and an instance that remembers the one of before. */
async function groupOf({ was, is }: Change) {
  await createBoardWithGroups(world, { week_starts_on: was, spans: ["weekly"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  const other = world.anotherInstance();
  const look = () => callOn(other, "getGroup", { leaderboard, group }, user("bob"));
  await look();
  await createBoardWithGroups(world, { week_starts_on: is });
  return { group, other, look };
}

const shown = [
  ["ann", 5],
  ["bob", null],
];

test.each(changes)(
  "an instance that remembers weeks from $was on takes no scores out of a group of $season",
  async (change) => {
    const { season } = change;
    const { group, other, look } = await groupOf(change);
    await playInGroups(world, { ann: 5 });
    expect((await storedGroupOf(world, group)).season).toBe(season);
    expect(scoresIn(await look())).toEqual(shown);
    await callOn(other, "setPlayerStatus", { leaderboard, player: "bob", status: "hidden" }, admin);
    await callOn(other, "setPlayerStatus", { leaderboard, player: "bob", status: "active" }, admin);
    await doRefreshes(world);
    expect(await getGroup(world, group, "ann")).toMatchObject({ season });
    expect(scoresIn(await getGroup(world, group, "ann"))).toEqual(shown);
  },
);

test.each(changes)(
  "a group without scores goes to $season once, and not back where an instance remembers weeks from $was on",
  async (change) => {
    const { season } = change;
    const { group, look } = await groupOf(change);
    await getGroup(world, group, "ann");
    const { pace, ...begun } = await storedGroupOf(world, group);
    expect(begun.season).toBe(season);
    const looks = async () => {
      for (let i = 0; i < 3; i++) {
        expect(await look()).toMatchObject({ season });
        await getGroup(world, group, "ann");
        world.advance(1_000);
      }
    };
    expect(await world.bill(looks)).toMatchObject({ writes: 0 });
    expect(await storedGroupOf(world, group)).toEqual({ ...begun, pace });
  },
);

test.each(changes)(
  "a group that is made where an instance remembers weeks from $was on shows the scores of $season",
  async (change) => {
    const { other } = await groupOf(change);
    await playInGroups(world, { ann: 5 });
    const made = await callOn(other, "createGroup", { leaderboard, name: "Class" }, user("ann"));
    const { season, seats } = await storedGroupOf(world, made.group);
    expect({ season, seats }).toMatchObject({ season: change.season, seats: { s1: { score: 5 } } });
  },
);
