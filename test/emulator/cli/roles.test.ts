/** `grant` and `revoke`, with the accounts of the Auth emulator. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { type Auth, getAuth } from "firebase-admin/auth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectId, root } from "../../../scripts/project.ts";

const app = initializeApp({ projectId }, "roles-test");
let auth: Auth;
beforeAll(() => {
  if (process.env["FIREBASE_AUTH_EMULATOR_HOST"] === undefined) {
    throw new Error("The Auth emulator is not there: run these tests with `npm test`.");
  }
  auth = getAuth(app);
});
afterAll(() => deleteApp(app));

const anAddress = () => `${randomUUID()}@example.com`;
const claimsOf = async (uid: string) => (await auth.getUser(uid)).customClaims;

function firerank(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const words = ["cli/main.ts", ...args, "--project", projectId];
  return spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
}

test("a person with a verified address gets a role, keeps other claims, and loses it again", async () => {
  const email = anAddress();
  const { uid } = await auth.createUser({ email, emailVerified: true, password: "a password" });
  await auth.setCustomUserClaims(uid, { team: "red", leaderboard_role: "admin" });
  const granted = firerank("grant", email, "moderator", "--boards", "chess,checkers");
  expect(granted.stdout).toContain(
    `${email} (${uid}) has the role moderator for the boards chess, checkers: sign out and in again`,
  );
  expect(granted.status).toBe(0);
  expect(granted.stderr).toContain('There is no board "chess", "checkers": the role holds there once');
  for (const shown of [uid, `${email}, verified`, "password", "created"])
    expect(granted.stderr).toContain(shown);
  expect(await claimsOf(uid)).toEqual({
    team: "red",
    leaderboard_role: "moderator",
    leaderboard_boards: ["chess", "checkers"],
  });
  expect(firerank("revoke", email).stdout).toContain(`${email} (${uid}) has no role`);
  expect(await claimsOf(uid)).toEqual({ team: "red" });
});

test("a person who registered an address without verifying it gets nothing by it, and the message says what to do", async () => {
  const email = anAddress();
  const { uid } = await auth.createUser({ email, password: "first come" });
  const { status, stderr } = firerank("grant", email, "admin");
  expect(stderr).toContain("email: is not verified");
  expect(stderr).toContain(`give the uid ${uid}`);
  expect(stderr).toContain(`firerank grant ${uid} admin --project ${projectId} --emulators`);
  expect(status).toBe(2);
  expect(await claimsOf(uid)).toBeUndefined();
  // A uid names its person, verified or not.
  expect(firerank("grant", uid, "admin").status).toBe(0);
  expect(await claimsOf(uid)).toEqual({ leaderboard_role: "admin" });
});

test("a uid that looks like an address needs --uid", async () => {
  const uid = anAddress();
  await auth.createUser({ uid });
  const { status, stderr } = firerank("grant", uid, "submitter");
  expect(stderr).toContain(`email: is no account's in project ${projectId}`);
  expect(status).toBe(2);
  expect(firerank("grant", uid, "submitter", "--uid").status).toBe(0);
  expect(await claimsOf(uid)).toEqual({ leaderboard_role: "submitter" });
});

test("a service account gets a role, and loses it", () => {
  const email = `${randomUUID()}@my-game.iam.gserviceaccount.com`;
  expect(firerank("grant", email, "submitter").stdout).toBe(
    `${email} has the role submitter for all boards: within a minute.\n`,
  );
  expect(firerank("revoke", email).stdout).toBe(`${email} has no role: within a minute.\n`);
});
