/**
 * A board of a template has a colon in its id. Every call, every route and every place that an id comes to takes
 * `level:a_-` as it takes `level-a_-`, a board with a definition of its own, and never takes one for the other.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { exportFile } from "../../../cli/export-file.ts";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { boardOf } from "../../../cli/commands/options.ts";
import { eventsPath } from "../../../functions/src/documents/paths.ts";
import { enqueueDue } from "../../../functions/src/jobs/schedule/schedule.ts";
import { access, type OperationName } from "../../../functions/src/operations/shared/access.ts";
import * as specs from "../../../functions/src/operations/specs.ts";
import { routes } from "../../../functions/src/transports/rest/routes.ts";
import type { JobRequest } from "../../../functions/src/world/tasks.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { admin, callOn, type Operation, user } from "../../support/world.ts";

const ofTemplate = "level:a_-";
const neighbour = "level-a_-";
const boards = [ofTemplate, neighbour];
const segments = [{ name: "guild", from: "server", teams: { by: "sum" } }];
const definition = { spans: ["all_time", "daily"], movement: true, aggregation: "latest", segments };

let world: RestWorld;
beforeAll(async () => {
  world = createRestWorld();
  const save = (leaderboard: string, more: object) =>
    callOn(world.services, "saveLeaderboard", { leaderboard, definition: { ...definition, ...more } }, admin);
  await save("level", { template: { ids: "any" } });
  await save(neighbour, {});
});

/**
 * An answer, or the refusal, without what tells the two boards apart, and without the times of the database's own clock.
 */
function alike(leaderboard: string, answer: unknown): string {
  return (
    JSON.stringify(answer, (name, value: unknown) => (name === "next_cursor" ? cursorRead(value) : value))
      .replaceAll(leaderboard, "BOARD")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
      .replace(/\b\d{10,16}\b/g, "…")
      .replace(/"of":"[^"]+"/g, '"of":"…"')
      // Only a board of a template has it.
      .replace(/"player_id":"\w+",?/g, "")
      .replace(/\b(run|audit)-\d+(-\w+)?/g, "$1")
  );
}

/** A cursor as what it says, which getPage packs. */
function cursorRead(cursor: unknown): unknown {
  const text = Buffer.from(String(cursor), "base64url").toString();
  return text.startsWith("{") ? JSON.parse(text) : cursor;
}

async function outcome(name: Operation, data: object, player?: string): Promise<unknown> {
  return callOn(world.services, name, data, player === undefined ? admin : user(player)).catch(
    (error: unknown) => ({ refused: (error as Error).message }),
  );
}

/** Calls in their order; `times` ones go on where the answer before ended. */
const script: [name: Operation, data: object, player?: string][] = [
  ["getTop", {}],
  ["submitScore", { score: 30 }, "ann"],
  ["submitScores", { submissions: ["bob", "cyd", "dan"].map((player, i) => ({ player, score: 10 + i })) }],
  ["openSeason", { season: "cup" }],
  ["submitScore", { score: 5, season: "cup" }, "ann"],
  ["runRanking", { include_open_slot: true }],
  ["getRank", {}, "ann"],
  ["getRank", { score: 11 }, "ann"],
  ["getRank", { freshness: "live" }, "ann"],
  ["getTop", {}, "ann"],
  ["getAround", { player: "bob" }, "ann"],
  ["getPage", { limit: 2 }, "ann"],
  ["getPage", { score: 11, limit: 1 }, "ann"],
  ["getThreshold", { rank: 2 }, "ann"],
  ["getHistogram", {}, "ann"],
  ["getTeams", { segment: "guild" }, "ann"],
  // A template has no league: both refuse.
  ["getLeague", {}, "ann"],
  // Nor has it private groups.
  ["createGroup", { name: "Friends" }, "ann"],
  ["joinGroup", { code: "7KQ2-M9XD-4TPAW" }, "ann"],
  ["getGroup", { group: "friends" }, "ann"],
  ["getMyGroups", {}, "ann"],
  ["renameGroup", { group: "friends", name: "Others" }, "ann"],
  ["removeMember", { group: "friends", player: "bob" }, "ann"],
  ["leaveGroup", { group: "friends" }, "ann"],
  ["deleteGroup", { group: "friends" }, "ann"],
  ["getPlayers", { players: ["ann", "bob"] }, "ann"],
  ["getHistory", {}, "ann"],
  ["listSeasons", { limit: 1 }, "ann"],
  ["setProfile", { display_name: "Ann" }, "ann"],
  ["listAlerts", { season: "all_time" }],
  ["auditSeason", {}],
  ["repairSeason", {}],
  ["mergeGuest", { guest_token: "none" }, "ann"],
  ["mergePlayers", { from: "dan", to: "bob" }],
  ["exportPlayer", { player: "ann" }],
  ["removePlayer", { player: "cyd" }],
  ["submitScore", { score: 1 }, "cyd"],
  ["closeSeason", { season: "cup" }],
  ["getResults", {}, "ann"],
];

