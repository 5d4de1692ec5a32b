/** A refresh that reads only what has changed shows what one shows that reads all players. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, shardsPath, topPath } from "../../../functions/src/documents/paths.ts";
import { listedPlayers } from "../../../functions/src/documents/queries.ts";
import { readTop } from "../../../functions/src/documents/top.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";
import { refreshWhenDue } from "../../../functions/src/groups/refresh.ts";
import { renewTop } from "../../../functions/src/top/keep-live.ts";
import type { TopRefreshRequest } from "../../../functions/src/world/tasks.ts";
import { holdTop } from "../../support/hold-top.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

type Fields = Record<string, unknown>;

const key = allTime("board");
const topSize = 20;
/** As they were read, with what every refresh reads: the document of the top. */
const whole = 1 + topSize + 1;
/** Each refresh is more than a minute after the one before. */
const board = 2;

const world = eachWorld();

const top = async () => readTop((await world.db.doc(topPath(key)).get()).data());

async function refresh(follows: TopRefreshRequest["follows"] = "change"): Promise<number> {
  world.advance(60_000);
  const dueAt = new Date(world.services.now()).toISOString();
  const request = { ...key, due_at: dueAt, follows };
  return (await world.bill(() => refreshWhenDue(world.services, request))).reads;
}

/** Does the refreshes that are asked for, each within a minute. */
async function refreshAsAsked(): Promise<void> {
  const asked = [...world.refreshes.values()];
  world.refreshes.clear();
  for (const { due_at: dueAt } of asked)
    expect(Date.parse(dueAt)).toBeLessThanOrEqual(world.services.now() + 60_000);
  for (const { follows } of asked) await refresh(follows);
}

/** What the top has to show, which nobody is billed for. */
async function best(): Promise<string[]> {
  const { definition } = await boardCacheOf(world.services).load(key);
  const { docs } = await listedPlayers(world.db, key, definition).limit(definition.top_size).get();
  return docs.map((player, at) => line(at + 1, player.id, player.get("score"), player.get("achieved_at")));
}
const line = (position: number, player: string, score: unknown, at: unknown) =>
  `${position}. ${player} ${String(score)} ${(at as Timestamp).toMillis()}`;

async function expectTop(): Promise<void> {
  const { entries } = await top();
  const shown = entries.map(({ position, player, score, achieved_at: at }) =>
    line(position, player, score, at),
  );
  expect(shown).toEqual(await best());
}

const submit = (player: string, score: number) => {
  world.advance(1);
  return world.call("submitScores", { leaderboard: "board", submissions: [{ player, score }] }, admin);
};

async function begin(definition: object = {}, count = 60, scoreOf = (i: number) => 1_000 - 10 * i) {
  await createBoard(world, "board", { aggregation: "latest", top_size: topSize, ...definition });
  const submissions = Array.from({ length: count }, (_, i) => ({ player: `p${i}`, score: scoreOf(i) }));
  await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  world.advance(60_000);
  await world.publish(key);
  await holdTop(world, key);
  world.advance(60_000);
  await boardCacheOf(world.services).load(key);
}

