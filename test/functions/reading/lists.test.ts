/** getAround, getPage and getPlayers, as apps call them. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import type { Entry } from "../../../functions/src/model/answers.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { allPages, admin, allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const leaderboard = "board";
const anyone = user("eve");

/** The clock is an hour slow, as the database's own times are compared with it. */
beforeEach(() => {
  world.advance(Date.now() - 3_600_000 - world.services.now());
});

async function play(player: string, score: number): Promise<void> {
  await world.call("submitScore", { leaderboard, score, display_name: player.toUpperCase() }, user(player));
  await world.deliver(key, player);
  world.advance(1_000);
}

const publish = () => world.publish(key);
const around = (player: string, asked: { above?: number; below?: number } = {}) =>
  world.call("getAround", { leaderboard, player, ...asked }, anyone);
const page = (asked: { offset?: number; cursor?: string; limit?: number } = {}) =>
  world.call("getPage", { leaderboard, ...asked }, anyone);
const friends = (...players: string[]) => world.call("getPlayers", { leaderboard, players }, anyone);

/** Player, rank and position of each line; `?` where a position, `~` where a rank is not certain. */
function lines({ entries }: { entries: Entry[] }): string[] {
  return entries.map(
    ({ player, rank, position, exact, position_exact: certain }) =>
      `${player} ${exact === false ? "~" : ""}${rank} ${position}${certain === false ? "?" : ""}`,
  );
}

