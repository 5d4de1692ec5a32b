/** A tournament from its opening to its final table, by the functions alone: calls, trigger, schedules and tasks. */
import { expect, test } from "vitest";
import { seasonPath, shardsPath } from "../../functions/src/documents/paths.ts";
import { addressesIn } from "../../scripts/callable-client.ts";
import { startClock } from "../../scripts/clock.ts";
import { useLive, eventually, soon } from "../support/live.ts";

const live = useLive();

test("a tournament is opened, played, closed and looked at, and a player is taken out of its table", async () => {
  const { leaderboard } = await live.board({ spans: [], ranking_interval_minutes: 0.05 });
  const cup = { leaderboard, season: "cup" };
  const submit = async (name: string, score: number) =>
    (await live.as(name)).call("submitScore", { ...cup, score });
  const seasonNow = async () => (await live.admin.call("listSeasons", { leaderboard })).seasons[0];
  const table = async () => {
    const { entries, players } = await live.admin.call("getPage", cup);
    return { players, ranks: entries.map(({ player, rank, position }) => [player, rank, position]) };
  };
  await live.admin.call("openSeason", cup);
  const problems: string[] = [];
  const { functions } = addressesIn(process.env);
  const clock = startClock(functions, 1_000, (problem) => problems.push(problem));
  try {
    for (const [name, score] of [
      ["ann", 5],
      ["bob", 9],
      ["cyd", 5],
      ["dan", 1],
    ] as const)
      expect((await submit(name, score)).seasons).toMatchObject([{ season: "cup", span: "custom", score }]);
    await live.admin.call("closeSeason", cup);
    await soon(seasonNow).toMatchObject({ season: "cup", status: "closed", players: 4 });
    await expect(submit("eve", 100)).rejects.toMatchObject({ details: { code: "season_closed" } });
    const [ann, bob, cyd, dan] = ["ann", "bob", "cyd", "dan"].map((name) => live.uid(name));
    expect(await table()).toEqual({
      players: 4,
      ranks: [
        [bob, 1, 1],
        [ann, 2, 2],
        [cyd, 2, 3],
        [dan, 4, 4],
      ],
    });
    // What nobody reads any more goes, and no event that comes late brings it back.
    await eventually(async () => {
      const season = await live.db.doc(seasonPath(cup)).get();
      expect(season.get("cleared_at")).not.toBe(null);
      expect(season.get("end_due_at")).toBe(null);
    });
    expect((await live.db.collection(shardsPath(cup)).get()).size).toBe(0);

    await live.admin.call("removePlayer", { leaderboard, player: bob });
    await soon(table).toEqual({
      players: 3,
      ranks: [
        [ann, 1, 1],
        [cyd, 1, 2],
        [dan, 3, 3],
      ],
    });
    expect(await live.admin.call("getRank", { ...cup, player: dan })).toMatchObject({ rank: 3, exact: true });
  } finally {
    await clock.stop();
  }
  expect(problems).toEqual([]);
});
