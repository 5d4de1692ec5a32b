/**
 * On the Enterprise edition of a Firestore emulator of its own: queries find what they find on Standard, though there
 * equal documents come in no order, and searching an array in a number is an error. hidane has that edition; of Firebase's
 * own emulators the one that firebase-tools downloads, but not the Google Cloud SDK's, which ignores the wish.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, standingsPath, standingsSummaryPath } from "../../../functions/src/documents/paths.ts";
import * as queries from "../../../functions/src/documents/queries.ts";
import { findEmulator } from "../../../scripts/emulator.ts";
import { freePorts } from "../../../scripts/free-ports.ts";
import { becomesReady, launch } from "../../../scripts/launch.ts";
import { groupOf, kill } from "../../../scripts/processes.ts";
import { patienceMs } from "../../support/patience.ts";
import { allPages, allTime, createBoard, user, createWorld, type World } from "../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const boards = (["descending", "ascending"] as const).flatMap((order) =>
  (["first", "last"] as const).map((ties) => ({ order, ties })),
);

let enterprise: Awaited<ReturnType<typeof startEnterprise>>;
let world: World;
beforeAll(async () => {
  enterprise = await startEnterprise();
});
beforeEach(() => {
  // The client takes the address when it is made.
  vi.stubEnv("FIRESTORE_EMULATOR_HOST", enterprise.host);
  world = createWorld();
  vi.unstubAllEnvs();
});
afterAll(() => enterprise.stop());

/** firebase-tools starts it by `emulators.firestore.edition`. */
async function startEnterprise() {
  const emulator = await findEmulator();
  const { websocket, ...ports } = await freePorts(["firestore", "websocket", "hub", "logging"]);
  const folder = mkdtempSync(join(tmpdir(), "firerank-enterprise-"));
  const emulators: Record<string, object> = { ui: { enabled: false } };
  for (const [name, port] of Object.entries(ports)) emulators[name] = { host: "127.0.0.1", port };
  emulators["firestore"] = {
    ...emulators["firestore"],
    websocketPort: websocket,
    edition: "enterprise",
  };
  const config = join(folder, "firebase.json");
  writeFileSync(config, JSON.stringify({ firestore: { edition: "enterprise" }, emulators }));
  const log = join(folder, "emulators.log");
  const start = ["--project", "demo-enterprise", "--config", config, "--only", "firestore"];
  const child = launch(emulator, start, { cwd: folder, env: process.env, log });
  const stop = () => {
    if (child.pid !== undefined) kill(groupOf(child.pid));
    rmSync(folder, { recursive: true, force: true });
  };
  await becomesReady(child, log, { msMax: 4 * patienceMs() }).catch((error: unknown) => {
    stop();
    throw error;
  });
  return { emulator, host: `127.0.0.1:${ports["firestore"]}`, stop };
}

const idsOf = async (query: ReturnType<typeof queries.listedPlayers>) =>
  (await query.get()).docs.map(({ id }) => id);

test("the emulator is of that edition, unless it knows none", async () => {
  const { env, kind } = enterprise.emulator;
  await world.db.doc("things/number").set({ players: 1 });
  const url = `http://${enterprise.host}/v1/projects/${world.projectId}/databases/(default)/documents:runQuery`;
  const contains = { field: { fieldPath: "players" }, op: "ARRAY_CONTAINS", value: { stringValue: "ann" } };
  const structuredQuery = { from: [{ collectionId: "things" }], where: { fieldFilter: contains } };
  const { status } = await fetch(url, {
    method: "POST",
    headers: { Authorization: "Bearer owner" },
    body: JSON.stringify({ structuredQuery }),
  });
  // The Google Cloud SDK's emulator, and any other that is named by its path, may be without.
  const mayBeOld = kind === "official" && env["FIRESTORE_EMULATOR_BINARY_PATH"] !== undefined;
  expect(mayBeOld ? [200, 400] : [400]).toContain(status);
});

test("submit → publish → the rank, the top, a page and the neighbours", async () => {
  await createBoard(world, leaderboard);
  for (const [player, score] of Object.entries({ ann: 30, bob: 20, cat: 20, dan: 10 })) {
    await world.call("submitScore", { leaderboard, score }, user(player));
    await world.deliver(key, player);
    world.advance(1_000);
  }
  await world.publish(key);
  expect(await world.call("getRank", { leaderboard, player: "dan" }, anyone)).toMatchObject({ rank: 4 });
  const top = await world.call("getTop", { leaderboard }, anyone);
  expect(top.entries.map(({ player }) => player)).toEqual(["ann", "bob", "cat", "dan"]);
  const pages = await allPages((more) => world.call("getPage", { leaderboard, limit: 2, ...more }, anyone));
  const listed = pages.flatMap(({ entries }) => entries.map(({ player }) => player));
  expect(listed).toEqual(["ann", "bob", "cat", "dan"]);
  const around = await world.call("getAround", { leaderboard, player: "cat", above: 1, below: 1 }, anyone);
  expect(around.entries.map(({ player, rank }) => [player, rank])).toEqual([
    ["bob", 2],
    ["cat", 2],
    ["dan", 4],
  ]);
});

test.each(boards)(
  "equals come by their ids, and documents without a score or a time are left out: $order, $ties",
  async ({ order, ties }) => {
    const { db } = world;
    await createBoard(world, leaderboard, { order, ties });
    const time = Timestamp.fromMillis(5);
    const players: Record<string, object> = {
      a: { status: "active", score: 5, achieved_at: time },
      b: { status: "active", score: 5, achieved_at: time },
      c: { status: "active", score: 5, achieved_at: time },
      bare: { score: 5 },
      early: { status: "active", score: 5 },
      text: { status: "active", score: "5", achieved_at: time },
      unscored: { status: "active", achieved_at: time },
    };
    for (const [id, data] of Object.entries(players)) await db.doc(playerPath(key, id)).set(data);
    const inOrder = ties === "first" ? ["a", "b", "c"] : ["c", "b", "a"];
    const definition = { order, ties };
    const timed = queries.listedPlayers(db, key, definition, { timed: true });
    expect(await idsOf(timed)).toEqual(inOrder);
    const lists = await idsOf(queries.listedPlayers(db, key, definition));
    expect(lists.filter((id) => id !== "early")).toEqual(inOrder);
    expect(await idsOf(queries.listedPlayers(db, key, definition, { upwards: true }))).toEqual(
      lists.toReversed(),
    );
    await world.deliverAll(key);
    const complete = await idsOf(queries.listedPlayers(db, key, definition));
    expect(complete.toSorted()).toEqual(["a", "b", "bare", "c", "early"]);
    expect(await idsOf(timed)).toEqual(complete);
  },
);

test("the document of the final standings that has a player is found beside the summary", async () => {
  await world.db.doc(standingsPath(key, 0)).set({ players: ["ann", "bob"] });
  await world.db.doc(standingsPath(key, 1)).set({ players: ["cat"] });
  await world.db.doc(standingsSummaryPath(key)).set({ players: 3 });
  const { docs } = await queries.standingsWith(world.db, key, "cat").get();
  expect(docs.map(({ ref }) => ref.path)).toEqual([standingsPath(key, 1)]);
  expect((await queries.standingsWith(world.db, key, "eve").get()).empty).toBe(true);
});
