/** What the formulas of ways.ts say is what is counted, in a database in memory. */
import { expect, test } from "vitest";
import { seatWaiting } from "../../functions/src/league/seat-waiting.ts";
import { closed, endSeason } from "../../test/support/closing.ts";
import { createLeague, doRefreshes, getLeague, presentWeek, smallLeague } from "../../test/support/league.ts";
import { admin, createBoard, createWorld, type World } from "../../test/support/world.ts";
import { type Bill, bill, mapBill } from "../contest/bill.ts";
import { byHand, firerankAdds, groupSize, leagueWeekOf, openByHand, seatedTogether } from "./ways.ts";
import { counting } from "./year.ts";

const day = 86_400_000;
const names = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);
const each = (all: Omit<Bill, "invocations">, times: number) =>
  mapBill(bill(all), (amount) => amount / times);
function expectSame(counted: Bill, formula: Bill): void {
  for (const name of ["reads", "writes", "deletes"] as const)
    expect([name, counted[name]]).toEqual([name, expect.closeTo(formula[name], 9)]);
}

test("by hand each of the four is billed its formula, and works", async () => {
  const world = createWorld();
  const league = openByHand(world.db);
  const cohorts: string[] = [];
  const first = await world.bill(async () => {
    for (const [i, name] of names(groupSize + 1).entries()) cohorts.push(await league.first(name, i));
  });
  expectSame(each(first, groupSize + 1), byHand.first);
  expect(new Set(cohorts).size).toBe(2);
  const [cohort = ""] = cohorts;
  expectSame(bill(await world.bill(() => league.score(cohort, "p0", 99))), byHand.score);
  let seen: string[] = [];
  expectSame(bill(await world.bill(async () => (seen = await league.look(cohort)))), byHand.look);
  expect(seen.slice(0, 2)).toEqual(["p0", "p29"]);
  const end = await world.bill(() => league.end(cohort, { promote: 7, demote: 7 }));
  expectSame(each(end, groupSize), byHand.end);
  const tiers = await Promise.all(["p0", "p15", "p1"].map((name) => world.db.doc(`players/${name}`).get()));
  expect(tiers.map((found) => found.get("tier") as number)).toEqual([1, 0, -1]);
});

async function openFirerank(hasLeague: boolean, players: number): Promise<World> {
  const world = createWorld();
  if (hasLeague) await createLeague(world, { size: groupSize, tiers: smallLeague.tiers }, counting);
  else {
    await createBoard(world, "board", { spans: ["weekly"], ...counting });
    world.advance(2 * day);
  }
  const submissions = names(players).map((player, i) => ({ player, score: i }));
  await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  return world;
}

/** What a league adds to a score that comes when nothing else has happened for a while. */
async function scoreOf(hasLeague: boolean): Promise<Bill> {
  const world = await openFirerank(hasLeague, groupSize);
  await doRefreshes(world);
  world.advance(60_000);
  const submissions = [{ player: "p0", score: 1_000 }];
  return bill(
    await world.bill(() => world.call("submitScores", { leaderboard: "board", submissions }, admin)),
  );
}

test("a seat, a score and a look in Firerank's league are billed their formulas", async () => {
  const world = await openFirerank(true, seatedTogether);
  const week = await presentWeek(world);
  expectSame(
    each(await world.bill(() => seatWaiting(world.services, week)), seatedTogether),
    firerankAdds.first,
  );
  expectSame(bill(await world.bill(() => getLeague(world, "p3"))), firerankAdds.look);
  const [with_, without] = [await scoreOf(true), await scoreOf(false)];
  expectSame(
    { ...with_, reads: with_.reads - without.reads, writes: with_.writes - without.writes },
    firerankAdds.score,
  );
});

/** What the end of a week costs with so many players. */
async function endOf(hasLeague: boolean, players: number): Promise<Bill> {
  const world = await openFirerank(hasLeague, players);
  await doRefreshes(world);
  const week = await presentWeek(world);
  return bill(await world.bill(() => endSeason(world, week, { until: closed })));
}

test("the end of a week costs for each group more what its formula says, and a final table 1 read a player", async () => {
  const perGroup = async (hasLeague: boolean) => {
    const [small, large] = [await endOf(hasLeague, 2 * groupSize), await endOf(hasLeague, 3 * groupSize)];
    return { reads: large.reads - small.reads, writes: large.writes - small.writes };
  };
  const [league, table] = [await perGroup(true), await perGroup(false)];
  expect(table).toEqual({ reads: groupSize, writes: 0 });
  const added = { reads: league.reads - table.reads, writes: league.writes - table.writes, deletes: 0 };
  expectSame(each(added, groupSize), firerankAdds.end);
});

test("who looks often is cheaper with Firerank, and who seldom looks by hand", () => {
  const { looksEven } = leagueWeekOf();
  const isCheaper = (looks: number) => {
    const [firerank = NaN, other = NaN] = leagueWeekOf({ scores: 10, looks }).ways.map(
      ({ dollars }) => dollars,
    );
    return firerank < other;
  };
  expect([Math.floor(looksEven), Math.ceil(looksEven)].map(isCheaper)).toEqual([false, true]);
});
