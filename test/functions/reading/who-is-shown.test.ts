/**
 * Every reading call is asked about a player in every status, by everybody: of one who is not listed it says what it says
 * of somebody who never played. A call that is not in the table fails the tests.
 */
import { describe, expect, test } from "vitest";
import { nextMidnight } from "../../../functions/src/model/midnights.ts";
import { access, type Caller, type OperationName } from "../../../functions/src/operations/shared/access.ts";
import { answer, type OperationSpec } from "../../../functions/src/operations/shared/spec.ts";
import * as specs from "../../../functions/src/operations/specs.ts";
import { listLeaderboardsSpec } from "../../../functions/src/operations/list-leaderboards.ts";
import { rankOfScoreSpec } from "../../../functions/src/operations/get-rank.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { routes } from "../../../functions/src/transports/rest/routes.ts";
import type { z } from "zod";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { admin, allTime, createBoard, user } from "../../support/world.ts";
import { closeNow } from "../../support/closing.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const leaderboard = "arena";
const cup = { leaderboard, season: "cup" };
const minute = 60_000;
const calendar = { time_zone: "UTC", week_starts_on: "monday" as const };

/** What is asked; `own` where the caller asks about nobody else, and is the player. */
interface Asked {
  own?: true;
  /** Whether an answer about a closed season has nothing of anybody. */
  notOfClosed?: true;
  request: (player: string) => Record<string, unknown>;
}

const about = (more: object = {}, of: object = {}): Asked => ({
  request: (player) => ({ player, ...more }),
  ...of,
});
const own = (more: object = {}, of: object = {}): Asked => ({
  own: true,
  request: () => ({ ...more }),
  ...of,
});
const list = (more: object = {}): Asked => ({ request: () => ({ ...more }) });
const amongFriends = (more: object = {}): Asked => ({
  request: (player) => ({ players: [player, "bob"], ...more }),
});

const segment = { country: "AT" };
const mine = { segment: { country: "mine" } };

/** The questions of each reading call; of the others, why they are none. */
const calls = {
  getRank: [
    ...[
      {},
      { freshness: "live" },
      { exact: true },
      { segment },
      { segments: ["country"] },
      { since: "day" },
    ].map((more) => about(more)),
    ...[{}, mine, { segments: ["country"] }].map((more) => own(more)),
  ],
  getAround: [
    ...[{}, { freshness: "live" }, { segment }, { since: "day" }].map((more) => about(more)),
    own(),
    own(mine),
  ],
  getPage: [
    {},
    { offset: 0, limit: 5 },
    { score: 1_000 },
    { freshness: "live" },
    { segment },
    { since: "day" },
  ].map(list),
  getPlayers: [{}, { freshness: "live" }, { segment }, { since: "day" }].map(amongFriends),
  getTop: [{}, { segment }].map(list),
  getHistory: [about({}, { notOfClosed: true }), own({}, { notOfClosed: true })],
  getResults: [own()],
  getHistogram: "names nobody",
  getTeams: "names nobody",
  getLeague: "shows the members of a group to its members: see test/functions/league/members.test.ts",
  getGroup: "shows the members of a group to its members: see test/functions/groups/membership.test.ts",
  getMyGroups: "names nobody",
  getThreshold: "names nobody",
  getMyBoards: "names nobody",
  getRankOfScore: "names nobody",
  listLeaderboards: "names nobody",
  listSeasons: "names nobody",
  exportPlayer: "shows everything, to admins alone: see roles.test.ts and export-player.test.ts",
  listAlerts: "names nobody, and needs a role",
  auditSeason: "names nobody, and needs a role",
  getRoles: "names no players, and needs a role",
  submitScore: "writes",
  submitScores: "writes",
  setProfile: "writes",
  setPlayerStatus: "writes",
  createGroup: "writes",
  joinGroup: "writes",
  leaveGroup: "writes",
  removeMember: "writes",
  renameGroup: "writes",
  deleteGroup: "writes",
  mergeGuest: "writes",
  mergePlayers: "writes",
  removePlayer: "writes",
  saveLeaderboard: "writes",
  deleteLeaderboard: "writes",
  openSeason: "writes",
  closeSeason: "writes",
  repairSeason: "writes",
  runRanking: "writes",
  setRole: "writes",
} satisfies Record<OperationName, readonly Asked[] | string>;

