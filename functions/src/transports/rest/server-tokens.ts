/**
 * The identity of a server. Google signs an OIDC token for the service account that the server runs as, so a server
 * needs no key, and no account in Firebase Auth.
 */
import { type Certificates, OAuth2Client } from "google-auth-library";
import { FirerankError } from "../../model/errors.ts";

/** Checks a token. @returns the e-mail address of the service account. @throws `unauthenticated` */
export type CheckServer = (token: string) => Promise<string>;

const issuers = ["https://accounts.google.com", "accounts.google.com"];

/**
 * Whether a token names Google as its issuer, as servers' tokens do. Firebase's ID tokens name another issuer. Checks
 * no signature.
 */
export function isServerToken(token: string): boolean {
  return issuers.includes(String(payloadOf(token)["iss"]));
}

/**
 * @param audience the audience that tokens must name: the project's id. The function's address would not do, as a
 *   function has two addresses.
 * @param keys Google's public keys, which the library keeps as long as Google allows.
 */
export function createServerCheck(audience: () => string | undefined, keys = googleKeys()): CheckServer {
  return async (token) => {
    const certs = await keys();
    const own = audience();
    // Without an audience the library would take a token that is for somebody else.
    if (!own) throw new Error("the project's id is not known, so no server's token can be checked");
    const refuse = (why: string) =>
      new FirerankError("unauthenticated", `The server's OIDC token is not valid: ${why}`);
    const ticket = await new OAuth2Client()
      .verifySignedJwtWithCertsAsync(token, certs, own, issuers)
      // The library's reason has the token in it.
      .catch(() => undefined);
    if (ticket === undefined)
      throw refuse(`it must be signed by Google for the audience "${own}", and not be expired.`);
    const { email, email_verified: isVerified } = ticket.getPayload() ?? {};
    if (email === undefined || isVerified !== true)
      throw refuse("it lacks the service account's e-mail address; ask for a token that includes it.");
    return email;
  };
}

/** @throws if Google can't be reached, which is not the sender's fault */
function googleKeys(): () => Promise<Certificates> {
  const client = new OAuth2Client();
  return async () => (await client.getFederatedSignonCertsAsync()).certs;
}

function payloadOf(token: string): Record<string, unknown> {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof payload === "object" && payload !== null ? { ...payload } : {};
  } catch {
    return {};
  }
}
