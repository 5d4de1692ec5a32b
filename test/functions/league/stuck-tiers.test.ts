/** Seats beside a tier whose newest group is damaged. */
import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { groupPath, playerStatusPath } from "../../../functions/src/documents/paths.ts";
import { grpc } from "../../../functions/src/world/retryable.ts";
import { watchCommits } from "../../support/commits.ts";
import { createLeague, doRefreshes, getLeague, play, presentWeek } from "../../support/league.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

test.each([99, 100])(
  "beside %i players who wait for a damaged group, those of other tiers get seats",
  async (waiting) => {
    await createLeague(world);
    const week = await presentWeek(world);
    await play(world, { ann: 1 });
    await world.db.doc(groupPath(week, "bronze-1")).update({ seats: "gone" });
    const until = Timestamp.fromMillis(world.services.now() - 7 * 86_400_000);
    const league = { tier: "silver", step: 1, until };
    await world.db.doc(playerStatusPath("board", "zed")).set({ league });
    for (let i = 0; i < waiting; i++) await world.submit(`b${String(i).padStart(3, "0")}`, i);
    await world.submit("zed", 5);
    for (let i = 0; i < 3; i++) {
      await doRefreshes(world).catch(() => undefined);
      world.advance(20_000);
      await getLeague(world, "zed");
    }
    await doRefreshes(world).catch(() => undefined);
    expect((await getLeague(world, "zed")).league?.tier).toBe("silver");
  },
);

test("a player whose seat could not be asked for is not told that it is too late", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ann: 1 });
  // A server's write asks for no seat; the player's own getLeague does.
  await world.writeDirectly(week, "bob", { score: 5, status: "active", achieved_at: Timestamp.now() });
  await world.deliver(week, "bob");
  let isDown = true;
  watchCommits(world, (writes, perform) =>
    isDown && writes.some(({ path }) => path.endsWith("players/bob"))
      ? Promise.reject(Object.assign(new Error("the database is not there"), { code: grpc.deadlineExceeded }))
      : perform(),
  );
  expect(await getLeague(world, "bob")).toMatchObject({ league: null, why: "seating" });
  isDown = false;
  world.advance(10_000);
  await getLeague(world, "bob");
  await doRefreshes(world);
  expect((await getLeague(world, "bob")).league?.players).toBe(2);
});
