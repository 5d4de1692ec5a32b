/** A failure after a score is recorded undoes nothing: the answer says what is recorded, and leaves out the rest. */
import { beforeEach, expect, test } from "vitest";
import { pagePath, playerPath } from "../../../functions/src/documents/paths.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { admin, allTime, createBoard, user } from "../../support/world.ts";

let world: RestWorld;
const key = allTime("board");
const stored = async (player: string) => (await world.db.doc(playerPath(key, player)).get()).data();

beforeEach(async () => {
  world = createRestWorld();
  await createBoard(world, "board", { aggregation: "sum" });
  await world.call("submitScore", { leaderboard: "board", score: 5 }, user("ann"));
  await world.deliver(key, "ann");
  await world.publish(key);
});

/** Ways in which a page may be damaged, by hand or by a fault of ours. */
const damages = {
  "no page of Firerank's": { from_score: 2 ** 53 - 1, until_score: null, hello: "world" },
  "a page whose rows are no list": { scores: "12", players_above: 3 },
  "a page without a time": { as_of: null },
};

test.each(Object.entries(damages))(
  "a score beside %s is recorded, and its rank is null",
  async (_, damage) => {
    const page = world.db.doc(pagePath(key, 0));
    await ("hello" in damage ? page.set(damage) : page.update(damage));
    const request = { leaderboard: "board", score: 7, submission_id: "one" };
    const one = await world.call("submitScore", request, user("bob"));
    expect(one.seasons).toMatchObject([{ score: 7, improved: true, rank: null }]);
    expect(await stored("bob")).toMatchObject({ score: 7, attempts: 1 });

    const submissions = [
      { player: "bob", score: 1 },
      { player: "cyd", score: 2 },
    ];
    const { results } = await world.call("submitScores", { leaderboard: "board", submissions }, admin);
    expect(results).toMatchObject([
      { player: "bob", seasons: [{ score: 8, rank: null }] },
      { player: "cyd", seasons: [{ score: 2, rank: null }] },
    ]);

    const body = { score: 3 };
    const response = await world.send("POST", "/v1/leaderboards/board/scores", { as: "dan", body });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ player: "dan", seasons: [{ score: 3, rank: null }] });

    expect(world.logged.filter(({ level }) => level === "error")).toMatchObject(
      ["bob", "bob", "cyd", "dan"].map((player) => ({
        message: "a score is recorded, but its rank could not be found out",
        fields: { leaderboard: "board", season: "all_time", player, cause: expect.any(String) as string },
      })),
    );
  },
);
