/**
 * Submissions, events and runs, cut off at each request in turn until one completes: whichever `await` was the last,
 * nothing is lost or half done, and a repetition completes it.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { followPlayer, type PlayerWrite } from "../../functions/src/counting/follow-player.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  pagesPath,
  playerPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import { rowsPerPageMax } from "../../functions/src/model/limits.ts";
import { createServices, type Services } from "../../functions/src/operations/services.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { createSeason, play } from "../support/damage.ts";
import { expectConserved, expectConverged, expectRanked, publishedRows } from "../support/oracle.ts";
import { callOn, createBoard, createWorld, user, type World } from "../support/world.ts";
import { createDoomed, type Fault } from "./doomed.ts";

const everything = { includeOpenSlot: true };
let world: World;

/** An operation that is cut off once at each of its requests. */
interface Operation {
  /** Prepares the n-th attempt; the result is passed to the other functions. */
  prepare(n: number): Promise<SeasonKey>;
  run(services: Services, key: SeasonKey, n: number): Promise<unknown>;
  /** Checks the state after the cut and the repetition. */
  check(key: SeasonKey, n: number): Promise<void>;
}

/** Returns the methods of the requests at which it was cut off, in order. */
async function cutOffAtEachRequest(fault: Fault, operation: Operation): Promise<string[]> {
  const methods: string[] = [];
  for (let n = 1; ; n++) {
    const key = await operation.prepare(n);
    const doomed = createDoomed(world.db, n, fault);
    const [outcome] = await Promise.allSettled([
      operation.run(createServices({ ...world.services, db: doomed.db }), key, n),
    ]);
    await doomed.bury();
    await operation.check(key, n);
    const method = doomed.struck();
    if (method === undefined) {
      expect(outcome).toMatchObject({ status: "fulfilled" });
      return methods;
    }
    methods.push(method);
  }
}

beforeEach(() => {
  world = createWorld();
});

/** Vitest fails on an unhandled rejection, just as a deployed function would end. */
test("a read-only transaction whose first read fails rejects, and nothing else does", async () => {
  const doomed = createDoomed(world.db, 1, "killed before");
  const read = doomed.db.runTransaction((transaction) => transaction.get(doomed.db.doc("any/document")), {
    readOnly: true,
  });
  await expect(read).rejects.toThrow("the process is dead");
  await doomed.bury();
});

describe.each<Fault>(["killed before", "killed after", "answer lost"])("%s each request", (fault) => {
  test("a run leaves one whole generation, and the next one completes it", async () => {
    const season = await createSeason(world, "board", rowsPerPageMax + 10);
    let before: object[] = [];
    const methods = await cutOffAtEachRequest(fault, {
      async prepare(n) {
        before = await publishedRows(world.db, season);
        for (const i of [1, 2, 3]) await play(world, season, `p${i * n}`, 10_000 * n + i);
        return season;
      },
      run: (services) => publishRanking(services, season, everything),
      async check() {
        await expectConserved(world, season);
        const left = await publishedRows(world.db, season);
        await world.publish(season);
        await expectRanked(world, season);
        expect([before, await publishedRows(world.db, season)]).toContainEqual(left);
        await expectConserved(world, season);
      },
    });
    expect((await world.db.collection(pagesPath(season)).get()).size).toBe(2);
    expect(methods.filter((method) => method === "commit").length).toBeGreaterThanOrEqual(1);
    expect(methods.length).toBeGreaterThanOrEqual(5);
  });

  test("events of foreign writes are corrected wholly or not at all, and once, when they come again", async () => {
    const season = await createSeason(world, "board", 60);
    let writes: [player: string, write: PlayerWrite][] = [];
    const achieved = Timestamp.fromMillis(world.services.now());
    const fields = (score: number) => ({ score, status: "active", achieved_at: achieved });
    const deliver = async (services: Services) => {
      for (const [player, write] of writes) await followPlayer(services, season, player, write);
    };
    const methods = await cutOffAtEachRequest(fault, {
      async prepare(n) {
        const direct = async (player: string, data: object | undefined): Promise<[string, PlayerWrite]> => [
          player,
          await world.writeDirectly(season, player, data && { ...data }),
        ];
        writes = [
          await direct(`new-${n}`, fields(n)),
          await direct("p1", fields(1_000 + n)),
          await direct(`p${1 + n}`, undefined),
        ];
        return season;
      },
      run: deliver,
      async check() {
        await deliver(world.services);
        await expectConserved(world, season);
        await expectConverged(world, season);
        await world.publish(season);
        await expectRanked(world, season);
      },
    });
    expect(methods.filter((method) => method === "commit").length).toBeGreaterThanOrEqual(3);
  });

  test("a submission to a sleeping season never leaves a change that no run will look for", async () => {
    const season = await createSeason(world, "board", 5);
    const ref = world.db.doc(seasonPath(season));
    const submit = (services: Services, n: number) =>
      callOn(services, "submitScore", { leaderboard: "board", score: 1_000 + n }, user("p1"));
    const methods = await cutOffAtEachRequest(fault, {
      async prepare() {
        await ref.update({ dormant_at: Timestamp.fromMillis(world.services.now()), next_run_at: null });
        world.services.boards.forget("board");
        return season;
      },
      run: (services, _, n) => submit(services, n),
      async check(_, n) {
        await expectConserved(world, season);
        const pending = (await world.db.collection(shardsPath(season)).get()).size;
        const due = (await ref.get()).get("next_run_at") as unknown;
        expect({ pending, due }).not.toEqual({ pending: 1, due: null });
        await submit(world.services, n);
        await world.publish(season);
        await expectRanked(world, season);
      },
    });
    expect(methods).toContain("commit");
  });

  test("a submission to a board of sums counts once when it is sent again, also the one that opens the season", async () => {
    const request = (key: SeasonKey) => ({ leaderboard: key.leaderboard, score: 5, submission_id: "same" });
    const methods = await cutOffAtEachRequest(fault, {
      prepare: (n) => createBoard(world, `board-${n}`, { aggregation: "sum" }),
      run: (services, key) => callOn(services, "submitScore", request(key), user("ann")),
      async check(key) {
        await world.call("submitScore", request(key), user("ann"));
        const stored = (await world.db.doc(playerPath(key, "ann")).get()).data();
        expect(stored).toMatchObject({ score: 5, attempts: 1, submission_ids: ["same"] });
        await expectConserved(world, key);
        await world.publish(key);
        await expectRanked(world, key);
      },
    });
    expect(methods.filter((method) => method === "commit").length).toBeGreaterThanOrEqual(2);
  });
});
