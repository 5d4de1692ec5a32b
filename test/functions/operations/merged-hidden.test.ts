/** For 15 minutes a player who was merged away is not taken, also one who was hidden: docs/calls.md, `mergePlayers`. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";

test.each(["active", "hidden"] as const)(
  "a score that was on its way counts once, of a player who is %s",
  async (status) => {
    await createBoard(world, leaderboard, { aggregation: "sum" });
    await world.submit("ann", 5, { submission_id: "match-1" });
    await world.call("setPlayerStatus", { leaderboard, player: "ann", status }, admin);
    await world.call("mergePlayers", { leaderboard, from: "ann", to: "bob" }, admin);
    world.advance(1_000);
    // No answer had come, so the device sends it again.
    await world.submit("ann", 5, { submission_id: "match-1" }).catch(() => undefined);
    // "To undo it, readmit both."
    for (const player of ["ann", "bob"])
      await world.call("setPlayerStatus", { leaderboard, player, status: "active" }, admin);
    const scoreOf = async (player: string): Promise<unknown> =>
      (await world.db.doc(playerPath(allTime(leaderboard), player)).get()).get("score");
    expect(await scoreOf("bob")).toBe(5);
    expect(await scoreOf("ann")).toBeUndefined();
  },
);
