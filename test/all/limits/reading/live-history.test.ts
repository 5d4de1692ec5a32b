/**
 * Random histories of a board, asked by several instances at any time: whatever is said to be exact is what a sort of all
 * players at its time says, and all bounds contain that. The limits are small, so that rows are merged.
 */
import { expect, test, vi } from "vitest";
import { Timestamp } from "../../../../functions/src/documents/firestore.ts";
import { playersPath } from "../../../../functions/src/documents/paths.ts";
import type { Entry, Rank } from "../../../../functions/src/model/answers.ts";
import { liveMsMax } from "../../../../functions/src/model/limits.ts";
import type { Order } from "../../../../functions/src/model/score.ts";
import { getAroundSpec } from "../../../../functions/src/operations/get-around.ts";
import { getPageSpec } from "../../../../functions/src/operations/get-page.ts";
import { getPlayersSpec } from "../../../../functions/src/operations/get-players.ts";
import { getRankSpec } from "../../../../functions/src/operations/get-rank.ts";
import { setPlayerStatusSpec } from "../../../../functions/src/operations/set-player-status.ts";
import { answer } from "../../../../functions/src/operations/spec.ts";
import { submitScoreSpec } from "../../../../functions/src/operations/submit-score.ts";
import { publishRanking } from "../../../../functions/src/ranking/run.ts";
import { seededRandom } from "../../../support/arbitraries.ts";
import { admin, allTime, createBoard, createWorld, user, type World } from "../../../support/world.ts";

vi.mock("../../../../functions/src/model/limits.ts", async (original) => {
  const small = { rowsPerPageMax: 4, pagesMax: 4, rowsMax: 16, rowBoundMax: 0.5 };
  return { ...(await original<object>()), ...small };
});

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
const pick = <Thing>(things: readonly Thing[]): Thing =>
  things[Math.floor(random() * things.length)] as Thing;
const score = () => Math.floor(60 * random()) + pick([0, 0.5]);

/** The scores of all who are ranked at a read time, as their documents say. */
async function scoresAt({ db }: World, readTime: Timestamp): Promise<number[]> {
  const { docs } = await db.runTransaction(
    (transaction) => transaction.get(db.collection(playersPath(key)).where("status", "==", "active")),
    { readOnly: true, readTime },
  );
  return docs.map((player) => player.get("score") as number);
}

function expectTrue(order: Order, scores: readonly number[], place: Place, what: string): void {
  const better = scores.filter((other) =>
    order === "descending" ? other > place.score : other < place.score,
  );
  const truth = 1 + better.length;
  if (place.exact) expect(place.rank, what).toBe(truth);
  expect(place.rank_best ?? truth, what).toBeLessThanOrEqual(truth);
  expect(place.rank_worst ?? truth, what).toBeGreaterThanOrEqual(truth);
}

type Place = Pick<Rank, "score" | "rank" | "exact"> & Partial<Pick<Rank, "rank_best" | "rank_worst">>;
const placeOf = ({ score: own, rank, exact }: Entry): Place => ({ score: own, rank, exact: exact !== false });
const notRanked = (error: unknown): Entry[] => {
  expect(error).toMatchObject({ code: "player_not_ranked" });
  return [];
};

test.each(["descending", "ascending"] as const)(
  "live answers of a random history are true, %s",
  async (order) => {
    const world = createWorld();
    await createBoard(world, leaderboard, { order, aggregation: "latest", ranking_interval_minutes: 1 });
    const instances = [world.services, world.anotherInstance(), world.anotherInstance()];
    const players = Array.from({ length: 45 }, (_, i) => `p${i}`);
    let [exact, uncertain] = [0, 0];
    /** The time of the sums that were used last. */
    let used = Timestamp.fromMillis(0);
    for (const { live: reads } of instances) {
      const sumsOf = reads.sumsOf.bind(reads);
      reads.sumsOf = async (...asked) => {
        const sums = await sumsOf(...asked);
        used = sums.readAt;
        return sums;
      };
    }

    const actions: (() => Promise<unknown>)[] = [
      () => answer(submitScoreSpec, pick(instances), { leaderboard, score: score() }, user(pick(players))),
      () => Promise.all(players.slice(0, 9).map((player) => play(player))),
      async () => {
        const player = pick(players);
        const fields = {
          score: score(),
          status: "active",
          achieved_at: Timestamp.fromMillis(world.services.now()),
        };
        await world.follow(
          key,
          player,
          await world.writeDirectly(key, player, random() < 0.7 ? fields : undefined),
        );
      },
      () =>
        world
          .call(
            setPlayerStatusSpec,
            { leaderboard, player: "p1", status: pick(["active", "hidden"] as const) },
            admin,
          )
          .catch(() => undefined),
      () => publishRanking(pick(instances), key, { includeOpenSlot: random() < 0.3 }),
      () => {
        world.advance(pick([1_000, liveMsMax, 12_000, 61_000]));
        return Promise.resolve();
      },
    ];
    const play = (player: string) =>
      answer(submitScoreSpec, pick(instances), { leaderboard, score: score() }, user(player));
    const live = { leaderboard, freshness: "live" as const };

    for (const player of players) await play(player);
    for (let step = 0; step < 250; step++) {
      await pick(actions)();
      const services = pick(instances);
      const asked = { ...live, score: score(), exact: random() < 0.5 };
      const own = await answer(getRankSpec, services, asked, anyone);
      const what = `step ${step}`;
      expectTrue(order, await scoresAt(world, used), own, what);
      expect(own.players, what).toBe((await scoresAt(world, used)).length);
      if (asked.exact) expect(own.exact, what).toBe(true);
      if (own.exact) exact += 1;
      else uncertain += 1;
      for (const list of [
        () => answer(getPageSpec, services, { ...live, offset: Math.floor(50 * random()), limit: 6 }, anyone),
        () => answer(getPlayersSpec, services, { ...live, players: players.slice(3, 9) }, anyone),
        () => answer(getAroundSpec, services, { ...live, player: pick(players) }, anyone),
      ]) {
        const entries = await list().then((given) => given.entries, notRanked);
        const scores = await scoresAt(world, used);
        for (const entry of entries) expectTrue(order, scores, placeOf(entry), `${what}: ${entry.player}`);
      }
    }
    expect(exact).toBeGreaterThan(100);
    expect(uncertain).toBeGreaterThan(5);
  },
);
