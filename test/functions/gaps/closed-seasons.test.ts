/** Known gaps of closed seasons, as docs/limits.md ("Closed seasons", "Sizes") states them. */
import { expect, test } from "vitest";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";

/** The players of a season's list. */
async function listed(key: SeasonKey, more: { segment?: { country: string } } = {}): Promise<string[]> {
  const { entries } = await world.call("getPage", { ...key, ...more }, user("reader"));
  return entries.map(({ player }) => player);
}

// docs/limits.md: "A player whose document is deleted by hand stays in lists, but `getRank` and `setPlayerStatus` don't find
// the player. `removePlayer` removes both."
test("gap: a player of a closed season whose document was deleted by hand is listed, and is not found", async () => {
  const players = { ann: playerFields(2, 0), ben: playerFields(1, 0) };
  const key = await createEnding(world, leaderboard, players);
  await endSeason(world, key);
  await world.db.doc(playerPath(key, "ann")).delete();
  expect(await listed(key)).toEqual(["ann", "ben"]);
  const refusal = { code: "player_not_ranked" };
  await expect(world.call("getRank", { ...key, player: "ann" }, admin)).rejects.toMatchObject(refusal);
  const hidden = { leaderboard, player: "ann", status: "hidden" } as const;
  await expect(world.call("setPlayerStatus", hidden, admin)).rejects.toMatchObject(refusal);
  await world.call("removePlayer", { leaderboard, player: "ann" }, admin);
  expect(await listed(key)).toEqual(["ben"]);
});

// docs/limits.md: "a player whose document a server has changed since has the final score and rank in a list, but may be on
// another page of it, or on none if the whole document was deleted or replaced".
test("gap: a player of a closed season whose document was replaced is in no list of a segment", async () => {
  const definition = { segments: [{ name: "country", from: "server" as const }] };
  const austrian = { segments: { country: "AT" } };
  const players = { ann: playerFields(2, 0, austrian), ben: playerFields(1, 0, austrian) };
  const key = await createEnding(world, leaderboard, players, { definition });
  await endSeason(world, key);
  await world.db.doc(playerPath(key, "ann")).set({ score: 3 });
  expect(await listed(key)).toEqual(["ann", "ben"]);
  expect(await listed(key, { segment: { country: "AT" } })).toEqual(["ben"]);
});

// docs/limits.md: "After a ban, metadata that the player's document cannot hold twice does not come back."
test("gap: large metadata does not come back with a player of a closed season who was banned", async () => {
  const ann = playerFields(2, 0, { metadata: { text: "x".repeat(600_000) } });
  const key = await createEnding(world, leaderboard, {
    ann,
    ben: playerFields(1, 0, { metadata: { text: "y" } }),
  });
  await endSeason(world, key);
  for (const player of ["ann", "ben"])
    for (const status of ["banned", "active"] as const) {
      await world.call("setPlayerStatus", { leaderboard, player, status }, admin);
      await endSeason(world, key);
    }
  const { entries } = await world.call("getPage", key, user("reader"));
  expect(entries).toMatchObject([{ player: "ann" }, { player: "ben", metadata: { text: "y" } }]);
  expect(entries[0]).not.toHaveProperty("metadata");
});
