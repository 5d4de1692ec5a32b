/** An erased player does not come back by what was on its way, or by a token that is still valid. */
import { describe, expect, test } from "vitest";
import { erasurePath } from "../../../functions/src/documents/erasure.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { erasuresPath, playerPath, playerStatusPath } from "../../../functions/src/documents/paths.ts";
import { stepPlayer } from "../../../functions/src/jobs/players/step.ts";
import { enqueueDue } from "../../../functions/src/jobs/schedule/schedule.ts";
import {
  documentsPerReadMax,
  erasureKeptMs,
  erasureLooksAgainMs,
  mergeKeptMs,
} from "../../../functions/src/model/limits.ts";
import { closeNow } from "../../support/closing.ts";
import { failure, watchCommits } from "../../support/commits.ts";
import type { ErrorCode } from "../../../functions/src/model/errors.ts";
import { admin, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const world = eachWorld();
const erased = (of: object = {}) => world.call("removePlayer", { player: "ann", ...of }, admin);
const submit = (player: string, board = leaderboard, more: object = {}) =>
  world.call("submitScore", { leaderboard: board, score: 7, ...more }, user(player));
/** The first to be refused may have opened the season. */
const refusedAs = (code: ErrorCode, work: () => Promise<unknown>) =>
  expect(work()).rejects.toMatchObject({ code });
const document = (player: string, season = "all_time") =>
  world.db.doc(playerPath({ leaderboard, season }, player)).get();

const atFour = () => {
  const day = 86_400_000;
  world.advance(day + 4 * 3_600_000 - (world.services.now() % day));
};
const look = () => enqueueDue({ ...world.services, enqueueJob: () => Promise.resolve() });

describe("an erased player", () => {
  test("is refused for 25 hours, by each way in, and then begins anew", async () => {
    await createBoard(world, leaderboard, { spans: ["all_time", "daily"] });
    await world.call("openSeason", { leaderboard, season: "cup" }, admin);
    await submit("ann");
    await erased();
    await refusedAs("player_erased", () => submit("ann"));
    await refusedAs("player_erased", () => submit("ann", leaderboard, { season: "cup" }));
    const { results } = await world.call(
      "submitScores",
      {
        leaderboard,
        submissions: [
          { player: "ann", score: 1 },
          { player: "bob", score: 2 },
        ],
      },
      admin,
    );
    expect(results).toMatchObject([{ error: { code: "player_erased" } }, { player: "bob" }]);
    await refusedAs("player_erased", () =>
      world.call("mergePlayers", { from: "bob", to: "ann", leaderboard }, admin),
    );
    await refusedAs("player_not_ranked", () =>
      world.call("setPlayerStatus", { leaderboard, player: "ann", status: "banned" }, admin),
    );
    expect((await world.call("setProfile", { leaderboard, display_name: "A" }, user("ann"))).seasons).toEqual(
      [],
    );
    expect((await document("ann")).exists).toBe(false);
    expect((await document("bob")).exists).toBe(true);
    world.advance(erasureKeptMs);
    expect((await submit("ann")).seasons).toHaveLength(2);
  });

  test("does not come back by a merge of somebody whom only a final table has", async () => {
    const cup = { leaderboard, season: "cup" };
    await createBoard(world, leaderboard);
    await world.call("openSeason", cup, admin);
    await submit("bob", leaderboard, { season: "cup" });
    await closeNow(world, cup);
    await erased();
    // A server's write after the end; the table keeps the line.
    await world.db.doc(playerPath(cup, "bob")).delete();
    await refusedAs("player_erased", () =>
      world.call("mergePlayers", { from: "bob", to: "ann", leaderboard }, admin),
    );
    expect((await document("ann", "cup")).exists).toBe(false);
  });

  test("is refused on boards to come where no board was named, and on that board alone where one was", async () => {
    await createBoard(world, leaderboard);
    await createBoard(world, "other");
    await erased({ leaderboard });
    await submit("ann", "other");
    await refusedAs("player_erased", () => submit("ann"));
    await erased();
    await createBoard(world, "later");
    for (const board of [leaderboard, "other", "later"])
      await refusedAs("player_erased", () => submit("ann", board));
  });

  test("is taken again at once where an admin says so, on that board; another erasure counts again", async () => {
    await createBoard(world, leaderboard);
    await createBoard(world, "other");
    await erased();
    const letBack = () =>
      world.call("setPlayerStatus", { leaderboard, player: "ann", status: "active" }, admin);
    expect(await letBack()).toEqual({ leaderboard, player: "ann", seasons: [] });
    await submit("ann");
    await refusedAs("player_erased", () => submit("ann", "other"));
    await erased();
    await refusedAs("player_erased", () => submit("ann"));
    await letBack();
    await erased({ leaderboard });
    await refusedAs("player_erased", () => submit("ann"));
  });

  test("is not there after an erasure that met a commit of another instance, in any season", async () => {
    await createBoard(world, leaderboard, { spans: ["all_time", "daily"] });
    const { seasons } = await submit("first");
    const other = world.anotherInstance();
    let erasure: Promise<unknown> | undefined;
    watchCommits(world, (_writes, perform) => {
      // It waits for the documents that the commit has read.
      erasure ??= callOn(other, "removePlayer", { player: "ann" }, admin);
      return perform();
    });
    await submit("ann").catch(() => undefined);
    await erasure;
    for (const { season } of seasons) expect((await document("ann", season)).exists).toBe(false);
    await refusedAs("player_erased", () => submit("ann"));
  });

  test("leaves no id, and nothing at all once it is over; not even a status that is set meanwhile", async () => {
    await createBoard(world, leaderboard, { spans: ["daily"] });
    await submit("ann");
    let erasure: Promise<unknown> | undefined;
    const other = world.anotherInstance();
    watchCommits(world, (_writes, perform) => {
      erasure ??= callOn(other, "removePlayer", { player: "ann" }, admin);
      return perform();
    });
    await world
      .call("setPlayerStatus", { leaderboard, player: "ann", status: "banned" }, admin)
      .catch(() => undefined);
    await erasure;
    expect((await world.db.doc(playerStatusPath(leaderboard, "ann")).get()).exists).toBe(false);
    world.advance(erasureLooksAgainMs);
    const note = world.db.doc(erasurePath("ann"));
    await stepPlayer(world.services, { job: "erase", note: note.id, step: 0 });
    const { docs } = await world.db.collection(erasuresPath).get();
    expect(docs.map(({ ref }) => ref.path)).toEqual([note.path]);
    expect(docs[0]?.id).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(docs[0]?.data() ?? {})).toEqual(["all_until"]);
    atFour();
    await look();
    expect((await world.db.collection(erasuresPath).get()).size).toBe(1);
    atFour();
    await look();
    expect((await world.db.collection(erasuresPath).get()).size).toBe(0);
  });

  test("keeps nothing of others from being deleted where it is erased again in between", async () => {
    const until = Timestamp.fromMillis(world.services.now() + erasureKeptMs);
    const players = Array.from({ length: documentsPerReadMax + 1 }, (_, i) => `p${i}`);
    const writer = world.db.bulkWriter({ throttling: false });
    for (const player of players) void writer.set(world.db.doc(erasurePath(player)), { all_until: until });
    await writer.close();
    atFour();
    atFour();
    const again = { all_until: Timestamp.fromMillis(world.services.now() + erasureKeptMs) };
    const [first] = (await world.db.collection(erasuresPath).limit(1).get()).docs;
    let isErased = false;
    watchCommits(world, async (_writes, perform) => {
      if (!isErased) {
        isErased = true;
        await first?.ref.set(again);
      }
      return perform();
    });
    await look();
    const { docs } = await world.db.collection(erasuresPath).get();
    expect(docs.map(({ id }) => id)).toEqual([first?.id]);
    expect(world.logged.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("costs a first score one read, and a score of one who plays nothing", async () => {
    await createBoard(world, leaderboard);
    await submit("first");
    const first = await world.bill(() => submit("ann"));
    const next = await world.bill(() => submit("ann", leaderboard, { score: 8 }));
    // And 1 to find no page.
    expect([first, next]).toEqual([
      { reads: 2 + 1, writes: 2, deletes: 0 },
      { reads: 1 + 1, writes: 2, deletes: 0 },
    ]);
  });
});

describe("a player who was merged", () => {
  test.each(["best", "latest", "sum"] as const)(
    "is not there again by a submission whose answer was lost, on a board of %s scores",
    async (aggregation) => {
      await createBoard(world, leaderboard, { aggregation });
      await submit("bob");
      const other = world.anotherInstance();
      let isFirst = true;
      watchCommits(world, async (_writes, perform) => {
        const isOfAnn = isFirst;
        isFirst = false;
        const done = await perform();
        if (!isOfAnn) return done;
        await callOn(other, "mergePlayers", { from: "ann", to: "bob" }, admin);
        throw failure("unavailable");
      });
      await refusedAs("player_erased", () => submit("ann", leaderboard, { submission_id: "x" }));
      expect((await document("ann")).exists).toBe(false);
      expect((await document("bob")).get("score")).toBe(aggregation === "sum" ? 14 : 7);
      world.advance(mergeKeptMs);
      await submit("ann");
    },
  );
});