/** Calls that are about no board, and those that templates change: they have tests of their own. */
const others: OperationName[] = [
  "saveLeaderboard",
  "listLeaderboards",
  "getRankOfScore",
  "getRoles",
  "getMyBoards",
  "setRole",
  "setPlayerStatus",
  "deleteLeaderboard",
];

test("every call answers about either alike", async () => {
  const names = new Set([...script.map(([name]) => name), ...others]);
  expect([...names].sort()).toEqual(Object.keys(access).sort());
  expect(Object.keys(specs).length).toBeLessThanOrEqual(names.size);
  for (const [name, data, player] of script) {
    const answers: string[] = [];
    for (const leaderboard of boards) {
      const asked = { leaderboard, ...data };
      const first = (await outcome(name, asked, player)) as { next_cursor?: string };
      answers.push(alike(leaderboard, first));
      const { next_cursor: cursor } = first;
      if (cursor === undefined) continue;
      answers.push(alike(leaderboard, await outcome(name, { ...asked, cursor }, player)));
    }
    expect(answers.slice(0, answers.length / 2), name).toEqual(answers.slice(answers.length / 2));
  }
});

test("a cursor is of its board alone", async () => {
  const { next_cursor: cursor } = (await outcome("getPage", { leaderboard: ofTemplate, limit: 1 })) as {
    next_cursor?: string;
  };
  expect(cursor).toBeDefined();
  expect(await outcome("getPage", { leaderboard: neighbour, cursor })).toMatchObject({
    refused: expect.stringContaining("cursor: is of season") as string,
  });
});

test("results page by page go from board to board", async () => {
  world.advance(3 * 24 * 3_600_000);
  for (let i = 0; i < 60; i++) {
    world.advance(61_000);
    await world.tick();
  }
  const found: string[] = [];
  for (let cursor: string | undefined, page = 0; page < 10; page++) {
    const asked = { limit: 1, since: "2100-01-01T00:00:00Z", ...(cursor !== undefined && { cursor }) };
    const answer = (await callOn(world.services, "getResults", asked, user("ann"))) as {
      results: { leaderboard: string; season: string }[];
      next_cursor?: string;
    };
    found.push(...answer.results.map(({ leaderboard, season }) => `${leaderboard} ${season}`));
    cursor = answer.next_cursor;
    if (cursor === undefined) break;
  }
  expect(found.sort()).toEqual(
    boards.flatMap((board) => ["cup", "daily-2100-01-02"].map((season) => `${board} ${season}`)).sort(),
  );
});

test("every route takes either, written as it is or with %3A", async () => {
  const paths = routes.filter(({ method, path }) => method === "get" && path.includes("{leaderboard}"));
  expect(paths.length).toBeGreaterThan(7);
  const queries = { ranks: "?score=3", players: "?players=ann", threshold: "?rank=2" };
  for (const { path } of paths) {
    const [, query = ""] = Object.entries(queries).find(([last]) => path.endsWith(`/${last}`)) ?? [];
    const sent = async (leaderboard: string, written = leaderboard) => {
      const to = path
        .replace("{leaderboard}", written)
        .replace("{player}", "ann")
        .replace("{segment}", "guild")
        .replace("{group}", "friends");
      const response = await world.get(`${to}${query}`, "ann");
      return `${response.status} ${alike(leaderboard, await response.json())}`;
    };
    const expected = await sent(neighbour);
    // A template has neither a league nor private groups.
    const isRefused = /\/(league|groups.*)$/.test(path);
    expect(expected, path).toMatch(isRefused ? /^400 .*has no (league|private groups)/ : /^200 /);
    expect(await sent(ofTemplate), path).toBe(expected);
    expect(await sent(ofTemplate, encodeURIComponent(ofTemplate)), path).toBe(expected);
  }
  const body = { score: 99 };
  for (const board of boards) {
    const posted = await world.send("POST", `/v1/leaderboards/${board}/scores`, { as: "eve", body });
    expect(await posted.json()).toMatchObject({ leaderboard: board, player: "eve" });
  }
  const wrong = await world.get("/v1/leaderboards/level:a:b/top", "ann");
  expect(wrong.status).toBe(400);
});

