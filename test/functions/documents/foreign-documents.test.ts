/**
 * Documents that somebody else has put into Firerank's collections, by hand or by a script, stop no call and no schedule,
 * whatever types their fields have.
 */
import { expect, test } from "vitest";
import { enqueueDue } from "../../../functions/src/jobs/schedule/schedule.ts";
import { sharedRequest, stepRequest, type JobRequest } from "../../../functions/src/world/tasks.ts";
import { playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { endSeason } from "../../support/closing.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const cup = { leaderboard, season: "cup" };
const world = eachWorld();

/** Each field that a query or a parse looks at, with something else in it. */
const fieldNames =
  "slot_ends_at player_count marks unusable started_at finished_at kind outcome found error status span opens_at " +
  "closes_at closed_at end_due_at next_run_at ranking entries players scores generation page";
const withAll = (value: unknown) =>
  Object.fromEntries(fieldNames.split(" ").map((name) => [name, value] as const));
const aTime = Timestamp.fromMillis(Date.parse("2100-01-02T12:00:00Z"));
const contents: Record<string, object> = {
  nothing: {},
  texts: withAll("noon"),
  numbers: withAll(5),
  times: withAll(aTime),
  nulls: withAll(null),
  "a season": { status: "open", opens_at: "noon" },
  "a record": {
    kind: "audit",
    outcome: "done",
    started_at: aTime,
    finished_at: aTime,
    found: 5,
    repair: "repair",
  },
  "an event": { kind: "top_entered", players: ["ann", "bob"] },
};

const season = seasonPath(key);
const collections = {
  scores: `${season}/scores`,
  receipts: `${season}/receipts`,
  runs: `${season}/runs`,
  standings: `${season}/standings`,
  baselines: `${season}/baselines`,
  repair: `${season}/repair`,
  top: `${season}/top`,
  closing_notes: `${seasonPath(cup)}/closing_notes`,
  closing_ranges: `${seasonPath(cup)}/closing_ranges`,
  "standings of a tournament": `${seasonPath(cup)}/standings`,
  seasons: `leaderboards/${leaderboard}/seasons`,
  events: `leaderboards/${leaderboard}/events`,
  player_statuses: `leaderboards/${leaderboard}/player_statuses`,
};

async function play(): Promise<unknown[]> {
  const failures: unknown[] = [];
  const doing = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) =>
      failures.push([what, String(error).replace(/\s+/g, " ").slice(0, 150)]),
    );
  };
  const call = (name: Parameters<typeof world.call>[0], request: object, caller = admin) =>
    doing(name, () => world.call(name, { leaderboard, ...request }, caller));
  await doing("submit", () => world.submit("bob", 7));
  await call("setProfile", { display_name: "Bob" }, user("bob"));
  await call("saveLeaderboard", { definition: { top_size: 50 } });
  await call("runRanking", { include_open_slot: true });
  await call("getRank", {}, user("bob"));
  await call("getPage", {}, user("bob"));
  await call("getTop", {}, user("bob"));
  await call("listSeasons", {}, user("bob"));
  await call("listAlerts", {});
  await call("auditSeason", { full: true });
  await call("repairSeason", {});
  world.advance(6 * 60_000);
  await doing("schedule", () => enqueueDue({ ...world.services, enqueueJob: () => Promise.resolve() }));
  await call("setPlayerStatus", { player: "bob", status: "hidden" });
  await call("setPlayerStatus", { player: "bob", status: "active" });
  await call("mergePlayers", { from: "cem", to: "dan" });
  await call("closeSeason", { season: cup.season });
  world.advance(3 * 60_000);
  await doing("the end of a season", () => endSeason(world, cup));
  await call("auditSeason", { season: cup.season, full: true });
  world.advance(60 * 60_000);
  await call("getResults", {}, user("ann"));
  await call("exportPlayer", { player: "ann" });
  await call("removePlayer", { player: "ann" });
  for (const board of [key, cup])
    if ((await world.db.doc(playerPath(board, "ann")).get()).exists) failures.push("ann is still there");
  return failures;
}

test.each(Object.entries(collections))("in %s", async (_, path) => {
  await createBoard(world, leaderboard, { aggregation: "sum", movement: true });
  await world.call(
    "openSeason",
    { leaderboard, season: cup.season, closes_at: "2101-01-01T00:00:00Z" },
    admin,
  );
  for (const [i, player] of ["ann", "cem", "dan"].entries()) {
    await world.submit(player, 5 + i);
    await world.submit(player, 5 + i, { season: cup.season });
  }
  await world.publish(key);
  for (const [name, data] of Object.entries(contents)) await world.db.doc(`${path}/${name}`).set(data);
  expect(await play()).toEqual([]);
});

test("a copy of a season, kept elsewhere or below an id that no call takes, gets no task and stays as it is", async () => {
  await createBoard(world, leaderboard);
  await world.submit("ann", 5);
  await world.publish(key);
  await world.submit("ann", 6);
  const copies = [
    "leaderboards/board (copy)/seasons/all_time",
    "leaderboards/board/seasons/all time",
    "leaderboards_2099/board/seasons/all_time",
    "backups/2099/leaderboards/board/seasons/all_time",
  ].map((path) => world.db.doc(path));
  const { next_run_at, ...data } = (await world.db.doc(season).get()).data() ?? {};
  const due = { ...data, next_run_at: aTime };
  for (const copy of copies) await copy.set({ ...due, end_due_at: aTime });
  await copies[0]?.set({ ...due, dormant_at: Timestamp.fromMillis(0) });
  const stood = await Promise.all(copies.map(async (copy) => (await copy.get()).updateTime));
  const asked: JobRequest[] = [];
  const enqueueJob = (request: JobRequest) => Promise.resolve(void asked.push(request));
  world.advance(10 * 60_000);
  await enqueueDue({ ...world.services, enqueueJob });
  // At four in the morning audits are requested too.
  world.advance(15 * 3_600_000 + 50 * 60_000);
  await enqueueDue({ ...world.services, enqueueJob });
  // As the queue's functions read them.
  const steps = asked.flatMap((request) =>
    request.job === "shared"
      ? sharedRequest.parse(request).steps.map((step) => step.request)
      : [stepRequest.parse(request)],
  );
  expect(steps.map(({ job }) => job)).toEqual(expect.arrayContaining(["ranking", "audit"]));
  expect(steps.map((step) => "season" in step && `${step.leaderboard} ${step.season}`)).toEqual(
    steps.map(() => "board all_time"),
  );
  expect(await Promise.all(copies.map(async (copy) => (await copy.get()).updateTime))).toEqual(stood);
});
