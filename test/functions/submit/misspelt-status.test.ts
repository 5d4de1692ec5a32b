/** A server's text that is no status keeps a player out of the ranking, also when the player plays on. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("whom a server has banned by a misspelt status is not ranked by a score, today or on the next day", async () => {
  await createBoard(world, "board", { spans: ["daily"] });
  const { season } = (await world.submit("ann", 1)).seasons[0] ?? { season: "" };
  const path = playerPath({ leaderboard: "board", season }, "ann");
  await world.db.doc(path).set({ score: 5, status: "Banned" });
  await world.deliver({ leaderboard: "board", season }, "ann");
  await world.submit("ann", 9);
  expect((await world.db.doc(path).get()).get("status")).toBe("hidden");
  world.advance(86_400_000 - (world.services.now() % 86_400_000));
  const [next] = (await world.submit("ann", 3, { submission_id: "a" })).seasons;
  const today = { leaderboard: "board", season: next?.season ?? "" };
  expect((await world.db.doc(playerPath(today, "ann")).get()).get("status")).toBe("hidden");
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "active" }, admin);
  expect((await world.db.doc(path).get()).get("status")).toBe("active");
});
