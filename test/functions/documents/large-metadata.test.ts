/** A server's metadata may hold any value of Firestore, also a vector or references: a top has room for them, or leaves them out. */
import { expect, test } from "vitest";
import { FieldValue } from "@google-cloud/firestore";
import { countAll, playerFields, writePlayers } from "../../support/closing.ts";
import { allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("a hundred players, each with an embedding of 1,536 numbers, stop no publication", async () => {
  const key = allTime("board");
  await createBoard(world, "board");
  await world.call("submitScore", { leaderboard: "board", score: 5 }, user("ann"));
  const metadata = { embedding: FieldValue.vector(Array.from({ length: 1_536 }, (_, i) => i + 0.5)) };
  const players = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`p${i}`, playerFields(10 + i, i, { metadata })]),
  );
  await writePlayers(world, key, players);
  await countAll(world.services, key, Object.keys(players));
  expect((await world.publish(key)).outcome).toBe("published");
});

test("nor do a thousand players, each with references", async () => {
  const key = allTime("refs");
  await createBoard(world, "refs", { top_size: 1_000 });
  await world.call("submitScore", { leaderboard: "refs", score: 5 }, user("ann"));
  const clan = world.db.doc(`clans/${"c".repeat(200)}`);
  const metadata = { a: clan, b: clan, c: clan, d: clan, e: clan };
  const players = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, i) => [`p${i}`, playerFields(10 + i, i, { metadata })]),
  );
  await writePlayers(world, key, players);
  const ids = Object.keys(players);
  for (let i = 0; i < ids.length; i += 200) await countAll(world.services, key, ids.slice(i, i + 200));
  expect((await world.publish(key)).outcome).toBe("published");
});
