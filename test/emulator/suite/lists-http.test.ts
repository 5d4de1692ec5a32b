/** Lists as an app meets them: over HTTP, with everything between a submission and its rank running by itself. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnswerOf } from "../../../scripts/callable-client.ts";
import { codeOf, createLive, type Live } from "../../support/live.ts";

let live: Live;
beforeAll(async () => {
  live = await createLive();
});
afterAll(() => live.end());

test("an app shows the player's neighbours, pages through the board and lists friends", async () => {
  const board = await live.board({ aggregation: "latest" });
  const { leaderboard } = board;
  const asAnn = await live.as("ann");
  expect(await asAnn.call("getPage", { leaderboard })).toMatchObject({ entries: [], generation: 0 });
  await board.submit({ ann: 30, bob: 50, cyd: 30, dan: 10, eli: 40 });
  await expect(codeOf(asAnn.call("getAround", { leaderboard }))).resolves.toBe("player_not_ranked");
  await board.rank();
  await board.rankOf({ score: 1 }); // the memory of the functions is of that generation

  const name = (player: string) => player.slice(0, -live.uid("").length);
  const show = ({ entries }: Pick<AnswerOf<"getPage">, "entries">) =>
    entries.map(({ player, rank, position }) => `${name(player)} ${rank} ${position}`);
  expect(show(await asAnn.call("getAround", { leaderboard, above: 1, below: 1 }))).toEqual([
    "eli 2 2",
    "ann 3 3",
    "cyd 3 4",
  ]);
  const first = await asAnn.call("getPage", { leaderboard, limit: 2 });
  const next = await asAnn.call("getPage", { leaderboard, limit: 2, cursor: first.next_cursor });
  const rest = await asAnn.call("getPage", { leaderboard, offset: 4 });
  expect([first, next, rest].flatMap(show)).toEqual(["bob 1 1", "eli 2 2", "ann 3 3", "cyd 3 4", "dan 5 5"]);
  expect(rest).toMatchObject({ players: 5, generation: 1 });
  expect(rest).not.toHaveProperty("next_cursor");
  const players = ["dan", "bob", "nobody"].map((player) => live.uid(player));
  expect(show(await asAnn.call("getPlayers", { leaderboard, players }))).toEqual(["bob 1 1", "dan 5 5"]);
  await expect(codeOf(asAnn.call("getPage", { leaderboard, cursor: "damaged" }))).resolves.toBe(
    "invalid_request",
  );
});
