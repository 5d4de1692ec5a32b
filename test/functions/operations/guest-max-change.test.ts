/** A guest gives no chance that `max_change` refuses: SECURITY.md, "What limits don't do". */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { expectRefusal, type Refusal } from "../../support/refusals.ts";
import { allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "arena";
const world = eachWorld();
const submit = (player: string, score: number) =>
  world.call("submitScore", { leaderboard, score }, user(player));

test.each(["best", "latest"] as const)(
  "no account jumps beyond max_change by a guest, on a board of %s scores",
  async (aggregation) => {
    await createBoard(world, leaderboard, { aggregation, max_change: 10 });
    await submit("ann", 100);
    const tooFar: Refusal = { code: "score_out_of_range", paths: ["score"] };
    await expectRefusal(world, tooFar, () => submit("ann", 1_000_000));
    const guest_token = world.accounts.addGuest("guest");
    world.advance(1_000);
    // The first score of a player changes none.
    await submit("guest", 1_000_000);
    await world.call("mergeGuest", { leaderboard, guest_token }, user("ann")).catch(() => undefined);
    expect((await world.db.doc(playerPath(allTime(leaderboard), "ann")).get()).get("score")).toBe(100);
  },
);
