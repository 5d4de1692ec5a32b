/** Each way to install Firerank, from the trigger to the tasks and the listeners, in a named database. */
import { randomUUID } from "node:crypto";
import {
  leaderboard,
  type Leaderboard,
  rankOf,
  saveLeaderboard,
  submitScore,
  watchTop,
} from "firerank-client";
import { afterAll, describe, expect, test } from "vitest";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { leaderboardPath, runPath, seasonPath } from "../../functions/src/documents/paths.ts";
import { addressesIn } from "../../scripts/callable-client.ts";
import { fireOnce } from "../../scripts/clock.ts";
import { projectId } from "../../scripts/project.ts";
import { type ClientApp, createClientApp } from "../client/client-app.ts";
import { installs } from "../support/installs.ts";
import { eventually } from "../support/live.ts";
import { allTime } from "../support/world.ts";

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

function appOn(database: string): ClientApp {
  const app = createClientApp({ database });
  closing.push(() => app.close());
  return app;
}

describe.each(installs)("Firerank $how", ({ prefix, database }) => {
  test("ranks a score by its own trigger, schedule and tasks, in its own database", async () => {
    const id = `board-${randomUUID().slice(0, 8)}`;
    const key = allTime(id);
    const db = new Firestore({ projectId, databaseId: database });
    const other = new Firestore({ projectId });
    closing.push(async () => {
      await db.doc(seasonPath(key)).update({ next_run_at: null, "ranking.published_at": null });
      await Promise.all([db.terminate(), other.terminate()]);
    });
    const boardOf = ({ app }: ClientApp): Leaderboard => leaderboard(app, id, { prefix, database });

    const admin = appOn(database);
    await admin.signIn(`admin-${id}`, { leaderboard_admin: true });
    await saveLeaderboard(boardOf(admin), { ranking_interval_minutes: 0.05 });
    const tops: string[][] = [];
    const [ann, bob] = [appOn(database), appOn(database)];
    await ann.signIn(`ann-${id}`);
    await bob.signIn(`bob-${id}`);
    const stop = watchTop(boardOf(ann), ({ entries }) =>
      tops.push(entries.map(({ display_name: name }) => String(name))),
    );
    await submitScore(boardOf(ann), { score: 800, display_name: "Ann" });
    await submitScore(boardOf(bob), { score: 900, display_name: "Bob" });

    // The schedule, which nothing starts on the emulators, asks the task queue for a run; the test starts no run itself.
    await eventually(async () => {
      expect(await fireOnce(addressesIn(process.env).functions, `${prefix}-rankSeasons`)).toBeUndefined();
      expect((await db.doc(seasonPath(key)).get()).get("ranking.players")).toBe(2);
    });
    const runs = await db.collection(runPath(key, "any").replace(/\/any$/, "")).get();
    expect(runs.docs.map((run) => run.get("outcome") as unknown)).toContain("published");
    // From memory or by one read, straight from that database.
    expect(await rankOf(boardOf(ann), 850)).toMatchObject({ rank: 2, players: 2, exact: true });

    // The live top has a task of its own.
    await submitScore(boardOf(ann), { score: 950 });
    await eventually(() => {
      expect(tops.at(-1)).toEqual(["Ann", "Bob"]);
    });
    stop();
    expect((await other.doc(leaderboardPath(id)).get()).exists).toBe(false);
  });
});
