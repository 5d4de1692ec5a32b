/**
 * In a zone with summer time a week has 167 hours once a year; with `joins_until_hours: 168` the league then still gives
 * seats in the hour after the end. One look at that week freezes the league for good.
 */
import { expect, test } from "vitest";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { closed, endSeason, playerFields, seasonOf } from "../../support/closing.ts";
import { watchCommits } from "../../support/commits.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  five,
  play,
  presentWeek,
  seated,
  toEndOf,
} from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const look = ({ season }: SeasonKey) =>
  world.call("getLeague", { leaderboard: "board", season }, user("imp"));

/** The week of 167 hours, with a first score of `opener`. */
async function shortWeek(): Promise<SeasonKey> {
  await createLeague(world, { joins_until_hours: 168 }, { time_zone: "Europe/Vienna" });
  world.advance(11 * 7 * 86_400_000);
  for (;;) {
    const week = await presentWeek(world);
    await world.submit("opener", 1);
    const { opens_at: opens, closes_at: closes } = await seasonOf(world, week);
    if ((closes?.toMillis() ?? 0) - opens.toMillis() === 167 * 3_600_000) return week;
    await doRefreshes(world);
    await endWeek(world, week);
    world.advance(30 * 3_600_000);
  }
}

/** A server writes a score, so the player has no seat. */
async function importOne(week: SeasonKey): Promise<void> {
  await world.db.doc(playerPath(week, "imp")).set(playerFields(7, 0));
  await countPlayers(world.services, week, ["imp"]);
}

test("a look at a week that is closed and cleared opens no league in it", async () => {
  const week = await shortWeek();
  await world.call("removePlayer", { leaderboard: "board", player: "opener" }, admin);
  world.refreshes.clear();
  await importOne(week);
  await toEndOf(world, week, 400_000);
  await endSeason(world, week);
  await look(week);
  await doRefreshes(world);
  // It is "open" for ever now, so nobody gets a seat in any later week.
  expect((await seasonOf(world, week)).league).not.toBe("open");
  await play(world, five);
  expect(Object.values(await seated(world, await presentWeek(world))).flat()).toEqual(Object.keys(five));
});

test("a look while the week's groups are settled does not stop that", async () => {
  const week = await shortWeek();
  await doRefreshes(world);
  await importOne(week);
  await toEndOf(world, week, 400_000);
  let looked = false;
  watchCommits(world, async (writes, perform) => {
    const result = await perform();
    if (!looked && writes.some(({ path }) => path.includes("/player_statuses/"))) {
      looked = true;
      await look(week);
    }
    return result;
  });
  await endSeason(world, week, { until: closed });
  // ALREADY_EXISTS for ever: the settled group has lost `newest_of`, so its name is taken again.
  expect((await seasonOf(world, week)).league).toBe("settled");
});
