/** Who may call what, and who says so: each role against each operation, and `setRole`. */
import { beforeEach, describe, expect, test } from "vitest";
import { access, type Caller } from "../../../functions/src/operations/shared/access.ts";
import { rolesPath } from "../../../functions/src/documents/paths.ts";
import { answer, type OperationSpec } from "../../../functions/src/operations/shared/spec.ts";
import * as specs from "../../../functions/src/operations/specs.ts";
import { routes } from "../../../functions/src/transports/rest/routes.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { admin, createBoard, user, eachWorld } from "../../support/world.ts";
import { serversOf } from "../../../functions/src/operations/shared/caller-memory.ts";

const operations = Object.entries(specs) as unknown as [string, OperationSpec<never, unknown>][];
const ofAll = [
  "getAround",
  "getHistogram",
  "getHistory",
  "getPage",
  "getPlayers",
  "getRank",
  "getTeams",
  "getThreshold",
  "getTop",
  "listSeasons",
];
const ofPlayers = [
  ...ofAll,
  "createGroup",
  "deleteGroup",
  "getGroup",
  "getLeague",
  "getMyBoards",
  "getMyGroups",
  "getResults",
  "joinGroup",
  "leaveGroup",
  "mergeGuest",
  "removeMember",
  "renameGroup",
  "setProfile",
  "submitScore",
];
const ofSubmitters = [...ofPlayers, "submitScores"];
const ofModerators = [...ofSubmitters, "listAlerts", "setPlayerStatus"];
/** Without a board in the request, they concern all. */
const ofProject = ["exportPlayer", "getRoles", "mergePlayers", "removePlayer", "setRole"];

const world = eachWorld();
beforeEach(async () => {
  await createBoard(world, "cup", { visibility: "public" });
  await createBoard(world, "league", { visibility: "public", submit: "server" });
});

/** The operations that let a caller as far as the request itself, which is wrong on purpose: nothing happens. */
async function openTo(caller: Caller | undefined, request: object): Promise<string[]> {
  const open: string[] = [];
  for (const [name, spec] of operations) {
    const code = await answer(
      spec,
      world.services,
      { ...request, season: 0, player: 0, limit: -1 },
      caller,
    ).then(
      () => "answered",
      (error: unknown) => (error as { code?: string }).code,
    );
    if (code === "invalid_request") open.push(name);
    else expect([name, code]).toEqual([name, caller === undefined ? "unauthenticated" : "not_allowed"]);
  }
  return open.toSorted();
}

const all = operations.map(([name]) => name).toSorted();

test("each operation has its line, under its own name, and no line is of nothing", () => {
  expect(operations.filter(([name, spec]) => name !== spec.name)).toEqual([]);
  const served = [...all, ...routes.map(({ name }) => name)];
  expect([...new Set(served)].toSorted()).toEqual(Object.keys(access).toSorted());
});

test.each<[string, Caller | undefined, string[]]>([
  ["nobody", undefined, ofAll],
  ["a player", user("ann"), ofPlayers],
  ["a submitter", { uid: "server", role: "submitter" }, ofSubmitters],
  ["a moderator", { uid: "mona", role: "moderator" }, ofModerators],
  ["an admin", admin, all],
])("in the whole project %s may call what the table says", async (_who, caller, may) => {
  expect(await openTo(caller, { leaderboard: "cup" })).toEqual(may.toSorted());
  expect(await openTo(caller, {})).toEqual(may.toSorted());
});

