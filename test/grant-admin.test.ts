/** The claim of admins, on the Auth emulator. */
import { randomUUID } from "node:crypto";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { type Auth, getAuth } from "firebase-admin/auth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { grantAdmin } from "../cli/grant-admin.ts";
import { projectId } from "../scripts/project.ts";

const app = initializeApp({ projectId }, "grant-admin-test");
let auth: Auth;
beforeAll(() => {
  if (process.env["FIREBASE_AUTH_EMULATOR_HOST"] === undefined) {
    throw new Error("The Auth emulator is not there: run these tests with `npm test`.");
  }
  auth = getAuth(app);
});
afterAll(() => deleteApp(app));

test("a user becomes an admin of leaderboards and keeps other claims", async () => {
  const email = `${randomUUID()}@example.com`;
  const { uid } = await auth.createUser({ email });
  await auth.setCustomUserClaims(uid, { team: "red" });
  expect(await grantAdmin(projectId, email)).toEqual({ uid });
  expect(await grantAdmin(projectId, email)).toEqual({ uid });
  expect((await auth.getUser(uid)).customClaims).toEqual({ team: "red", leaderboard_admin: true });
});

test("an address that nobody has is told", async () => {
  await expect(grantAdmin(projectId, "nobody@example.com")).rejects.toThrow(
    "Nobody in project demo-firerank has the address nobody@example.com.",
  );
});
