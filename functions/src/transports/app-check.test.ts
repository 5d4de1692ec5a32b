import { expect, test } from "vitest";
import { appMissing, needsApp } from "./refusal.ts";

const player = { uid: "ann", admin: false };
const admin = { uid: "boss", admin: true };

test("App Check applies to players and to callers who have not signed in", () => {
  expect([needsApp("player", player), needsApp("anyone", player), needsApp("anyone", undefined)]).toEqual([
    true,
    true,
    true,
  ]);
});

test("App Check does not apply to admins, whatever they call, nor to calls for admins only", () => {
  expect([needsApp("player", admin), needsApp("anyone", admin), needsApp("admin", undefined)]).toEqual([
    false,
    false,
    false,
  ]);
});

test("callers without a token are told how to send one", () => {
  const error = appMissing("send it as X-Firebase-AppCheck");
  expect(error).toMatchObject({
    code: "app_check_missing",
    message: expect.stringContaining("send it as X-Firebase-AppCheck") as string,
  });
});
