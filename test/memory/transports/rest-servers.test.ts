/** Servers over REST: with the identity of their service account, and with the role that it has. */
import { beforeEach, describe, expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { createRestWorld, outcomeOf, type RestWorld } from "../../support/rest-world.ts";
import { server, serverToken } from "../../support/server-tokens.ts";
import { callOn, admin, allTime, createBoard } from "../../support/world.ts";

let world: RestWorld;
beforeEach(async () => {
  world = createRestWorld();
  world.enforceAppCheck = true;
  await createBoard(world, "arena", { submit: "server" });
  await createBoard(world, "cup", { submit: "server" });
});

const grant = (role: "submitter" | "none", boards?: string[]) =>
  world.call("setRole", { email: server, role, ...(boards && { boards }) }, admin);
const submit = (board: string, token = serverToken()) =>
  world.send("POST", `/v1/leaderboards/${board}/scores`, { as: token, body: { player: "ann", score: 5 } });

test("a server submits for players and reads, without an App Check token", async () => {
  await grant("submitter");
  const response = await submit("arena");
  expect(await response.json()).toMatchObject({ player: "ann", seasons: [{ score: 5 }] });
  expect((await world.get("/v1/leaderboards/arena/top", serverToken())).status).toBe(200);
});

describe("is refused", () => {
  test.each([
    ["scores", { score: 5 }],
    ["profile", { display_name: "Ann" }],
  ])("in POST %s where it forgets the player: it is none itself", async (path, body) => {
    await grant("submitter");
    const response = await world.send("POST", `/v1/leaderboards/arena/${path}`, { as: serverToken(), body });
    expect(await outcomeOf(response)).toEqual({ status: 400, code: "invalid_request", paths: ["player"] });
  });

  // An account of Firebase Auth is one that could play: on other boards its score is its own.
  test.each([
    ["scores", { score: 5 }],
    ["profile", { display_name: "Ann" }],
    ["profile", { metadata: { team: "red" } }],
  ])("in POST %s of %j by an account with a role, where servers submit", async (path, body) => {
    const response = await world.send("POST", `/v1/leaderboards/arena/${path}`, { as: "admin", body });
    expect(await outcomeOf(response)).toEqual({ status: 400, code: "invalid_request", paths: ["player"] });
    expect((await world.db.doc(seasonPath(allTime("arena"))).get()).exists).toBe(false);
  });

  test("without a role, as anybody's service account can get a token for this project", async () => {
    const response = await submit("arena");
    expect(await response.clone().json()).toMatchObject({
      error: { message: expect.stringContaining(`firerank grant ${server} submitter`) as string },
    });
    expect(await outcomeOf(response)).toEqual({ status: 403, code: "not_allowed" });
    const read = await world.get("/v1/leaderboards/arena/top", serverToken());
    expect(await outcomeOf(read)).toEqual({ status: 403, code: "not_allowed" });
  });

  test("on boards that its role is not for", async () => {
    await grant("submitter", ["cup"]);
    expect(await outcomeOf(await submit("arena"))).toEqual({ status: 403, code: "not_allowed" });
    expect(await outcomeOf(await submit("cup"))).toEqual({ status: 200 });
  });

  test("within a minute after its role was taken away, in all instances", async () => {
    await grant("submitter");
    await submit("arena");
    // Another instance takes it away: this one remembers it.
    const other = world.anotherInstance();
    await callOn(other, "setRole", { email: server, role: "none" }, admin);
    expect(await outcomeOf(await submit("arena"))).toEqual({ status: 200 });
    world.advance(60_001);
    expect(await outcomeOf(await submit("arena"))).toEqual({ status: 403, code: "not_allowed" });
  });

  test("with a token that is not valid, such as one for another project", async () => {
    await grant("submitter");
    const response = await submit("arena", serverToken({ aud: "another-game" }));
    expect(response.headers.get("www-authenticate")).toContain("Bearer");
    expect(await outcomeOf(response)).toEqual({ status: 401, code: "unauthenticated" });
  });
});
