import { expect, test } from "vitest";
import { appMissing, needsApp } from "./refusal.ts";

const player = { uid: "ann" };

test("App Check applies to players and to callers who have not signed in", () => {
  expect([
    needsApp("submitScore", player),
    needsApp("getRank", player),
    needsApp("getRank", undefined),
  ]).toEqual([true, true, true]);
});

test.each(["submitter", "moderator", "admin"] as const)(
  "App Check does not apply to a %s, whatever is called, as servers have no app",
  (role) => {
    const caller = { uid: "office", role, boards: ["cup"] };
    expect([needsApp("submitScore", caller), needsApp("getRank", caller)]).toEqual([false, false]);
  },
);

test("App Check does not apply to calls that need a role", () => {
  expect(needsApp("submitScores", undefined)).toBe(false);
});

test("callers without a token are told how to send one", () => {
  const error = appMissing("send it as X-Firebase-AppCheck");
  expect(error).toMatchObject({
    code: "app_check_missing",
    message: expect.stringContaining("send it as X-Firebase-AppCheck") as string,
  });
});
