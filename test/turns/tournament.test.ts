/**
 * A tournament from its opening to its final table, by the functions alone: calls, trigger, schedules and tasks. Beside
 * them runs the codebase of examples/events, whose trigger reacts to what they write.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { eventsPath, seasonPath, shardsPath } from "../../functions/src/documents/paths.ts";
import { startSchedule } from "../support/schedule.ts";
import { eventually, soon, useLive } from "../support/live.ts";

const live = useLive();
const scores = { ann: 7, bob: 9, cyd: 8, dan: 1 };

/** A server that stands for Discord's, and what it was sent. */
async function channel(): Promise<{ url: string; posts: string[] }> {
  const posts: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      posts.push((JSON.parse(body) as { content: string }).content);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts };
}

test("a tournament is opened, played, ranked and closed, its first three are paid, and a player is taken out of its table", async () => {
  const { leaderboard } = await live.board({ spans: [], ranking_interval_minutes: 0.05 });
  const cup = { leaderboard, season: "cup" };
  const [ann, bob, cyd, dan] = Object.keys(scores).map((name) => live.uid(name));
  const submit = async (name: string, score: number) =>
    (await live.as(name)).call("submitScore", { ...cup, score, display_name: name });
  const stored = async (field: string) => (await live.db.doc(seasonPath(cup)).get()).get(field) as unknown;
  const table = async () => {
    const { entries } = await live.admin.call("getPage", cup);
    return entries.map(({ player, rank, position }) => [player, rank, position]);
  };
  const { url, posts } = await channel();
  await live.db.doc(`discord_webhooks/${leaderboard}`).set({ url });
  await live.admin.call("openSeason", cup);
  const stopSchedule = startSchedule(1_000);
  let problems: string[];
  try {
    for (const [name, score] of Object.entries(scores))
      expect((await submit(name, score)).seasons).toMatchObject([{ season: "cup", span: "custom", score }]);
    await soon(() => stored("ranking.players")).toBe(4);
    await soon(table).toEqual([
      [bob, 1, 1],
      [cyd, 2, 2],
      [ann, 3, 3],
      [dan, 4, 4],
    ]);

    await live.admin.call("closeSeason", cup);
    const seasons = async () => (await live.admin.call("listSeasons", { leaderboard })).seasons;
    await soon(seasons).toMatchObject([{ season: "cup", status: "closed", players: 4 }]);
    await expect(submit("eve", 100)).rejects.toMatchObject({ details: { code: "season_closed" } });
    // What nobody reads any more goes, and no event that comes late brings it back.
    await soon(() => stored("cleared_at")).not.toBe(null);
    await soon(() => stored("end_due_at")).toBe(null);
    expect((await live.db.collection(shardsPath(cup)).get()).size).toBe(0);

    await eventually(async () => {
      const wallets = await live.db.getAll(
        ...[ann, bob, cyd, dan].map((player) => live.db.doc(`wallets/${player}`)),
      );
      expect(wallets.map((wallet) => wallet.get("coins") as unknown)).toEqual([250, 1_000, 500, undefined]);
      const lines = ["1. bob: 9", "2. cyd: 8", "3. ann: 7", "4. dan: 1"];
      expect(posts[0]?.split("\n")).toEqual([`**${leaderboard}, cup**, 4 players`, ...lines]);
      const events = await live.db.collection(eventsPath(leaderboard)).get();
      const lead = events.docs.find((event) => event.get("kind") === "lead_changed");
      expect((await live.db.doc(`pushed_events/${leaderboard}.${lead?.id}`).get()).exists).toBe(true);
    });

    await live.admin.call("removePlayer", { leaderboard, player: bob });
    await soon(table).toEqual([
      [cyd, 1, 1],
      [ann, 2, 2],
      [dan, 3, 3],
    ]);
    expect(await live.admin.call("getRank", { ...cup, player: dan })).toMatchObject({ rank: 3, exact: true });
  } finally {
    problems = await stopSchedule();
  }
  expect(problems).toEqual([]);
});
