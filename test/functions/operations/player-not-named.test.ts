/** Calls of somebody with a role that name no player: where players may not call, the caller is not who is meant. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../../functions/src/operations/shared/access.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
beforeEach(async () => {
  await createBoard(world, "cup");
  await createBoard(world, "league", { submit: "server" });
});

describe.each(["submitter", "moderator", "admin"] as const)("a %s who names no player", (role) => {
  const caller: Caller = { uid: "mona", role };
  const submit = (leaderboard: string) => world.call("submitScore", { leaderboard, score: 1 }, caller);
  const set = (leaderboard: string, more: object = {}) =>
    world.call("setProfile", { leaderboard, display_name: "Mona", ...more }, caller);

  test("is refused where a server submits, as one that forgot the player would play itself", async () => {
    await expectRefusal(world, invalid("player"), () => submit("league"));
    await expectRefusal(world, invalid("player"), () => set("league"));
    await expect(submit("league")).rejects.toThrow("player: is missing: on this board a server submits");
    expect(await set("league", { player: "mona" })).toMatchObject({ player: "mona" });
  });

  test("plays on other boards", async () => {
    expect(await submit("cup")).toMatchObject({ player: "mona", seasons: [{ score: 1 }] });
    expect(await set("cup")).toMatchObject({ player: "mona", seasons: [{ changed: true }] });
  });
});
