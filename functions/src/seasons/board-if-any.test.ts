import { expect, test, vi } from "vitest";
import { storedDefinition } from "../model/definition.ts";
import { FirerankError } from "../model/errors.ts";
import { boardIfAny } from "./board.ts";
import type { Services } from "../world/services.ts";

const key = { leaderboard: "board", season: "all_time" };
const world = { log: { info: vi.fn(), warn: vi.fn(), error: vi.fn() } } as unknown as Services;
const readFailingWith = (error: Error | undefined) =>
  boardIfAny(world, key, () => Promise.reject(error ?? new Error("no error was made")));

test.each([
  ["is gone", new FirerankError("leaderboard_not_found", "There is none.")],
  ["cannot be read as one", storedDefinition.safeParse({ order: "sideways" }).error],
])("there is no board where the definition %s", async (_what, error) => {
  expect(await readFailingWith(error)).toBeUndefined();
});

test.each([
  ["of Firestore", Object.assign(new Error("14 UNAVAILABLE"), { code: 14 })],
  ["of the network", Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" })],
  ["in the code", new TypeError("undefined is not a function")],
])("an error %s does not pass for a board that is gone", async (_where, error) => {
  await expect(readFailingWith(error)).rejects.toBe(error);
});
