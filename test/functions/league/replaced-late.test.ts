/**
 * limits.md: "A direct write … shows in its group with the player's next score, the player's own `getLeague`, or the end of the
 * week." After half the week a document that a server has replaced loses the seat for good, and the player the promotion.
 */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { askAgain } from "../../../functions/src/league/own-group.ts";
import { boardCacheOf, isOpened } from "../../../functions/src/seasons/board.ts";
import { playerFields } from "../../support/closing.ts";
import {
  createLeague,
  endWeek,
  five,
  getLeague,
  play,
  presentWeek,
  standingOf,
  tiersOf,
  toEndOf,
} from "../../support/league.ts";
import { admin, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test.each(["a server replaces it", "a server replaces it, and the player scores and looks"])(
  "a document keeps its seat where %s a day before the end",
  async (what) => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, five);
    await toEndOf(world, week, -86_400_000);
    await world.follow(week, "ann", await world.writeDirectly(week, "ann", playerFields(90, 0)));
    if (what.endsWith("looks")) {
      await play(world, { ann: 95 });
      await getLeague(world, "ann");
    }
    await endWeek(world, week);
    expect(await tiersOf(world, "ann")).toEqual(["silver"]);
  },
);

test("a player who is readmitted is settled with, also where a server has replaced the hidden document", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  const setStatus = (status: "active" | "hidden") =>
    world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status }, admin);
  await setStatus("hidden");
  const hidden = { ...playerFields(40, 0), status: "hidden" };
  await world.follow(week, "bob", await world.writeDirectly(week, "bob", hidden));
  await setStatus("active");
  expect((await getLeague(world, "ann")).league?.players).toBe(5);
  await endWeek(world, week);
  expect((await standingOf(world, "bob")).outcomes).toMatchObject({ [week.season]: { place: 2 } });
});

test("nothing names a seat for a player whose document is gone by the time that a seat is asked for", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await toEndOf(world, week, -86_400_000);
  await world.writeDirectly(week, "ann", undefined);
  const board = await boardCacheOf(world.services).load(week);
  expect(isOpened(board) && (await askAgain(world.services, board, "ann"))).toBe("unranked");
  expect((await world.db.doc(playerPath(week, "ann")).get()).exists).toBe(false);
});

test("nobody whose document goes while the player looks is told that it is too late", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await world.writeDirectly(week, "zoe", playerFields(7, 0));
  const run = world.db.runTransaction.bind(world.db);
  world.db.runTransaction = (async (...of: Parameters<typeof run>) => {
    await world.writeDirectly(week, "zoe", undefined);
    return run(...of);
  }) as typeof run;
  expect(await getLeague(world, "zoe")).toMatchObject({ league: null, why: "not_ranked" });
});

test("a settled group shows the score of the final table for who is readmitted", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, five);
  await endWeek(world, week);
  const setStatus = (status: "active" | "hidden") =>
    world.call("setPlayerStatus", { leaderboard: "board", player: "bob", status }, admin);
  const shown = async () => {
    const { league } = await getLeague(world, "ann", { season: week.season });
    return league?.entries.map(({ player, score, place }) => [player, score, place]);
  };
  const before = await shown();
  expect(before?.[1]).toEqual(["bob", 40, 2]);
  await setStatus("hidden");
  await world.db.doc(playerPath(week, "bob")).update({ score: 99, achieved_at: new Date(0) });
  await setStatus("active");
  expect(await shown()).toEqual(before);
});
