/** The model of a league's year against the real code, in a database in memory. */
import { expect, test } from "vitest";
import { groupsPath } from "../../functions/src/documents/paths.ts";
import { readGroup, seatOwner } from "../../functions/src/documents/group.ts";
import { leagueSchema } from "../../functions/src/model/league.ts";
import {
  createLeague,
  doRefreshes,
  endWeek,
  presentWeek,
  smallLeague,
  standingOf,
} from "../../test/support/league.ts";
import { createWorld, user, type World } from "../../test/support/world.ts";
import { type Act, courseOf, type Wave } from "./course.ts";
import { counting, nobody, playYear } from "./year.ts";

const hourMs = 3_600_000;
const opensAtMs = Date.parse("2100-01-04T00:00:00Z");
const inactive = { weeks: 2, then: "demote" } as const;

/** Does what is done at one hour, a millisecond apart, and gives the seats that are asked for. */
async function performAll(world: World, openedAtMs: number, { hour, acts }: Wave): Promise<void> {
  for (const [i, act] of acts.entries()) {
    world.advance(openedAtMs + hour * hourMs + i - world.services.now());
    await performOne(world, act);
  }
  await doRefreshes(world);
}

function performOne(world: World, act: Act): Promise<unknown> {
  const leaderboard = "board";
  if (act.kind === "score") return world.submit(act.player, act.score);
  const caller = user(act.player);
  if (act.kind === "takes part")
    return world.call("setProfile", { leaderboard, league: act.takesPart }, caller);
  const token = world.accounts.addGuest(act.guest);
  return world.call("mergeGuest", { leaderboard, guest_token: token }, caller);
}

test("the model and the real code agree on each seat and outcome of ten weeks", async () => {
  const world = createWorld();
  await createLeague(world, { inactive }, counting);
  world.advance(opensAtMs - world.services.now());
  const league = leagueSchema.parse({ ...smallLeague, inactive });
  const course = courseOf({ players: 72, ofEachTrick: 2, arrivals: 6, seed: 3 });
  const seen = { up: 0, stayed: 0, down: 0 };
  let week = 0;
  for (const { waves, groups, outcomes, tiers } of playYear({ league, course, weeks: 10, opensAtMs })) {
    const openedAtMs = opensAtMs + week++ * 168 * hourMs;
    for (const wave of waves) await performAll(world, openedAtMs, wave);
    const key = await presentWeek(world);
    const { docs } = await world.db.collection(groupsPath(key)).get();
    const owners = docs.map((document) => {
      const { seats = {}, seated = 0 } = readGroup(document) ?? {};
      return [document.id, Array.from({ length: seated }, (_, i) => seats[`s${i + 1}`]?.of)];
    });
    const ownersOf = (players: string[]) =>
      players.map((player) => (player === nobody ? "" : seatOwner(key, player)));
    expect(Object.fromEntries(owners)).toEqual(
      Object.fromEntries(Object.entries(groups).map(([id, players]) => [id, ownersOf(players)])),
    );
    await endWeek(world, key);
    for (const [player, tier] of tiers) {
      const standing = await standingOf(world, player);
      expect([player, standing.tier, standing.outcomes?.[key.season]]).toEqual([
        player,
        tier,
        outcomes.has(player) ? expect.objectContaining(outcomes.get(player) ?? {}) : undefined,
      ]);
    }
    for (const { from, to } of outcomes.values()) {
      const steps =
        league.tiers.findIndex(({ id }) => id === to) - league.tiers.findIndex(({ id }) => id === from);
      seen[steps > 0 ? "up" : steps < 0 ? "down" : "stayed"]++;
    }
  }
  expect(week).toBe(10);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