describe("on some boards", () => {
  test.each<[Caller["role"] & string, string[]]>([
    ["submitter", ofSubmitters],
    ["moderator", ofModerators],
    // What is for the whole project only is refused by the request, which has no such field.
    ["admin", all],
  ])("a %s may call there what others may everywhere, and elsewhere what players may", async (role, may) => {
    const caller = { uid: "mona", role, boards: ["cup"] };
    expect(await openTo(caller, { leaderboard: "cup" })).toEqual(may.toSorted());
    expect(await openTo(caller, { leaderboard: "league" })).toEqual(ofPlayers.toSorted());
    expect(await openTo(caller, { leaderboard: ["cup"] })).toEqual(ofPlayers.toSorted());
    expect(await openTo(caller, {})).toEqual(ofPlayers.toSorted());
  });

  test("an admin can't call what concerns the whole project", async () => {
    const caller: Caller = { uid: "mona", role: "admin", boards: ["cup"] };
    const spec = (name: string) => operations.find(([one]) => one === name)?.[1] ?? expect.fail(name);
    for (const name of ofProject) {
      const whole = answer(spec(name), world.services, { player: "ann", from: "a", to: "b" }, caller);
      await expect(whole, name).rejects.toMatchObject({
        code: "not_allowed",
        message: expect.stringContaining("yours is admin for cup only") as string,
      });
    }
    for (const name of ["getRoles", "setRole"]) {
      const wrong = { leaderboard: "cup", uid: "mona", role: "admin" };
      await expect(answer(spec(name), world.services, wrong, caller), name).rejects.toMatchObject({
        code: "invalid_request",
        details: {
          fields: expect.arrayContaining([expect.objectContaining({ path: "leaderboard" })]) as unknown,
        },
      });
    }
  });

  test("a server submits for players only there", async () => {
    const server: Caller = { uid: "server", role: "submitter", boards: ["league"] };
    const submissions = [{ player: "ann", score: 5 }];
    const { results } = await world.call("submitScores", { leaderboard: "league", submissions }, server);
    expect(results).toMatchObject([{ player: "ann", seasons: [{ score: 5 }] }]);
    await expectRefusal(world, "not_allowed", () =>
      world.call("submitScores", { leaderboard: "cup", submissions }, server),
    );
    await expectRefusal(world, "server_scores_only", () =>
      world.call("submitScore", { leaderboard: "league", score: 1 }, { ...server, boards: ["cup"] }),
    );
  });
});

test("a refusal says which role is needed, and how to get it", async () => {
  await expect(
    world.call("submitScores", { leaderboard: "cup", submissions: [] }, user("ann")),
  ).rejects.toMatchObject({
    code: "not_allowed",
    message:
      "submitScores needs the role submitter. An owner of the project grants it: " +
      "npx --no-install firerank grant ann submitter. " +
      "If that was done, sign out and in again: a role comes with the next ID token.",
  });
});