type Table = Record<OperationName, readonly Asked[] | string>;

const asked = Object.entries(calls as Table).flatMap(([name, all]) =>
  typeof all === "string" ? [] : [{ name: name as OperationName, all }],
);

const everySpec = { ...specs, listLeaderboards: listLeaderboardsSpec, getRankOfScore: rankOfScoreSpec };
type Spec = OperationSpec<z.ZodType, unknown>;

const statuses = {
  hidden: (world: RestWorld) => setStatus(world, "hidden"),
  banned: (world: RestWorld) => setStatus(world, "banned"),
  removed: (world: RestWorld) => world.call("removePlayer", { player: "ann" }, admin),
  "hidden, while the event of a server's write that names no status has not come": (world: RestWorld) =>
    replaced(world, "hidden"),
  "banned, while the event of such a write has not come": (world: RestWorld) => replaced(world, "banned"),
};

async function replaced(world: RestWorld, status: "hidden" | "banned") {
  await setStatus(world, status);
  const document = { score: 500, segments: segment, display_name: "of ann" };
  for (const key of [allTime(leaderboard), cup]) await world.writeDirectly(key, "ann", document);
}

const setStatus = (world: RestWorld, status: "hidden" | "banned") =>
  world.call("setPlayerStatus", { leaderboard, player: "ann", status }, admin);

/** Ann, if she plays, and bob have scores in a season that runs, with a midnight behind them, and in a closed one. */
async function begin(players: readonly string[]): Promise<RestWorld> {
  const world = createRestWorld();
  const segments = [{ name: "country", from: "submission" as const, values: ["AT"] }];
  await createBoard(world, leaderboard, { visibility: "public", movement: true, segments });
  await world.call("openSeason", cup, admin);
  for (const [i, player] of players.entries())
    for (const season of [undefined, "cup"]) {
      const score = { leaderboard, season, score: 500 - i, segments: segment, display_name: `of ${player}` };
      await world.call("submitScore", score, user(player));
    }
  world.advance(minute);
  for (const key of [allTime(leaderboard), cup]) await publishRanking(world.services, key);
  world.advance(nextMidnight(world.services.now(), calendar) + 60 * minute - world.services.now());
  await world.call("closeSeason", cup, admin);
  await closeNow(world, cup);
  return world;
}

async function settle(world: RestWorld): Promise<void> {
  world.advance(10 * minute);
  await publishRanking(world.services, allTime(leaderboard));
  boardCacheOf(world.services).forget(leaderboard);
}

type Outcome = { answer: unknown } | { refused: string };

async function askCall(
  world: RestWorld,
  name: OperationName,
  request: object,
  caller?: Caller,
): Promise<Outcome> {
  const spec = everySpec[name] as unknown as Spec;
  try {
    return { answer: await answer(spec, world.services, request, caller) };
  } catch (error) {
    return { refused: String(error) };
  }
}

/** The same over REST; undefined where no path has it. */
async function askRest(
  world: RestWorld,
  name: OperationName,
  request: Record<string, unknown>,
  as?: string,
): Promise<Outcome | undefined> {
  const route = routes.find(
    (one) => one.name === name && Object.keys(one.inPath).every((part) => part in request),
  );
  if (route === undefined) return undefined;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, part: string) => String(request[part]));
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(request)) {
    if (field in route.inPath) continue;
    if (Array.isArray(value)) for (const one of value) query.append(field, String(one));
    else if (typeof value === "object" && value !== null)
      for (const [part, one] of Object.entries(value)) query.append(field, `${part}:${String(one)}`);
    else query.append(field, String(value));
  }
  const response = await world.get(`${path}?${query.toString()}`, as);
  const body: unknown = await response.json();
  return response.ok ? { answer: body } : { refused: JSON.stringify(body) };
}

