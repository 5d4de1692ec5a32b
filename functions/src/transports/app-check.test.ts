import { expect, test } from "vitest";
import { appMissing, needsApp } from "./refusal.ts";

const player = { uid: "ann" };

test.each<[...Parameters<typeof needsApp>, boolean]>([
  ["submitScore", player, true],
  ["getRank", player, true],
  ["getRank", undefined, true],
  // Calls that need a role are of servers, which have no app.
  ["submitScores", undefined, false],
])("App Check applies to %s by %o: %s", (name, caller, applies) => {
  expect(needsApp(name, caller)).toBe(applies);
});

test.each(["submitter", "moderator", "admin"] as const)("App Check does not apply to a %s", (role) => {
  const caller = { uid: "office", role, boards: ["cup"] };
  expect([needsApp("submitScore", caller), needsApp("getRank", caller)]).toEqual([false, false]);
});

test("callers without a token are told how to send one", () => {
  const error = appMissing("send it as X-Firebase-AppCheck");
  expect(error).toMatchObject({
    code: "app_check_missing",
    message: expect.stringContaining("send it as X-Firebase-AppCheck") as string,
  });
});
