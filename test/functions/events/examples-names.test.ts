/** The example that pays: ids of boards, seasons and players may have hyphens, so that two seasons have one name. */
import { expect, test } from "vitest";
import { payRewards } from "../../../examples/events/rewards.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

async function pay(leaderboard: string, season: string, player: string): Promise<void> {
  const key = await createEnding(world, leaderboard, { [player]: playerFields(5, 0) }, { season });
  await endSeason(world, key);
  await payRewards(world.db, { kind: "season_closed", span: "custom", ...key });
}

const wallets = async () => {
  const { docs } = await world.db.collection("wallets").get();
  return Object.fromEntries(docs.map((wallet) => [wallet.id, wallet.get("coins") as number]));
};

test("the tournament 1-final of cup, and the tournament final of cup-1, are both paid", async () => {
  await pay("cup", "1-final", "ann");
  await pay("cup-1", "final", "bob");
  expect(await wallets()).toEqual({ ann: 1_000, bob: 1_000 });
});