const callers: { as: string | undefined; caller: Caller | undefined }[] = [
  { as: undefined, caller: undefined },
  { as: "bob", caller: user("bob") },
  { as: "ann", caller: user("ann") },
  { as: "moderator", caller: { uid: "moderator", role: "moderator" } },
  { as: "admin", caller: admin },
];

interface Told {
  what: string;
  outcome: string;
  ofClosed: boolean;
  asked: Asked;
}

/** What everybody is told about a player, whose name is left out of it. */
async function tell(world: RestWorld, player: string): Promise<Told[]> {
  const told: Told[] = [];
  for (const { name, all } of asked)
    for (const asked of all)
      for (const season of name === "getResults" ? [undefined] : [undefined, "cup"])
        for (const { as, caller } of asked.own ? [{ as: player, caller: user(player) }] : callers) {
          const request = { leaderboard, ...(season && { season }), ...asked.request(player) };
          const what = `${name} ${JSON.stringify(asked.request("…"))} ${season ?? ""} by ${as ?? "nobody"}`;
          const byCall = await askCall(world, name, request, caller && { ...caller, uid: as ?? "" });
          const byRest = await askRest(world, name, request, as);
          for (const [how, found] of Object.entries({ byCall, byRest }))
            if (found !== undefined) {
              const outcome = JSON.stringify(found)
                .replaceAll(player, "…")
                .replaceAll(/"as_of":"[^"]*"/g, "");
              told.push({ what: `${what}, ${how}`, outcome, ofClosed: season !== undefined, asked });
            }
        }
  return told;
}

test("every call is in the table", () => {
  expect(Object.keys(calls).toSorted()).toEqual(Object.keys(access).toSorted());
  // Whoever may ask without a role is asked here.
  const open = Object.entries(access).filter(([, who]) => who === "anyone" || who === "player");
  const reasons = open.flatMap(([name]) => {
    const all = (calls as Table)[name as OperationName];
    return typeof all === "string" ? [all] : [];
  });
  const ofMembers = [calls.getGroup, calls.getLeague];
  expect(new Set(reasons)).toEqual(new Set(["names nobody", "writes", ...ofMembers]));
});

describe("who is", () => {
  test("listed is shown to everybody who asks", async () => {
    const world = await begin(["ann", "bob"]);
    await settle(world);
    const told = await tell(world, "ann");
    const silent = told.filter(({ outcome }) => !outcome.includes('"score":500'));
    const unexpected = silent.filter(({ asked: { notOfClosed }, ofClosed, outcome }) => {
      // Some questions are refused to strangers, or over REST, whoever is asked about.
      const isRefused = /^\{"refused".*(sign in|not a field)/i.test(outcome);
      return !(notOfClosed && ofClosed) && !isRefused;
    });
    expect(unexpected.map(({ what, outcome }) => `${what}: ${outcome}`)).toEqual([]);
    expect(told.length - silent.length).toBeGreaterThan(100);
  });

  test.each(Object.keys(statuses) as (keyof typeof statuses)[])("%s is nobody", async (status) => {
    const world = await begin(["ann", "bob"]);
    await statuses[status](world);
    await settle(world);
    const [ofAnn, ofNobody] = [await tell(world, "ann"), await tell(world, "zed")];
    for (const [i, { what, outcome }] of ofAnn.entries()) {
      expect(`${what}: ${outcome}`).not.toContain('"score":500');
      expect(`${what}: ${outcome}`).toBe(`${what}: ${ofNobody[i]?.outcome ?? ""}`);
    }
  });
});