describe("setRole", () => {
  const set = (request: object, caller = admin) => world.call("setRole", request as never, caller);
  const server = "game@my-game.iam.gserviceaccount.com";
  /** All who are listed but the admin who asks, without who granted it and when. */
  const listed = async () => {
    const { roles } = await world.call("getRoles", {}, admin);
    return roles
      .filter(({ uid }) => uid !== "admin")
      .map(({ granted_by: _, granted_at: __, ...shown }) => shown);
  };

  beforeEach(() => {
    world.accounts.add({ uid: "mona", email: "mona@example.com", customClaims: { team: "red" } });
    world.accounts.add({ uid: "eve", email: "eve@example.com", emailVerified: false });
    world.accounts.add({ uid: "admin", customClaims: { leaderboard_role: "admin" } });
  });

  test("gives a person a role by a verified address or by uid, keeps foreign claims, and takes it away", async () => {
    expect(await set({ email: "Mona@Example.com", role: "moderator", boards: ["cup"] })).toEqual({
      uid: "mona",
      email: "mona@example.com",
      verified: true,
      role: "moderator",
      boards: ["cup"],
    });
    expect(world.accounts.claimsOf("mona")).toEqual({
      team: "red",
      leaderboard_role: "moderator",
      leaderboard_boards: ["cup"],
    });
    await set({ uid: "mona", role: "admin" });
    expect(world.accounts.claimsOf("mona")).toEqual({ team: "red", leaderboard_role: "admin" });
    expect(await set({ uid: "mona", role: "none" })).toMatchObject({ uid: "mona", role: "none" });
    expect(world.accounts.claimsOf("mona")).toEqual({ team: "red" });
  });

  test("gives a stranger nothing by an address that is not verified, and says what would help", async () => {
    await expect(set({ email: "eve@example.com", role: "admin" })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^email: is not verified.* give the uid eve$/) as string,
    });
    expect(world.accounts.claimsOf("eve")).toEqual({});
    await set({ uid: "eve", role: "submitter" });
    // Taking away needs no proof.
    await set({ email: "eve@example.com", role: "none" });
    expect(world.accounts.claimsOf("eve")).toEqual({});
  });

  test.each([
    [{ role: "admin" }, "email"],
    [{ email: "mona@example.com", uid: "mona", role: "admin" }, "email"],
    [{ email: "mona", role: "admin" }, "email"],
    [{ email: "nobody@example.com", role: "admin" }, "email"],
    [{ uid: "nobody", role: "admin" }, "uid"],
    [{ uid: "a/b", role: "admin" }, "uid"],
    [{ uid: "mona", role: "owner" }, "role"],
    [{ uid: "mona" }, "role"],
    [{ uid: "mona", role: "admin", boards: [] }, "boards"],
    [{ uid: "mona", role: "admin", boards: ["a/b"] }, "boards.0"],
    [{ uid: "mona", role: "none", boards: ["cup"] }, "boards"],
    [{ uid: "mona", role: "admin", boards: Array.from({ length: 101 }, (_, i) => `b${i}`) }, "boards"],
    // More than Firebase's 1,000 characters of claims.
    [
      { uid: "mona", role: "admin", boards: Array.from({ length: 20 }, (_, i) => `${"b".repeat(60)}${i}`) },
      "boards",
    ],
  ])("refuses %j, and changes nothing", async (request, path) => {
    await expect(set(request)).rejects.toMatchObject({
      code: "invalid_request",
      details: { fields: [expect.objectContaining({ path })] },
    });
    expect(world.accounts.claimsOf("mona")).toEqual({ team: "red" });
  });

  test("nobody can lock themselves out, and an admin can be given the same role again", async () => {
    for (const change of [{ role: "none" }, { role: "moderator" }, { role: "admin", boards: ["cup"] }])
      await expect(set({ uid: "admin", ...change })).rejects.toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining("is your own") as string,
      });
    expect(world.accounts.claimsOf("admin")).toEqual({ leaderboard_role: "admin" });
    await set({ uid: "admin", role: "admin" });
    expect(world.accounts.claimsOf("admin")).toEqual({ leaderboard_role: "admin" });
    const own: Caller = { uid: server, role: "admin" };
    await expect(set({ email: server, role: "none" }, own)).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  test("gives a service account a role, which all instances know after a minute; 1 read and 1 write", async () => {
    const other = world.anotherInstance();
    expect(await serversOf(other).roleOf(server)).toBeUndefined();
    const { result, bill } = await world.meter.measure(() =>
      set({ email: server, role: "submitter", boards: ["cup"] }),
    );
    expect(result).toEqual({ email: server, role: "submitter", boards: ["cup"] });
    expect(bill).toEqual({ reads: 1, writes: 1, deletes: 0 });
    expect(await serversOf(world.services).roleOf(server)).toMatchObject({
      role: "submitter",
      boards: ["cup"],
    });
    expect(await serversOf(other).roleOf(server)).toBeUndefined();
    world.advance(60_001);
    expect(await serversOf(other).roleOf(server)).toMatchObject({ role: "submitter", boards: ["cup"] });

    // A role for all boards leaves nothing of the one for some.
    await set({ email: server, role: "admin" });
    await set({ email: "b@my-game.iam.gserviceaccount.com", role: "submitter" });
    expect(await listed()).toEqual([
      { email: "b@my-game.iam.gserviceaccount.com", role: "submitter" },
      { email: server, role: "admin" },
    ]);
    await set({ email: server, role: "none" });
    expect(await serversOf(world.services).roleOf(server)).toBeUndefined();
    expect(await world.call("getRoles", { email: server }, admin)).toEqual({
      roles: [{ email: server, role: "none" }],
    });
  });

  test("an instance asks for the roles of servers once a minute, however many requests come", async () => {
    await set({ email: server, role: "submitter" });
    const other = world.anotherInstance();
    const { bill } = await world.meter.measure(async () => {
      await Promise.all(Array.from({ length: 5 }, () => serversOf(other).roleOf(server)));
      for (let i = 0; i < 5; i++) await serversOf(other).roleOf(server);
    });
    expect(bill).toEqual({ reads: 1, writes: 0, deletes: 0 });
  });

  test("a line that somebody damaged by hand gives no role, and the others stand", async () => {
    await set({ email: server, role: "submitter" });
    await world.db.doc(rolesPath).update({ "servers.eve": { role: "owner" }, "servers.bob": "admin" });
    expect(await listed()).toEqual([{ email: server, role: "submitter" }]);
    await world.db.doc(rolesPath).set({ servers: "none" });
    expect(await listed()).toEqual([]);
    await set({ email: server, role: "admin" });
    expect(await listed()).toEqual([{ email: server, role: "admin" }]);
  });
});

