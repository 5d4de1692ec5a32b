/** The claim of admins, on the Auth emulator. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { type Auth, getAuth, type UserRecord } from "firebase-admin/auth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CliError } from "../../../cli/cli-error.ts";
import { describeUser, grantAdmin } from "../../../cli/grant-admin.ts";
import { projectId, root } from "../../../scripts/project.ts";

const app = initializeApp({ projectId }, "grant-admin-test");
let auth: Auth;
beforeAll(() => {
  if (process.env["FIREBASE_AUTH_EMULATOR_HOST"] === undefined) {
    throw new Error("The Auth emulator is not there: run these tests with `npm test`.");
  }
  auth = getAuth(app);
});
afterAll(() => deleteApp(app));

const agree = () => Promise.resolve();
const anAddress = () => `${randomUUID()}@example.com`;
const claimsOf = async (uid: string) => (await auth.getUser(uid)).customClaims;

test("a user with a verified address becomes an admin of leaderboards and keeps other claims", async () => {
  const email = anAddress();
  const { uid } = await auth.createUser({ email, emailVerified: true });
  await auth.setCustomUserClaims(uid, { team: "red" });
  expect(await grantAdmin(projectId, { email }, agree)).toEqual({ uid });
  expect(await grantAdmin(projectId, { email }, agree)).toEqual({ uid });
  expect(await claimsOf(uid)).toEqual({ team: "red", leaderboard_admin: true });
});

test("a user who registered an address without verifying it gets nothing, and the message says what to do", async () => {
  const email = anAddress();
  const { uid } = await auth.createUser({ email, password: "first come" });
  const refusal = await grantAdmin(projectId, { email }, agree).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CliError);
  const { message } = refusal as CliError;
  expect(message).toContain(`The address ${email} is not verified`);
  expect(message).toContain("sendEmailVerification");
  expect(message).toContain(`grant-admin --uid ${uid}`);
  expect(await claimsOf(uid)).toBeUndefined();
});

test("a uid names its user, verified or not", async () => {
  const { uid } = await auth.createUser({ email: anAddress() });
  expect(await grantAdmin(projectId, { uid }, agree)).toEqual({ uid });
  expect(await claimsOf(uid)).toEqual({ leaderboard_admin: true });
});

test("the user is shown before anything is written, and an answer of no writes nothing", async () => {
  const email = anAddress();
  const { uid } = await auth.createUser({ email, emailVerified: true, password: "a password" });
  let shown = "";
  const refuse = async (user: UserRecord) => {
    shown = describeUser(user);
    throw new CliError("Nothing was written.");
  };
  await expect(grantAdmin(projectId, { email }, refuse)).rejects.toThrow("Nothing was written.");
  expect(shown).toContain(uid);
  expect(shown).toContain(`${email}, verified`);
  expect(shown).toContain("password");
  const created = Date.parse(/created +(\S+)/.exec(shown)?.[1] ?? "");
  expect(Math.abs(created - Date.now())).toBeLessThan(60_000);
  expect(await claimsOf(uid)).toBeUndefined();
});

test("an unknown user is reported, by address and by uid", async () => {
  await expect(grantAdmin(projectId, { email: "nobody@example.com" }, agree)).rejects.toThrow(
    "No user in project demo-firerank has the address nobody@example.com.",
  );
  await expect(grantAdmin(projectId, { uid: "nobody" }, agree)).rejects.toThrow(
    "No user in project demo-firerank has the uid nobody.",
  );
});

test("the command line shows the user and grants the claim, by uid as well", async () => {
  const { uid } = await auth.createUser({ email: anAddress() });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["cli/main.ts", "grant-admin", "--uid", uid, "--project", projectId],
    { cwd: root, encoding: "utf8" },
  );
  expect(stderr).toContain("not verified");
  expect(stdout).toContain(`${uid} is an admin of leaderboards`);
  expect(status).toBe(0);
  expect(await claimsOf(uid)).toEqual({ leaderboard_admin: true });
});
