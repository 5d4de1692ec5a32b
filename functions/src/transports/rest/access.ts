/**
 * Identifies the sender of a request: a user by an ID token, a server by an OIDC token, an app by an App Check token.
 */
import { FirerankError } from "../../model/errors.ts";
import { leaderboardId } from "../../model/ids.ts";
import type { Services } from "../../world/services.ts";
import { access, type Caller } from "../../operations/shared/access.ts";
import { appMissing, needsApp } from "../refusal.ts";
import type { Route } from "./routes.ts";
import { isServerToken } from "./server-tokens.ts";
import type { Tokens } from "./tokens.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import { serversOf } from "../../operations/shared/caller-memory.ts";

/**
 * The user or the server of the token in the header `Authorization: Bearer …`. Cost: for a server 1 read a minute.
 * @throws `unauthenticated` for any other header; `not_allowed` for a server without a role, as a service account of
 *   any project can get a valid token
 */
export async function callerOf(
  services: Services,
  tokens: Tokens,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  if (authorization === undefined) return undefined;
  const [, idToken] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (idToken === undefined) {
    throw new FirerankError(
      "unauthenticated",
      'The Authorization header must be "Bearer " and a Firebase ID token, or a server\'s OIDC token.',
    );
  }
  return isServerToken(idToken) ? serverOf(services, await tokens.server(idToken)) : tokens.caller(idToken);
}

async function serverOf(services: Services, email: string): Promise<Caller> {
  const grant = await serversOf(services).roleOf(email);
  if (grant !== undefined) return { uid: email, isService: true, ...grant };
  throw new FirerankError(
    "not_allowed",
    `The service account ${email} has no role. An owner of the project grants it: ` +
      `npx --no-install firerank grant ${email} submitter. It counts within a minute.`,
  );
}

/**
 * Refuses a request without a valid App Check token if it needs one. Callers with a role need none, and reads of public
 * boards need none, as a CDN has no such token.
 * @throws `unauthenticated`
 */
export async function refuseIfAppNeeded(
  services: Services,
  { method, name }: Route,
  data: Record<string, unknown>,
  caller: Caller | undefined,
): Promise<void> {
  if (!needsApp(name, caller)) return;
  if (method === "get" && access[name] === "anyone" && (await isForEverybody(services, data, caller))) return;
  throw appMissing("send it as X-Firebase-AppCheck");
}

/** Whether everybody may send a read. True for a malformed board id, which the operation refuses. */
async function isForEverybody(
  services: Services,
  data: Record<string, unknown>,
  caller: Caller | undefined,
): Promise<boolean> {
  if (!("leaderboard" in data)) return caller === undefined;
  const leaderboard = leaderboardId.safeParse(data["leaderboard"]);
  return !leaderboard.success || (await isPublicBoard(services, leaderboard.data));
}

/**
 * Whether anyone may read a board. Cost: 2 reads a minute.
 * @throws `leaderboard_not_found`
 */
async function isPublicBoard(services: Services, leaderboard: string): Promise<boolean> {
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  return board.definition.visibility === "public";
}