describe.each([
  ["a board", {}],
  ["a board with decimals", { decimals: 1 }],
])("on %s whose top is full", (_board, definition) => {
  beforeEach(() => begin(definition));
  /** Where others follow, the last entry is read again on a board with decimals. */
  const again = "decimals" in definition ? 1 : 0;

  test.each([
    ["a player who enters", "p40", 955, 1 + 1 + 1],
    ["a player who moves up", "p9", 955, 1 + 1 + 1 + 1],
    ["a player who leaves, and who follows", "p9", 5, 1 + 1 + 1 + 1 + again],
    ["a player who ties with the last", "p40", 810, 1 + 1 + 2],
    ["a player who goes below the others of the top", "p3", 805, 1 + 1 + 1 + 1 + again],
    ["a player who does not come up to it", "p40", 800, 1 + 1],
  ])("%s costs what it reads, and not the whole top", async (_, player, score, reads) => {
    await submit(player, score);
    expect(await refresh()).toBeLessThanOrEqual(board + reads);
    await expectTop();
    expect(await refresh("gate")).toBeLessThanOrEqual(board + reads);
    await expectTop();
  });

  test("a run may have published a change before the refresh comes", async () => {
    await submit("p40", 955);
    world.advance(60_000);
    await world.publish(key);
    await expectTop();
    await submit("p41", 945);
    await refresh();
    await expectTop();
  });

  test("two players who swap scores in one commit show, as all are read then", async () => {
    const submissions = [
      { player: "p3", score: 960 },
      { player: "p4", score: 970 },
    ];
    await world.call("submitScores", { leaderboard: "board", submissions }, admin);
    expect(await refresh()).toBe(board + 1 + whole);
    await expectTop();
  });

  test("nobody is listed twice whom a server has moved down to those who follow, before the event comes", async () => {
    await world.db.doc(playerPath(key, "p3")).update({ score: 805 });
    await submit("p9", 5);
    await refresh();
    await expectTop();
  });

  test("a server's score that another replaced before its event came goes within a minute of the event", async () => {
    const of = (await world.db.doc(playerPath(key, "p40")).get()).data();
    const first = await world.writeDirectly(key, "p40", { ...of, score: 985 });
    await refresh("names");
    expect((await top()).entries.map(({ player }) => player)).toContain("p40");
    const second = await world.writeDirectly(key, "p40", { ...of, score: 3 });
    for (const write of [first, second]) await world.follow(key, "p40", write);
    await submit("p41", 2);
    await refreshAsAsked();
    await expectTop();
  });

  test("so does one that goes down in two steps, each of which is counted with the event of the step before", async () => {
    const of = (await world.db.doc(playerPath(key, "p40")).get()).data();
    const write = async (score: number) => {
      const { counted } = (await world.db.doc(playerPath(key, "p40")).get()).data() ?? {};
      return world.writeDirectly(key, "p40", { ...of, counted: counted as unknown, score });
    };
    const first = await write(985);
    await refresh("names");
    const second = await write(3);
    await world.follow(key, "p40", first);
    // A shard in which both steps cancel out would tell that it does not name all.
    world.advance(20_000);
    const third = await write(4);
    for (const event of [second, third]) await world.follow(key, "p40", event);
    await refreshAsAsked();
    await expectTop();
  });

  describe.each([
    ["has hidden", (of: Fields): Fields => ({ ...of, status: "hidden" })],
    ["has given no status", ({ status: _, ...others }: Fields): Fields => others],
    ["has given a score that is none", (of: Fields): Fields => ({ ...of, score: "980" })],
    ["has moved down", (of: Fields): Fields => ({ ...of, score: 3 })],
  ])("a player whom a server %s, so that a top lacks the player,", (_, changed) => {
    test.each<[what: string, follow: (of: Fields) => Promise<unknown>]>([
      ["nothing", () => Promise.resolve()],
      ["the server's write of what was there", (of) => world.writeDirectly(key, "p2", of)],
      [
        "an admin's call",
        () => world.call("setPlayerStatus", { leaderboard: "board", player: "p2", status: "active" }, admin),
      ],
    ])("shows as the document says within a minute of the event, after %s", async (_what, follow) => {
      const of = (await world.db.doc(playerPath(key, "p2")).get()).data() ?? {};
      const write = await world.writeDirectly(key, "p2", changed(of));
      await refresh("names");
      expect((await top()).entries.map(({ player }) => player)).not.toContain("p2");
      await follow(of);
      await refreshAsAsked();
      await world.follow(key, "p2", write);
      await refreshAsAsked();
      await expectTop();
    });
  });

  test("nobody follows whose time is none, as in a top of which all players are read", async () => {
    await world.db.doc(playerPath(key, "p20")).update({ achieved_at: "noon" });
    await submit("p9", 5);
    await refresh();
    const { entries } = await top();
    await renewTop(world.services, await boardCacheOf(world.services).load(key));
    expect(entries).toEqual((await top()).entries);
  });

  test("a name is shown by a refresh for names, and stays", async () => {
    await world.call("setProfile", { leaderboard: "board", display_name: "Ann" }, user("p2"));
    expect(await refresh("names")).toBe(board + whole);
    await submit("p40", 955);
    await refresh();
    expect((await top()).entries.map(({ display_name: name }) => name ?? "").join("")).toBe("Ann");
    const { whole_at: wholeAt, as_of: asOf } = await top();
    expect(asOf.toMillis()).toBeGreaterThan(wholeAt?.toMillis() ?? NaN);
  });

  test.each<[why: string, spoil: () => Promise<unknown>]>([
    [
      "it is a week since all were read",
      () => world.db.doc(topPath(key)).update({ whole_at: Timestamp.fromMillis(0) }),
    ],
    [
      "an entry is missing",
      async () => world.db.doc(topPath(key)).update({ entries: (await top()).entries.slice(1) }),
    ],
    ["an entry is none", () => world.db.doc(topPath(key)).update({ entries: ["none"] })],
    [
      "a player's time is none",
      () => world.db.doc(playerPath(key, "p9")).update({ achieved_at: "noon", score: 955 }),
    ],
  ])("all players are read where %s", async (_, spoil) => {
    await submit("p40", 955);
    await spoil();
    expect(await refresh()).toBeGreaterThanOrEqual(whole);
  });

  test("all are read where much has changed, and then for a minute without a look at what has", async () => {
    for (let i = 0; i < 6; i++) {
      world.advance(10_000);
      await submit(`p${30 + i}`, 950 + i);
    }
    expect((await world.db.collection(shardsPath(key)).get()).size).toBe(6);
    expect(await refresh()).toBe(board + 6 + whole);
    world.advance(-1_000);
    expect(await refresh()).toBe(board + whole);
    await expectTop();
    expect(await refresh()).toBe(board + 6 + whole);
  });
});

