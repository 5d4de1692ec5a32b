/** One order, however a board is read: by offsets, by cursors, by walks from player to player. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Entry } from "../../../../functions/src/model/answers.ts";
import { FirerankError } from "../../../../functions/src/model/errors.ts";
import { skippedMax } from "../../../../functions/src/model/limits.ts";
import { skipsOfKnown } from "../../../../functions/src/reading/lists/offset.ts";
import { aroundPlayer, pageBehind, pageFrom } from "../../../../functions/src/reading/lists/lists.ts";
import type { Board } from "../../../../functions/src/seasons/board.ts";
import { seededRandom } from "../../../support/arbitraries.ts";
import { type Member, type Placed, placed, populateAndRank } from "../../../support/crowd.ts";
import { allTime, createBoard, createWorld, user, type World } from "../../../support/world.ts";

const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
const draw = (count: number) => Math.floor(random() * count);
const anyone = user("eve");

/** Ids that bytes, UTF-16 units and locales order differently. */
const letters = ["p", "P", "é", "\uff5e", "😀", "_"];

/** 40 % of the players with one score, an eighth each with three others, the rest nearly all different. */
function crowd(size: number): Member[] {
  const members: Member[] = [];
  for (let i = 0; i < size; i++) {
    const share = random();
    const score = share < 0.4 ? 500 : share < 0.775 ? 100 * (1 + draw(3)) : draw(40_000) / 4 - 2_000;
    members.push({
      id: `${letters[draw(letters.length)] ?? ""}${i}`,
      score,
      achievedMs: 1_700_000_000_000 + draw(size / 5),
    });
  }
  return members;
}

/**
 * The functions behind the callables are called with longer stretches than callers may request: the emulators scan the
 * whole collection for each query.
 */
const boards = [
  { leaderboard: "points", order: "descending", ties: "first", size: 10_000, stretch: 1_250 },
  { leaderboard: "times", order: "ascending", ties: "last", size: 4_000, stretch: 100 },
] as const;

describe.each(boards)("$size players, $order, ties $ties", ({ leaderboard, order, ties, size, stretch }) => {
  const key = allTime(leaderboard);
  let world: World;
  let board: Board;
  let all: Placed[];
  let lines: string[];
  beforeAll(async () => {
    world = createWorld();
    await createBoard(world, leaderboard, { order, ties });
    const members = crowd(size);
    await populateAndRank(world, key, members);
    board = await world.services.boards.load(key);
    all = placed(order, ties, members);
    lines = all.map(({ id, score, rank, position }) => lineOf(id, score, rank, position));
  });

  test("cursors list everybody in the order of a plain sort", async () => {
    let page = await pageFrom(world.services, board, 0, { limit: stretch, skips: skipsOfKnown });
    const found = [...page.entries];
    while (page.next_cursor !== undefined) {
      page = await pageBehind(world.services, board, page.next_cursor, { limit: stretch });
      found.push(...page.entries);
    }
    expect(found.map(lineOfEntry)).toEqual(lines);
    expect(found.map(isCertain)).toEqual(found.map((_, i) => i < stretch));
  });

  test("offsets list the same, except deep among equals, where they say how to continue", async () => {
    let refused = 0;
    for (let offset = 0; offset < size; offset += stretch) {
      const begins = (all[offset]?.rank ?? NaN) - 1;
      const asked = pageFrom(world.services, board, offset, { limit: stretch, skips: skipsOfKnown });
      if (offset - begins <= skippedMax) {
        expect((await asked).entries.map(lineOfEntry)).toEqual(lines.slice(offset, offset + stretch));
        continue;
      }
      refused += 1;
      const error = await asked.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(FirerankError);
      expect((error as FirerankError).message).toContain(`from ${begins} to ${begins + skippedMax} `);
    }
    expect(refused).toBeGreaterThan(1);
  });

  test("walks from player to player meet the same, downwards and upwards", async () => {
    const step = async (from: Entry | undefined, above: number, below: number) => {
      const player = from?.player ?? all[above === 0 ? 0 : size - 1]?.id ?? "";
      const { entries } = await aroundPlayer(world.services, { key, definition: board.definition }, player, {
        above,
        below,
      });
      const own = entries.findIndex((entry) => entry.player === player);
      return { above: entries.slice(0, own + 1), below: entries.slice(own) };
    };
    const down = (await step(undefined, 0, stretch)).below;
    while (down.length < size) down.push(...(await step(down.at(-1), 0, stretch)).below.slice(1));
    expect(down.map(lineOfEntry)).toEqual(lines);
    const up = (await step(undefined, stretch, 0)).above;
    while (up.length < size) up.unshift(...(await step(up[0], stretch, 0)).above.slice(0, -1));
    expect(up.map(lineOfEntry)).toEqual(lines);
    for (const { exact } of [...down, ...up]) expect(exact).toBeUndefined();
  });

  test("any player's neighbours, and any hundred players, have the same positions as in the whole list", async () => {
    for (let i = 0; i < 5; i++) {
      const at = draw(size);
      const [above, below] = [draw(51), draw(51)];
      const player = all[at]?.id ?? "";
      const { entries } = await world.call("getAround", { leaderboard, player, above, below }, anyone);
      expect(entries.map(lineOfEntry)).toEqual(lines.slice(Math.max(0, at - above), at + below + 1));
      const rank = await world.call("getRank", { leaderboard, player }, anyone);
      expect(entries.find((entry) => entry.player === player)?.rank).toBe(rank.rank);
    }
    const friends = Array.from({ length: 100 }, () => all[draw(size)]?.id ?? "");
    const { entries } = await world.call("getPlayers", { leaderboard, players: friends }, anyone);
    const expected = all.filter(({ id }) => friends.includes(id));
    expect(entries.map(({ player, rank }) => [player, rank])).toEqual(
      expected.map(({ id, rank }) => [id, rank]),
    );
    entries.forEach(({ position, position_exact: exact }, i) => {
      const own = expected[i]?.position ?? NaN;
      expect(position).toBeGreaterThan(entries[i - 1]?.position ?? 0);
      if (exact === undefined) expect(position).toBe(own);
      else expect(position).toBeLessThanOrEqual(own);
    });
  });
});

function lineOf(id: string, score: number, rank: number, position: number): string {
  return `${position}. ${id} ${score} #${rank}`;
}

function lineOfEntry({ player, score, rank, position }: Entry): string {
  return lineOf(player, score, rank, position);
}

function isCertain({ exact, position_exact: certain }: Entry): boolean {
  return exact === undefined && certain === undefined;
}