describe("getRoles without an account", () => {
  const set = (request: object, caller = admin) => world.call("setRole", request as never, caller);
  const list = async (caller: Caller = admin) => (await world.call("getRoles", {}, caller)).roles;
  const server = "game@my-game.iam.gserviceaccount.com";
  const mona = { uid: "mona", email: "mona@example.com", verified: true };

  beforeEach(() => {
    world.accounts.add({ uid: "mona", email: "mona@example.com" });
    world.accounts.add({ uid: "zoe" });
    world.accounts.add({
      uid: "admin",
      email: "admin@example.com",
      customClaims: { leaderboard_role: "admin" },
    });
  });

  test("lists people and servers with who granted the role, and when; 1 read, and a grant is 1 read and 1 write", async () => {
    const granted_at = new Date(world.services.now()).toISOString();
    const { bill } = await world.meter.measure(() => set({ uid: "mona", role: "admin" }));
    expect(bill).toEqual({ reads: 1, writes: 1, deletes: 0 });
    world.advance(60_000);
    const by = { uid: "mona", role: "admin" } as const;
    await set({ uid: "zoe", role: "moderator", boards: ["cup"] }, by);
    await set({ email: server, role: "submitter" }, by);
    const later = {
      granted_by: "mona@example.com",
      granted_at: new Date(world.services.now()).toISOString(),
    };
    const { result, bill: listing } = await world.meter.measure(() => list());
    expect(result).toEqual([
      // Nobody has noted who made the first admin.
      { uid: "admin", email: "admin@example.com", verified: true, role: "admin" },
      { ...mona, role: "admin", granted_by: "admin@example.com", granted_at },
      { uid: "zoe", role: "moderator", boards: ["cup"], ...later },
      { email: server, role: "submitter", ...later },
    ]);
    expect(listing).toEqual({ reads: 1, writes: 0, deletes: 0 });
    const [one] = (await world.call("getRoles", { email: server }, admin)).roles;
    expect(one).toEqual({ email: server, role: "submitter", ...later });
  });

  test("says what claims say: who lost the role elsewhere is not listed, who got another one has that", async () => {
    await set({ uid: "mona", role: "admin" });
    await set({ uid: "zoe", role: "admin" });
    await world.accounts.setClaims("mona", {});
    await world.accounts.setClaims("zoe", { leaderboard_role: "submitter" });
    expect((await list()).map(({ uid, role }) => [uid, role])).toEqual([
      ["admin", "admin"],
      ["zoe", "submitter"],
    ]);
  });

  test("does not list who has lost the role, nor an account that is gone", async () => {
    await set({ uid: "mona", role: "admin" });
    await set({ uid: "mona", role: "none" });
    await set({ uid: "zoe", role: "moderator" });
    world.accounts.remove("zoe");
    expect((await list()).map(({ uid }) => uid)).toEqual(["admin"]);
    const stored = (await world.db.doc(rolesPath).get()).data();
    expect(Object.keys((stored?.["people"] ?? {}) as object)).toEqual(["zoe"]);
  });

  test("an account that is gone is taken out by its uid, also where it has granted roles; nothing else of it is stored", async () => {
    await set({ uid: "mona", role: "admin" });
    const by = { uid: "mona", role: "admin" } as const;
    await set({ uid: "zoe", role: "moderator" }, by);
    await set({ email: server, role: "submitter" }, by);
    world.accounts.remove("mona");
    expect(await set({ uid: "mona", role: "none" })).toEqual({ uid: "mona", role: "none" });
    expect(JSON.stringify((await world.db.doc(rolesPath).get()).data())).not.toContain("mona");
    expect((await list()).map(({ uid, email, role }) => [uid ?? email, role])).toEqual([
      ["admin", "admin"],
      ["zoe", "moderator"],
      [server, "submitter"],
    ]);
    await expect(set({ uid: "mona", role: "none" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("a thousand people may have a role, and one more is refused before anything is given", async () => {
    const people = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`p${i}`, {}]));
    await world.db.doc(rolesPath).set({ people });
    await expect(set({ uid: "mona", role: "admin" })).rejects.toMatchObject({ code: "invalid_request" });
    expect(world.accounts.claimsOf("mona")).toEqual({});
    await set({ uid: "p7", role: "none" });
    await set({ uid: "mona", role: "admin" });
  });

  test("a server that asks is listed once, as a server", async () => {
    await set({ email: server, role: "admin" });
    const found = await list({ uid: server, role: "admin", isService: true });
    expect(found.map(({ uid, email }) => uid ?? email)).toEqual([server]);
  });
});

test("getRoles looks a person up, by address or uid", async () => {
  world.accounts.add({ uid: "old", email: "old@example.com", customClaims: { leaderboard_role: "admin" } });
  world.accounts.add({ uid: "ann" });
  const shown = { uid: "old", email: "old@example.com", verified: true, role: "admin" };
  expect(await world.call("getRoles", { email: "old@example.com" }, admin)).toEqual({ roles: [shown] });
  expect(await world.call("getRoles", { uid: "old" }, admin)).toEqual({ roles: [shown] });
  expect(await world.call("getRoles", { uid: "ann" }, admin)).toEqual({
    roles: [{ uid: "ann", role: "none" }],
  });
  await expect(world.call("getRoles", { uid: "bob" }, admin)).rejects.toMatchObject({
    code: "invalid_request",
  });
});
