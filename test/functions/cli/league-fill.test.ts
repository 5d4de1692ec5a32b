/** `firerank league-fill`: invented members in a league, so that its groups and zones are there to look at. */
import { expect, test } from "vitest";
import { fillLeague, filledSummary } from "../../../cli/league-fill.ts";
import type { Given } from "../../support/definitions.ts";
import { createLeague, getLeague, groupsOf, play, presentWeek, toEndOf } from "../../support/league.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";

/** Fills the league with numbers that look random. */
async function fill(players: number, seed = 7) {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const shown: string[] = [];
  const stream = { isTTY: false, write: (text: string) => shown.push(text) > 0 };
  return {
    filled: await fillLeague(world.services, { leaderboard, players, random, stream }),
    shown: shown.join(""),
  };
}

test("each tier gets as many members, in groups with zones, and a player of the board sits among them", async () => {
  await createLeague(world);
  const { filled, shown } = await fill(126);
  expect(filled).toMatchObject({ isSeated: true, isInTime: true });
  expect(filled.tiers).toEqual([
    { name: "Bronze", groups: 9, members: 42 },
    { name: "Silver", groups: 9, members: 42 },
    { name: "Gold", groups: 9, members: 42 },
  ]);
  expect(shown).toContain("100 %  126 of 126 players");
  const week = await presentWeek(world);
  for (const { seats, league } of (await groupsOf(world, week)).values()) {
    expect(Object.keys(seats).length).toBeLessThanOrEqual(league?.size ?? 0);
    for (const { score } of Object.values(seats)) expect(score).toBeGreaterThanOrEqual(0);
  }
  await play(world, { ann: 2_000 });
  const { league } = await getLeague(world, "ann");
  expect(league).toMatchObject({ tier: "bronze", place: 1, players: 3 });
  expect(filledSummary(leaderboard, filled)).toBe(
    `"board" in ${week.season}, the lowest tier first:\n` +
      ["Bronze", "Silver", "Gold"].map((tier) => `  ${tier.padEnd(12)} 9 groups, 42 members`).join("\n"),
  );
});

test("a second fill adds others, also when first scores get no seat any more, and says so", async () => {
  await createLeague(world);
  await fill(15);
  const week = await presentWeek(world);
  await toEndOf(world, week, -3_600_000);
  const { filled } = await fill(15, 8);
  expect(filled.tiers.map(({ members }) => members)).toEqual([10, 10, 10]);
  expect(filled.isInTime).toBe(false);
  expect(filledSummary(leaderboard, filled)).toContain("joins_until_hours: 168");
});

test("while the week before is not settled, the members wait, and the summary says until when", async () => {
  await createLeague(world);
  await fill(15);
  await toEndOf(world, await presentWeek(world), 60_000);
  const { filled } = await fill(15, 8);
  expect(filled).toMatchObject({ isSeated: false, isInTime: true });
  expect(filled.tiers.map(({ members }) => members)).toEqual([0, 0, 0]);
  expect(filledSummary(leaderboard, filled)).toContain("until the week before is settled");
});

test.each<[string, Given, (score: number) => boolean]>([
  ["limits", { min_score: -20, max_score: -10 }, (score) => score >= -20 && score <= -10],
  [
    "limits between two whole numbers",
    { min_score: 0.2, max_score: 0.6 },
    (score) => score >= 0.2 && score <= 0.6,
  ],
  ["a best score that is possible", { max_score: 5 }, (score) => score <= 5],
  ["columns", { columns: [{ name: "points", min: 3, max: 9 }] }, (score) => score >= 0 && score <= 6],
])("scores respect %s", async (_, definition, fits) => {
  await createLeague(world, {}, definition);
  await fill(30);
  const groups = await groupsOf(world, await presentWeek(world));
  const scores = [...groups.values()].flatMap(({ seats }) =>
    Object.values(seats).map(({ score }) => score ?? NaN),
  );
  expect(scores).toHaveLength(30);
  expect(scores.filter((score) => !fits(score))).toEqual([]);
});

test("a board without a league is refused with a sentence", async () => {
  await createBoard(world, leaderboard, { spans: ["weekly"] });
  await expect(fill(5)).rejects.toThrow('"board" has no league');
});
