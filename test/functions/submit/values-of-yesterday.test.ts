/** Values of segments on a board with a single span: docs/segments.md says that a player begins each season without. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { admin, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";
const dayMs = 86_400_000;

test.each([undefined, "match-2"])(
  "a day begins without values, with the submission id %s",
  async (submission_id) => {
    await createBoard(world, leaderboard, {
      spans: ["daily"],
      segments: [{ name: "guild", from: "server" }],
    });
    const submit = (one: object) =>
      world.call("submitScores", { leaderboard, submissions: [{ player: "ann", ...one }] }, admin);
    await submit({ score: 5, segments: { guild: "red" } });
    world.advance(dayMs - (world.services.now() % dayMs) + 60_000);
    await submit({ score: 7, ...(submission_id && { submission_id }) });
    const day = new Date(world.services.now()).toISOString().slice(0, 10);
    const today = await world.db.doc(playerPath({ leaderboard, season: `daily-${day}` }, "ann")).get();
    expect(today.get("score")).toBe(7);
    expect(today.get("segments")).toBeUndefined();
  },
);
