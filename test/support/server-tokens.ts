/** OIDC tokens as Google gives them to servers, signed with a key of the tests' own. */
import { generateKeyPairSync, sign } from "node:crypto";
import type { Certificates } from "google-auth-library";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2_048 });

export const audience = "my-game";
export const server = "game@my-game.iam.gserviceaccount.com";

/** The public keys, in the form in which the library has Google's. */
export const keys = async (): Promise<Certificates> => ({
  k1: publicKey.export({ type: "spki", format: "pem" }).toString(),
});

/** @param by whose key signs it: the tests' own, or a stranger's. */
export function serverToken(claims: object = {}, by: "own" | "stranger" = "own"): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const usual = {
    iss: "https://accounts.google.com",
    aud: audience,
    sub: "104",
    email: server,
    email_verified: true,
    iat: seconds,
    exp: seconds + 3_600,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "RS256", kid: "k1", typ: "JWT" })}.${part({ ...usual, ...claims })}`;
  const key = by === "own" ? privateKey : stranger.privateKey;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}
