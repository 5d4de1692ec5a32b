/** What a trusted server writes into players' documents of a season that is closed: standings are final, in every call. */
import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { getAroundSpec } from "../../../functions/src/operations/get-around.ts";
import { getPageSpec } from "../../../functions/src/operations/get-page.ts";
import { getPlayersSpec } from "../../../functions/src/operations/get-players.ts";
import { getRankSpec } from "../../../functions/src/operations/get-rank.ts";
import { getResultsSpec } from "../../../functions/src/operations/get-results.ts";
import { getTopSpec } from "../../../functions/src/operations/get-top.ts";
import { auditSeasonSpec } from "../../../functions/src/operations/repair-season.ts";
import { setPlayerStatusSpec } from "../../../functions/src/operations/set-player-status.ts";
import { answer } from "../../../functions/src/operations/spec.ts";
import { createEnding, endSeason, expectFinal, playerFields } from "../../support/closing.ts";
import { admin, createWorld, user, type World } from "../../support/world.ts";

let world: World;
let key: SeasonKey;
const crowd = () =>
  Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => {
      const more = { display_name: `Player ${i}`, ...(i === 1 ? { metadata: { i } } : {}) };
      return [`p${i}`, playerFields(10 * (30 - i), i, more)];
    }),
  );
const write = (player: string, fields: object) =>
  world.db.doc(playerPath(key, player)).set(fields, { merge: true });

beforeEach(async () => {
  world = createWorld();
  key = await createEnding(world, "board", crowd(), { definition: { top_size: 10 } });
  await endSeason(world, key);
  await expectFinal(world, key);
});

/** What a trusted server must not do. */
async function meddle(): Promise<void> {
  await write("p1", { score: 9_999, display_name: "King", metadata: { i: 2 } });
  await write("p2", { score: 5 });
  await write("p3", { status: "hidden" });
  await write("p4", { achieved_at: Timestamp.fromMillis(0) });
  await write("new", playerFields(7_777, 1));
}

test("ranks, neighbours, friends, results, pages and top all say what the standings say", async () => {
  await meddle();
  const other = world.anotherInstance();
  for (const [i, player] of ["p0", "p1", "p2", "p3", "p4", "p5"].entries()) {
    const final = { rank: i + 1, score: 10 * (30 - i) };
    expect(await answer(getRankSpec, other, { ...key, player }, admin)).toMatchObject(final);
    const around = await answer(getAroundSpec, other, { ...key, player, above: 1, below: 1 }, admin);
    const own = around.entries.find((entry) => entry.player === player);
    expect(own).toMatchObject({ ...final, position: i + 1, display_name: `Player ${i}` });
    const { results } = await answer(getResultsSpec, other, { leaderboard: "board" }, user(player));
    expect(results).toMatchObject([final]);
  }
  const players = ["p5", "p4", "p3", "p2", "p1", "new", "p0"];
  const friends = await answer(getPlayersSpec, other, { ...key, players }, admin);
  const { entries } = await answer(getPageSpec, other, { ...key, limit: 6 }, admin);
  expect(entries.map(({ player }) => player)).toEqual(["p0", "p1", "p2", "p3", "p4", "p5"]);
  expect(entries[1]).toMatchObject({ display_name: "Player 1", metadata: { i: 1 } });
  expect(friends.entries.map(({ position_exact: _, ...entry }) => entry)).toEqual(entries);
  const refusal = { code: "player_not_ranked" };
  const stranger = { ...key, player: "new" };
  await expect(answer(getRankSpec, other, stranger, admin)).rejects.toMatchObject(refusal);
  await expect(answer(getAroundSpec, other, stranger, admin)).rejects.toMatchObject(refusal);
  // A revision publishes a top again.
  await world.call(setPlayerStatusSpec, { leaderboard: "board", player: "p0", status: "hidden" }, admin);
  const top = await answer(getTopSpec, other, key, admin);
  expect(top.entries.slice(0, 4)).toMatchObject([
    { player: "p1", rank: 1, score: 290, display_name: "Player 1", metadata: { i: 1 } },
    { player: "p2", rank: 2 },
    { player: "p3", rank: 3 },
    { player: "p4", rank: 4 },
  ]);
});

test("a full audit names how many are not what the standings say, and asks for no repair", async () => {
  const audit = (full: boolean) => world.call(auditSeasonSpec, { ...key, full }, admin);
  expect(await audit(true)).toMatchObject({
    repair: "none",
    found: { pages: [], convergence: { difference: 0, players: 0 } },
  });
  await meddle();
  await world.db.doc(playerPath(key, "p6")).delete();
  await write("other", playerFields(1, 1));
  const { bill, result } = await world.meter.measure(() => audit(true));
  expect(result).toMatchObject({
    repair: "none",
    found: {
      // p3 is hidden and p6 gone, and two are there who were not.
      convergence: {
        difference: 0,
        players: 5,
        examples: [
          { indexed: "290", should_be: "9999" },
          { indexed: "280", should_be: "5" },
          { indexed: "270", should_be: "nothing" },
          { indexed: "260", should_be: "260" },
          { indexed: "240", should_be: "nothing" },
        ],
      },
    },
  });
  expect(bill.reads).toBeLessThanOrEqual(30 + 20);
  expect(world.logged.at(-1)).toMatchObject({ level: "error", message: /final/ });
  expect(await audit(false)).toMatchObject({ found: { convergence: { difference: 0, players: null } } });
});

test("a rank costs one more read only if a trusted server has changed the player", async () => {
  await write("p2", { score: 5 });
  const other = world.anotherInstance();
  const rankOf = async (player: string) =>
    (await world.meter.measure(() => answer(getRankSpec, other, { ...key, player }, admin))).bill;
  await rankOf("p7");
  expect(await rankOf("p1")).toMatchObject({ reads: 1 });
  expect(await rankOf("p2")).toMatchObject({ reads: 2 });
});