test("the OpenAPI description takes either wherever a board is named", async () => {
  interface Described {
    parameters?: { name: string; schema: { pattern?: string; maxLength?: number } }[];
  }
  const { paths } = (await (await world.get("/openapi.json")).json()) as {
    paths: Record<string, Record<string, Described>>;
  };
  const named = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters.filter(({ name }) => name === "leaderboard"));
  expect(named.length).toBeGreaterThan(7);
  for (const { schema } of named) {
    const pattern = new RegExp(schema.pattern ?? expect.fail("no pattern"));
    for (const board of boards) expect(pattern.test(board), board).toBe(true);
    for (const wrong of ["level:", ":a", "level:a:b", "level/a"])
      expect(pattern.test(wrong), wrong).toBe(false);
  }
});

test("tasks of either have ids of their own, in the letters that a queue takes", async () => {
  for (const leaderboard of boards) await outcome("submitScore", { leaderboard, score: 7 }, "fay");
  const asked = new Map<string, string[]>();
  const services = {
    ...world.anotherInstance(),
    enqueueJob(request: JobRequest, taskId: string) {
      const steps = request.job === "shared" ? request.steps : [{ request, taskId }];
      for (const step of steps)
        if ("season" in step.request)
          asked.set(step.taskId, [
            ...(asked.get(step.taskId) ?? []),
            `${step.request.job} ${step.request.leaderboard} ${step.request.season}`,
          ]);
      expect(taskId).toMatch(/^[\w-]{1,500}$/);
      return Promise.resolve();
    },
  };
  world.advance(6 * 60_000);
  await enqueueDue(services);
  const day = 24 * 3_600_000;
  world.advance(day + 4 * 3_600_000 - (world.services.now() % day));
  await enqueueDue(services);
  for (const [id, steps] of asked) expect([id, new Set(steps).size]).toEqual([id, 1]);
  const of = (board: string) => [...asked.values()].flat().filter((step) => step.includes(` ${board} `));
  expect(of(ofTemplate).length).toBeGreaterThan(2);
  expect(
    of(ofTemplate)
      .map((step) => step.replace(ofTemplate, neighbour))
      .sort(),
  ).toEqual(of(neighbour).sort());
});

test("events lie at their board, and name it", async () => {
  const eventsOf = async (board: string) =>
    (await world.db.collection(eventsPath(board)).get()).docs.map((event) => [
      event.id.replace(/-(run-)?\d+$/, ""),
      event.get("leaderboard") as string,
    ]);
  const [own, others] = [await eventsOf(ofTemplate), await eventsOf(neighbour)];
  expect(own.map(([id]) => id)).toEqual(others.map(([id]) => id));
  expect(own.length).toBeGreaterThan(4);
  expect(new Set(own.map(([, board]) => board))).toEqual(new Set([ofTemplate]));
});

test("the command line exports either, and imports the file into the other", async () => {
  const folder = mkdtempSync(join(tmpdir(), "firerank-"));
  const stream = { isTTY: false, write: () => true } as const;
  const files: string[] = [];
  for (const leaderboard of boards.map(boardOf)) {
    const file = join(folder, `${leaderboard === ofTemplate ? "own" : "other"}.csv`);
    await exportFile(world.services, stream, { leaderboard, file, force: false, season: undefined });
    files.push(readFileSync(file, "utf8"));
  }
  expect(files[0]).toBe(files[1]);
  const imported = await importFile(
    { services: world.services, project: world.projectId, database: "(default)", ramp: noRamp, stream },
    {
      leaderboard: "level:b",
      file: join(folder, "other.csv"),
      skipBad: false,
      dryRun: false,
      restart: false,
    },
  );
  expect(imported).toMatchObject({ bad: 0, imported: { unchanged: 0 } });
  for (const wrong of ["level:", "level:a:b", ":a"]) expect(() => boardOf(wrong)).toThrow("1 to 64 letters");
});