describe("a board of seven with two ties", () => {
  beforeEach(async () => {
    await createBoard(world, leaderboard, { aggregation: "latest" });
    for (const [player, score] of Object.entries({ a: 90, b: 80, c: 80, d: 70, e: 60, f: 60, g: 50 })) {
      await play(player, score);
    }
    await publish();
  });

  test("pages by offset and by cursor list everybody once, equals in the order of their arrival", async () => {
    const all = ["a 1 1", "b 2 2", "c 2 3", "d 4 4", "e 5 5", "f 5 6", "g 7 7"];
    const guessed = all.map((line) => `${line}?`);
    expect(lines(await page())).toEqual(all);
    for (let limit = 1; limit <= 8; limit++) {
      const answers = await allPages((more) => page({ limit, ...more }));
      for (const answer of answers)
        expect(answer).toMatchObject({ players: 7, generation: 1, leaderboard, season: "all_time" });
      const found = answers.flatMap(lines);
      expect(found).toEqual([...all.slice(0, limit), ...guessed.slice(limit)]);
      for (let offset = 0; offset < 9; offset++) {
        const expected = offset === 0 ? all : guessed;
        expect(lines(await page({ offset, limit }))).toEqual(expected.slice(offset, offset + limit));
      }
    }
  });

  test("positions are certain in a list that counts from the best of all, as others may have come above the rest", async () => {
    const { next_cursor: cursor = "" } = await page({ limit: 6 });
    await play("new", 95);
    expect(lines(await page()).slice(6)).toEqual(["f 5 7", "g 7 8"]);
    expect(lines(await page({ offset: 6 }))).toEqual(["g 7 7?"]);
    expect(lines(await page({ cursor }))).toEqual(["g 7 7?"]);
    await play("a", 95);
    await publish();
    world.advance(10 * 60_000);
    expect(lines(await page({ offset: 1, limit: 1 }))).toEqual(["a 1 2"]);
  });

  test("a player stands among the neighbours, with positions that go on by one", async () => {
    expect(lines(await around("d", { above: 2, below: 2 }))).toEqual([
      "b 2 2?",
      "c 2 3?",
      "d 4 4?",
      "e 5 5?",
      "f 5 6?",
    ]);
    expect(lines(await around("a"))).toEqual(["a 1 1", "b 2 2", "c 2 3", "d 4 4", "e 5 5"]);
    expect(lines(await around("g", { above: 1 }))).toEqual(["f 5 6?", "g 7 7?"]);
    expect(lines(await around("f", { above: 0, below: 0 }))).toEqual(["f 5 6?"]);
    expect(lines(await around("f", { above: 1, below: 0 }))).toEqual(["e 5 5?", "f 5 6?"]);
  });

  test("if no player is named, the caller is meant", async () => {
    const own = await world.call("getAround", { leaderboard, above: 1, below: 0 }, user("d"));
    expect(lines(own)).toEqual(["c 2 3?", "d 4 4?"]);
  });

  test("friends come best first, once each, and without those who have no score", async () => {
    expect(lines(await friends("g", "nobody", "c", "a", "g"))).toEqual(["a 1 1?", "c 2 2?", "g 7 7?"]);
    expect(lines(await friends("c", "b"))).toEqual(["b 2 2?", "c 2 3?"]);
    expect(lines(await friends("nobody"))).toEqual([]);
  });

  test("hidden and banned players are in no list, and have no neighbours", async () => {
    await world.call("setPlayerStatus", { leaderboard, player: "b", status: "hidden" }, admin);
    await world.call("setPlayerStatus", { leaderboard, player: "e", status: "banned" }, admin);
    await world.deliver(key, "b", "e");
    await publish();
    world.advance(10 * 60_000);
    expect(lines(await page())).toEqual(["a 1 1", "c 2 2", "d 3 3", "f 4 4", "g 5 5"]);
    expect(lines(await friends("a", "b", "e", "f"))).toEqual(["a 1 1?", "f 4 4?"]);
    for (const player of ["b", "e", "nobody"]) {
      await expectRefusal(world, "player_not_ranked", () => around(player));
    }
  });

  test("entries are as of now, and their ranks never contradict the order", async () => {
    await play("g", 100);
    await play("a", 65);
    const now = await page();
    expect(lines(now)).toEqual(["g 1 1", "b 2 2", "c 2 3", "d 4 4", "a 5 5", "e 5 6", "f 5 7"]);
    expect(now.entries[0]).toMatchObject({ score: 100, display_name: "G" });
    expect(now.generation).toBe(1);
  });

  test("beyond the end a page is empty and still says how many players there are", async () => {
    for (const offset of [7, 8, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const end = await page({ offset });
      expect(end).toMatchObject({ entries: [], players: 7, generation: 1 });
      expect(end).not.toHaveProperty("next_cursor");
    }
  });

  test("a server's document that is not completed yet does not break lists", async () => {
    await world.db.doc(playerPath(key, "bare")).set({ score: 75 });
    await world.db.doc(playerPath(key, "text")).set({ score: "1000", status: "active", achieved_at: "now" });
    await world.db.doc(playerPath(key, "nan")).set({ score: NaN, status: "active", achieved_at: "now" });
    expect(lines(await page())).toHaveLength(7);
    expect(lines(await around("bare", { above: 1, below: 1 }))).toEqual(["c 2 3?", "bare 4 4?", "d 4 5?"]);
    expect(lines(await friends("bare", "text", "nan", "g"))).toEqual(["bare 4 4?", "g 7 7?"]);
    await expectRefusal(world, "player_not_ranked", () => around("text"));
  });
});

test("a cursor continues after a server's player with the longest possible id", async () => {
  await createBoard(world, leaderboard);
  await play("z", 1);
  for (const [i, character] of ["x", '"', "\u4e2d"].entries()) {
    const id = character.repeat(1_500 / Buffer.byteLength(character));
    const achieved = Timestamp.fromMillis(i);
    await world.db.doc(playerPath(key, id)).set({ score: 5, status: "active", achieved_at: achieved });
    await world.deliver(key, id);
  }
  await publish();
  const answers = await allPages((more) => page({ limit: 1, ...more }));
  expect(answers.flatMap(({ entries }) => entries.map(({ position }) => position))).toEqual([1, 2, 3, 4]);
});

test("metadata of a server's own document that is not JSON breaks neither lists nor the top", async () => {
  await createBoard(world, leaderboard);
  for (const [player, score] of Object.entries({ a: 3, b: 2 })) await play(player, score);
  const metadata = { worst: NaN, most: Infinity, friend: world.db.doc("users/b"), at: Timestamp.now(), n: 1 };
  await world.db.doc(playerPath(key, "a")).update({ metadata });
  await publish();
  const top = await world.call("getTop", { leaderboard }, anyone);
  for (const answer of [top, await page(), await around("b"), await friends("a", "b")]) {
    expect(answer.entries[0]).toMatchObject({
      player: "a",
      metadata: { worst: "NaN", most: "Infinity", n: 1 },
    });
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  }
});

test("a position is never certain if a player from before the publication is not counted yet", async () => {
  await createBoard(world, leaderboard);
  await play("best", 70);
  await play("middle", 60);
  await play("first", 50);
  // Written by a trusted server before the publication and counted after it: the player counted with 50 is another one,
  // who comes before.
  for (const [player, score] of Object.entries({ late: 60, later: 50 })) {
    const achieved = Timestamp.fromMillis(world.services.now() + score);
    await world.writeDirectly(key, player, { score, status: "active", achieved_at: achieved });
  }
  world.advance(1_000);
  await publish();
  // Truly "late" is third and "later" fifth of the list.
  expect(lines(await friends("later"))).toEqual(["later 3 3?"]);
  expect(lines(await friends("late", "later"))).toEqual(["late 2 2?", "later 3 3?"]);
  expect(lines(await around("first", { above: 1, below: 0 }))).toEqual(["late 2 2?", "first 3 3?"]);
  expect(lines(await around("first", { above: 9, below: 0 })).at(-1)).toBe("first 3 4");
});

test("a list never goes in circles at documents whose achieved_at is not a time", async () => {
  await createBoard(world, leaderboard);
  for (const [player, score] of Object.entries({ a: 3, b: 2, c: 2, d: 1 })) await play(player, score);
  await publish();
  const bad = [null, 7, "now", true, { at: 1 }, [1]];
  for (const [i, achieved] of bad.entries()) {
    const document = { score: i % 2 === 0 ? 2 : 1, status: "active", achieved_at: achieved };
    await world.db.doc(playerPath(key, `bad${i}`)).set(document);
  }
  expect((await page()).entries).toHaveLength(4 + bad.length);
  const answers = await allPages((more) => page({ limit: 1, ...more }));
  const found = answers.flatMap(({ entries }) => entries.map(({ player }) => player));
  expect(found).toEqual([...new Set(found)]);
  expect(found[0]).toBe("a");
  for (const i of bad.keys()) {
    const { entries } = await around(`bad${i}`);
    expect(entries.map(({ player }) => player)).toContain(`bad${i}`);
    expect((await friends(`bad${i}`)).entries).toMatchObject([{ player: `bad${i}`, position_exact: false }]);
  }
});

test("before the first publication lists are empty, and a player gets an error that says so", async () => {
  await createBoard(world, leaderboard);
  expect(await page()).toMatchObject({ entries: [], players: 0, generation: 0 });
  await play("a", 1);
  expect(await page()).toMatchObject({ entries: [], players: 0, generation: 0 });
  expect(await friends("a")).toMatchObject({ entries: [], generation: 0 });
  const error = await expectRefusal(world, "player_not_ranked", () => around("a"));
  expect(error.message).toContain("Nothing is ranked yet");
});