test.each([
  ["first", {}],
  ["last", {}],
  ["first", { decimals: 0 }],
  ["last", { decimals: 0, order: "ascending" }],
] as const)("whatever players do, where of equals the %s leads, with %j", async (ties, definition) => {
  const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
  const pick = (count: number) => Math.floor(random() * count);
  await begin({ ties, ...definition }, 45, () => pick(30));
  let [reads, refreshes] = [0, 0];
  for (let step = 0; step < 60; step++) {
    const player = `p${pick(50)}`;
    const what = random();
    const isThere = (await world.db.doc(playerPath(key, player)).get()).exists;
    const status = what < 0.85 ? "hidden" : "active";
    if (what < 0.7 || !isThere) await submit(player, pick(30));
    else if (what < 0.97)
      await world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);
    else await world.call("removePlayer", { leaderboard: "board", player }, admin);
    if (random() < 0.3) await world.publish(key);
    if (random() < 0.5) continue;
    reads += await refresh(random() < 0.8 ? "change" : "gate");
    refreshes += 1;
    await expectTop();
  }
  expect(reads / refreshes).toBeLessThan(whole);
});

test.each([{}, { decimals: 0 }, { decimals: 0, order: "ascending" }])(
  "whatever servers write with %j, the top is right after the last of their events",
  async (definition) => {
    const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
    const pick = (count: number) => Math.floor(random() * count);
    const quarter = () => pick(160) / 4;
    await begin(definition, 40, () => pick(40));
    const events: (() => Promise<void>)[] = [];
    const earlier: Fields[] = [];
    const written = (of: Fields): Fields | undefined => {
      const { status: _, ...nameless } = of;
      const changed = [{ status: "hidden" }, { status: "active" }, { score: quarter() }, { score: "9" }];
      const made = changed.map((fields) => ({ ...of, ...fields }));
      return [...made, nameless, { score: quarter() }, earlier[pick(earlier.length)], undefined][pick(8)];
    };
    const act = [
      async (player: string, of: Fields = { score: quarter() }) => {
        // The copy of a first version looks like the first version.
        if (!JSON.stringify(of).includes('"new:')) earlier.push(of);
        const write = await world.writeDirectly(key, player, written(of));
        events.push(() => world.follow(key, player, write));
      },
      () => events.splice(pick(events.length), 1)[0]?.(),
      (player: string) => submit(player, pick(40)),
      async (player: string, of?: Fields) => {
        const status = (["active", "hidden"] as const)[pick(2)] ?? "active";
        if (of) await world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);
      },
      () => (pick(6) === 0 ? world.publish(key) : refresh(pick(2) === 0 ? "names" : "change")),
    ];
    for (let round = 0; round < 60; round++) {
      for (let step = 0; step < 8; step++) {
        // Few, so that writes of the same player follow each other.
        const player = `p${pick(2)}`;
        world.advance(1_000 * pick(5));
        await act[[0, 0, 1, 2, 3, 3, 4, 4][pick(8)] ?? 0]?.(
          player,
          (await world.db.doc(playerPath(key, player)).get()).data(),
        );
      }
      for (const follow of events.splice(0)) await follow();
      await refreshAsAsked();
      await expectTop();
    }
  },
);

