import { describe, expect, test } from "vitest";
import { audience, keys, server, serverToken } from "../../../../test/support/server-tokens.ts";
import { FirerankError } from "../../model/errors.ts";
import { createServerCheck, isServerToken } from "./server-tokens.ts";

const check = createServerCheck(() => audience, keys);
const seconds = Math.floor(Date.now() / 1_000);

test("a token that Google has signed for the project gives the service account's address", async () => {
  expect(await check(serverToken())).toBe(server);
  expect(await check(serverToken({ iss: "accounts.google.com" }))).toBe(server);
});

describe("no other token counts", () => {
  const unsigned = (token: string) => `${token.split(".").slice(0, 2).join(".")}.`;
  test.each([
    ["for another project", serverToken({ aud: "another-game" })],
    [
      "for the address of a function",
      serverToken({ aud: "https://us-central1-my-game.cloudfunctions.net/a" }),
    ],
    ["for several at once", serverToken({ aud: [audience] })],
    ["for nobody", serverToken({ aud: undefined })],
    ["that has expired", serverToken({ iat: seconds - 7_200, exp: seconds - 3_600 })],
    ["that is not valid yet", serverToken({ iat: seconds + 3_600, exp: seconds + 7_200 })],
    ["that never expires", serverToken({ exp: undefined })],
    ["of another issuer", serverToken({ iss: "https://securetoken.google.com/my-game" })],
    ["of an issuer with a similar name", serverToken({ iss: "https://accounts.google.com.example.com" })],
    ["signed with another key", serverToken({}, "stranger")],
    ["without a signature", unsigned(serverToken())],
    ["without an address", serverToken({ email: undefined })],
    ["whose address is not verified", serverToken({ email_verified: false })],
    ["whose address is verified in words", serverToken({ email_verified: "true" })],
    ["that is no token", "abc"],
    ["of three parts", "a.b.c"],
  ])("one %s", async (_what, token) => {
    const error: unknown = await check(token).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "unauthenticated" });
    // Whoever reads a log must not get a token with it.
    expect((error as Error).message).not.toContain(token);
    expect((error as Error).cause).toBeUndefined();
  });
});

test.each([
  [
    "Google can't be reached",
    createServerCheck(
      () => audience,
      () => Promise.reject(new Error("ENOTFOUND")),
    ),
  ],
  ["the project is not known", createServerCheck(() => undefined, keys)],
  ["the project has no name", createServerCheck(() => "", keys)],
])("where %s it is our fault, and nobody is let in", async (_what, unable) => {
  const error: unknown = await unable(serverToken()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(FirerankError);
});

test("Google's tokens are told from Firebase's by what they say of their issuer", () => {
  expect(isServerToken(serverToken())).toBe(true);
  expect(isServerToken(serverToken({ iss: "https://securetoken.google.com/my-game" }))).toBe(false);
  expect(
    ["", "abc", "a.b.c", `a.${Buffer.from("null").toString("base64url")}.c`].filter(isServerToken),
  ).toEqual([]);
});
