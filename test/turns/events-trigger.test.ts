/**
 * examples/events as a codebase beside Firerank's: its trigger reacts to what the functions write, and its handlers
 * act.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { eventsPath } from "../../functions/src/documents/paths.ts";
import { addressesIn } from "../../scripts/callable-client.ts";
import { startClock } from "../../scripts/clock.ts";
import { useLive, eventually } from "../support/live.ts";

const live = useLive();

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
  onTestFinished(() => {
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts };
}

test("the first three of a tournament are paid, its leader gets a message, and its channel a message about the end", async () => {
  const { leaderboard } = await live.board({ spans: [], ranking_interval_minutes: 0.05 });
  const cup = { leaderboard, season: "cup" };
  const { url, posts } = await channel();
  await live.db.doc(`discord_webhooks/${leaderboard}`).set({ url });
  await live.admin.call("openSeason", cup);
  const scores = { ann: 7, bob: 9, cyd: 8, dan: 1 };
  for (const [name, score] of Object.entries(scores))
    await (await live.as(name)).call("submitScore", { ...cup, score, display_name: name });
  await live.admin.call("closeSeason", cup);
  const clock = startClock(addressesIn(process.env).functions, 1_000);
  try {
    await eventually(async () => {
      const wallets = await live.db.getAll(
        ...Object.keys(scores).map((name) => live.db.doc(`wallets/${live.uid(name)}`)),
      );
      expect(wallets.map((wallet) => wallet.get("coins") as unknown)).toEqual([250, 1_000, 500, undefined]);
      expect(posts[0]?.split("\n")).toEqual([
        `**${leaderboard}, cup**, 4 players`,
        "1. bob: 9",
        "2. cyd: 8",
        "3. ann: 7",
        "4. dan: 1",
      ]);
      const events = await live.db.collection(eventsPath(leaderboard)).get();
      const lead = events.docs.find((event) => event.get("kind") === "lead_changed");
      expect((await live.db.doc(`pushed_events/${leaderboard}-${lead?.id}`).get()).exists).toBe(true);
    });
  } finally {
    await clock.stop();
  }
});
