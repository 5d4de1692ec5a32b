/** The examples of triggers, with real events in a real Firestore; a local server stands in for FCM and Discord. The simulation kills the payer. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EventDocument } from "../../../examples/events/event.ts";
import { postFinalTop } from "../../../examples/events/discord.ts";
import { pushToLeader } from "../../../examples/events/push.ts";
import { payRewards, prizeOf } from "../../../examples/events/rewards.ts";
import { eventsPath } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();
const season = "weekly-2099-W53";

/** A weekly season of players `p0` and on, the first one the best, that has closed; and its events, by kind. */
async function closedWeek(leaderboard: string, size: number, at = world) {
  const players = Object.fromEntries(
    Array.from({ length: size }, (_, i) => [`p${i}`, playerFields(1_000 - i, i, { display_name: `P ${i}` })]),
  );
  const key = await createEnding(at, leaderboard, players, { season, begun: { span: "weekly" } });
  await endSeason(at, key);
  const { docs } = await at.db.collection(eventsPath(leaderboard)).get();
  const found = (kind: string) => {
    const document = docs.find((one) => one.get("kind") === kind);
    if (document === undefined) throw new Error(`there is no event ${kind}`);
    return { id: document.id, event: document.data() as EventDocument };
  };
  return { closed: found("season_closed").event, lead: found("lead_changed") };
}

async function wallets({ db } = world): Promise<Record<string, number>> {
  const { docs } = await db.collection("wallets").get();
  return Object.fromEntries(docs.map((wallet) => [wallet.id, wallet.get("coins") as number]));
}

describe("rewards", () => {
  const prizes = { p0: 1_000, p1: 500, p2: 250, p3: 50, p4: 50 };

  test("the first three and the top 10 % are paid once, however often the event comes", async () => {
    const { closed } = await closedWeek("board", 45);
    await Promise.all([payRewards(world.db, closed), payRewards(world.db, closed)]);
    await payRewards(world.db, closed);
    expect(await wallets()).toEqual(prizes);
    expect((await world.db.collection("payments").get()).size).toBe(5);
    expect([1, 3, 4, 100, 101].map((position) => prizeOf(position, 1_000))).toEqual([1_000, 250, 50, 50, 0]);
  });

  test("costs what its docstring says", async () => {
    const { closed } = await closedWeek("board", 45);
    const first = await world.meter.measure(() => payRewards(world.db, closed));
    expect(first.bill).toMatchObject({ reads: 2 + 1 + 5, writes: 2 + 1 + 2 * 5 });
    const again = await world.meter.measure(() => payRewards(world.db, closed));
    expect(again.bill).toMatchObject({ reads: 2, writes: 0 });
  });
});

/** A server that answers with the given statuses in turn, and records its requests. */
async function standIn(...statuses: number[]) {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(JSON.parse(body) as Record<string, unknown>);
      response.writeHead(statuses.shift() ?? 200).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

test("the new leader is notified on each device, at most once, and dead tokens are removed", async () => {
  const { lead } = await closedWeek("board", 3);
  for (const token of ["old", "phone"]) await world.db.doc(`users/p0/devices/${token}`).set({});
  const { url, bodies } = await standIn(404, 200);
  const fcm = { url: () => url, accessToken: () => Promise.resolve("token") };
  const push = () => pushToLeader(world.db, fcm, lead.id, lead.event);
  await push();
  await push();
  expect(bodies).toMatchObject([{ message: { token: "old" } }, { message: { token: "phone" } }]);
  const devices = await world.db.collection("users/p0/devices").listDocuments();
  expect(devices.map(({ id }) => id)).toEqual(["phone"]);
});

test("Discord gets the final top, and the request is repeated if it refuses", async () => {
  const { closed } = await closedWeek("board", 12);
  const { url, bodies } = await standIn(429, 204);
  await postFinalTop(world.db, closed); // the board has no channel
  await world.db.doc("discord_webhooks/board").set({ url });
  await expect(postFinalTop(world.db, closed)).rejects.toThrow("HTTP 429");
  await postFinalTop(world.db, closed);
  const lines = String(bodies[1]?.["content"]).split("\n");
  expect(lines).toHaveLength(11);
  expect(lines.slice(0, 2)).toEqual([`**board, ${season}**, 12 players`, "1. P 0: 1000"]);
});
