/**
 * Midnight comes during a call of an admin: the season that nobody had played when the call began gets the player's first
 * score, and closes, before the call looks for seasons that were begun meanwhile.
 */
import { beforeEach, expect, test } from "vitest";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { watchCommits } from "../../support/commits.ts";
import { admin, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const dayMs = 86_400_000;
const leaderboard = "board";
let today: SeasonKey;

/** Ann played yesterday, and is hidden. Nobody has played today, and it is a second before midnight. */
beforeEach(async () => {
  await createBoard(world, leaderboard, { spans: ["daily"] });
  await world.submit("ann", 5);
  await world.call("setPlayerStatus", { leaderboard, player: "ann", status: "hidden" }, admin);
  world.advance(2 * dayMs - (world.services.now() % dayMs) - 1_000);
  const day = new Date(world.services.now()).toISOString().slice(0, 10);
  today = { leaderboard, season: `daily-${day}` };
});

/** Before the first commit of what follows, ann scores elsewhere, midnight passes, and the day begins to close. */
function midnightAtTheFirstCommit(): void {
  const other = world.anotherInstance();
  let isPast = false;
  watchCommits(world, async (_writes, perform) => {
    if (isPast) return perform();
    isPast = true;
    await callOn(other, "submitScore", { leaderboard, score: 9 }, user("ann"));
    world.advance(2_000);
    await stepEnd(other, { ...today, step: 0 });
    return perform();
  });
}

const annToday = () => world.db.doc(playerPath(today, "ann")).get();

test("readmits the player there", async () => {
  midnightAtTheFirstCommit();
  await world.call("setPlayerStatus", { leaderboard, player: "ann", status: "active" }, admin);
  expect((await annToday()).get("status")).toBe("active");
});

test("merges the player there", async () => {
  await world.call("setPlayerStatus", { leaderboard, player: "ann", status: "active" }, admin);
  midnightAtTheFirstCommit();
  await world.call("mergePlayers", { leaderboard, from: "ann", to: "bob" }, admin);
  expect((await annToday()).exists).toBe(false);
  expect((await world.db.doc(playerPath(today, "bob")).get()).get("score")).toBe(9);
});
