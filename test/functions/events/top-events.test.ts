/** The events of a board's top: players who have entered it by a score, and a new leader. */
import { beforeEach, describe, expect, test } from "vitest";
import { type BoardEvent, boardEvent } from "../../../functions/src/documents/event.ts";
import { eventsPath } from "../../../functions/src/documents/paths.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { renewTop } from "../../../functions/src/top/keep-live.ts";
import { admin, allTime, createBoard, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const key = allTime("board");
const submit = async (player: string, score: number) => {
  await world.call("submitScore", { leaderboard: "board", score }, user(player));
  await world.deliver(key, player);
};
const run = () => world.publish(key);
const refresh = async () => renewTop(world.services, await boardCacheOf(world.services).load(key));
const remove = (player: string) => world.call("removePlayer", { leaderboard: "board", player }, admin);

async function all(): Promise<BoardEvent[]> {
  const { docs } = await world.db.collection(eventsPath("board")).get();
  return docs.map((document) => boardEvent.parse(document.data())).filter((event) => "players" in event);
}

/** The events since the last check, in words. */
let heard: Set<string>;
async function news(): Promise<string[]> {
  const { docs } = await world.db.collection(eventsPath("board")).get();
  const fresh = docs.filter(({ id }) => !heard.has(id));
  for (const { id } of fresh) heard.add(id);
  return fresh.flatMap((document) => {
    const event = boardEvent.parse(document.data());
    if (event.kind === "top_entered")
      return [`${event.entrants.map(({ player, position }) => `${player} ${position}`).join(", ")} entered`];
    if (event.kind !== "lead_changed") return [];
    return [`${event.before?.player ?? "nobody"} ${event.reason} by ${event.leader?.player ?? "nobody"}`];
  });
}

async function begin(definition: Partial<Definition> = {}): Promise<void> {
  await createBoard(world, "board", { top_size: 2, aggregation: "latest", ...definition });
  for (const [player, score] of Object.entries({ ann: 30, bob: 20, cyd: 10 })) await submit(player, score);
  await run();
}

beforeEach(() => {
  heard = new Set();
});

describe("a new top", () => {
  beforeEach(async () => {
    await begin();
    await news();
  });

  test("after a longer list or a repair has no events", async () => {
    const definition = { top_size: 10, aggregation: "latest" } as const;
    await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
    await refresh();
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    expect(await news()).toEqual([]);
    await submit("zoe", 1);
    await refresh();
    expect(await news()).toEqual(["zoe 4 entered"]);
  });

  test("costs a write for each event and no read", async () => {
    const bill = async () => await world.bill(refresh);
    expect(await bill()).toEqual({ reads: 1 + 2 + 1, writes: 1, deletes: 0 });
    await submit("cyd", 25);
    expect(await bill()).toEqual({ reads: 1 + 2 + 1, writes: 1 + 1, deletes: 0 });
    await submit("zoe", 50);
    expect(await bill()).toEqual({ reads: 1 + 2 + 1, writes: 1 + 2, deletes: 0 });
    await submit("bob", 60);
    const { result: record, bill: spent } = await world.meter.measure(run);
    expect(record.billed).toEqual(spent);
    expect(spent.writes).toBe(1 + 3 + 2);
  });
});

test("a player who is removed is in no event any more, and removal causes no entries", async () => {
  await begin();
  await submit("cyd", 40);
  await refresh();
  world.advance(1);
  await remove("ann");
  await remove("cyd");
  expect(JSON.stringify(await all())).not.toMatch(/ann|cyd/);
  expect((await all()).length).toBeGreaterThan(3);
  await remove("bob");
  expect(JSON.stringify(await all())).not.toContain("bob");
  await run();
  const { bill } = await world.meter.measure(() => remove("nobody"));
  // The season, found by two lists, its three parts that may have the player, a last look, and the events; the private
  // groups; and what keeps the player out.
  expect(bill).toEqual({ reads: 2 + 3 + 2 + 1 + 1, writes: 1, deletes: 1 });
});

test("a board without these events reads and writes nothing for them", async () => {
  await begin({ events: ["season_closed"] });
  await submit("zoe", 50);
  expect(await world.bill(refresh)).toEqual({ reads: 1 + 2 + 1, writes: 1, deletes: 0 });
  expect(await all()).toEqual([]);
});