describe("a score that a server has written and no event has rounded", () => {
  beforeEach(() => begin({ decimals: 0 }));
  const write = async (player: string, fields: Fields) => {
    await world.db.doc(playerPath(key, player)).update(fields);
    await refresh("names");
  };
  const expectAsWhole = async () => {
    await refresh();
    const { entries } = await top();
    await renewTop(world.services, await boardCacheOf(world.services).load(key));
    expect(entries).toEqual((await top()).entries);
  };

  test.each([949.5, 950.4])("stays in the top when another reaches its step: %d", async (score) => {
    await write("p5", { score });
    await submit("p40", 950);
    await expectAsWhole();
  });

  test("keeps nobody out of the top who has the same step and follows", async () => {
    await submit("p20", 810);
    await write("p19", { score: 810.4, achieved_at: Timestamp.fromMillis(world.services.now() + 1_000) });
    expect((await top()).entries.map(({ player }) => player)).not.toContain("p20");
    world.advance(120_000);
    await world.publish(key);
    await submit("p9", 5);
    await expectAsWhole();
    expect((await top()).entries.map(({ player }) => player)).toContain("p20");
  });
});

test("all are read of a top that has left metadata out", async () => {
  await createBoard(world, "board", { aggregation: "latest", top_size: 1_000 });
  for (const from of [0, 500]) {
    const submissions = Array.from({ length: 500 }, (_, i) => ({
      player: `p${from + i}`,
      score: 10_000 - from - i,
      metadata: { car: "x".repeat(950) },
    }));
    await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  }
  world.advance(60_000);
  await world.publish(key);
  await submit("p3", 9_999.5);
  expect(await refresh()).toBeGreaterThanOrEqual(1_000);
});

test("a board with fewer players than the top has", async () => {
  await begin({ top_size: 100 }, 40);
  await submit("p40", 955);
  expect(await refresh()).toBeLessThanOrEqual(6);
  await submit("p3", 5);
  expect(await refresh()).toBeLessThanOrEqual(8);
  await expectTop();
  await renewTop(world.services, await boardCacheOf(world.services).load(key));
  await expectTop();
});

test("after other `ties` were saved, all are read: in the order of before those who follow have another place", async () => {
  // Of twenty, the last one listed is one of ten with an equal score.
  await begin({}, 40, (i) => (i < 19 ? 1_000 - 10 * i : i < 29 ? 500 : 400 - i));
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { ties: "last" } }, admin);
  world.advance(2 * 60_000);
  await submit("p0", 1);
  expect(await refresh()).toBeGreaterThanOrEqual(whole);
  await expectTop();
  await submit("p1", 1);
  expect(await refresh()).toBeLessThan(whole);
  await expectTop();
});
