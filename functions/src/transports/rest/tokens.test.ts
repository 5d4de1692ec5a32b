import { connect } from "node:net";
import { Agent } from "node:https";
import { deleteApp, getApp, initializeApp } from "firebase-admin/app";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FirerankError } from "../../model/errors.ts";
import { firebaseTokens } from "./tokens.ts";

const projectId = "demo-firerank";

/** An app that cannot reach Google's servers: nothing listens at their address. */
beforeEach(() => {
  vi.stubEnv("FIREBASE_AUTH_EMULATOR_HOST", undefined);
  const httpAgent = new Agent();
  httpAgent.createConnection = () => connect({ host: "127.0.0.1", port: 1 });
  initializeApp({ projectId, httpAgent });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await deleteApp(getApp());
});

/** A complete token except for the signature, which can only be checked with Google's keys. */
function tokenOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const nowSeconds = Math.floor(Date.now() / 1000);
  const times = { iat: nowSeconds, auth_time: nowSeconds, exp: nowSeconds + 3600 };
  return [part({ alg: "RS256", kid: "k", typ: "JWT" }), part({ ...times, ...claims }), "c2ln"].join(".");
}

const idToken = tokenOf({ aud: projectId, iss: `https://securetoken.google.com/${projectId}`, sub: "ann" });
const appToken = tokenOf({
  aud: [`projects/${projectId}`],
  iss: "https://firebaseappcheck.googleapis.com/1",
  sub: "app",
});

test.each([
  ["an ID token", () => firebaseTokens.caller(idToken)],
  ["an App Check token", () => firebaseTokens.isApp(appToken)],
])("%s that cannot be checked is our fault, not the sender's", async (_, check) => {
  const error = await (check() as Promise<unknown>).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(FirerankError);
});

test("a malformed token is refused, whether Google can be reached or not", async () => {
  for (const token of ["abc", tokenOf({ aud: "another-project", sub: "ann" })])
    await expect(firebaseTokens.caller(token)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await firebaseTokens.isApp("abc")).toBe(false);
});
