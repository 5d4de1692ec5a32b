/**
 * A client for the callables on the emulators: over HTTP, with accounts of the Auth emulator, as an app would call
 * them.
 *
 *     const admin = await createAccount(addresses, { uid: "admin", claims: { leaderboard_role: "admin" } });
 *     const client = createCallableClient(addresses, admin);
 *     const { rank } = await client.call("getRank", { leaderboard: "chess", player: "ann" });
 */
import { initializeApp, getApps } from "firebase-admin/app";
import { type Auth, getAuth } from "firebase-admin/auth";
import type * as specs from "../functions/src/operations/specs.ts";
import { functionName } from "../functions/src/model/function-name.ts";
import { prefix, projectId, region } from "./project.ts";

/** Where the emulators are, as `host:port`. */
export interface Addresses {
  auth: string;
  functions: string;
}

/** A user of the Auth emulator, signed in. */
export interface Account {
  uid: string;
  /** Good for an hour. */
  idToken: string;
}

type Specs = typeof specs;

export type AnswerOf<Name extends keyof Specs> = Awaited<ReturnType<Specs[Name]["handle"]>>;

export type CallableClient = ReturnType<typeof createCallableClient>;

/** The error of a refused call, or of a callable that could not be reached (`status` is then `UNREACHABLE`). */
export class CallableError extends Error {
  /** As in the callable protocol: `INVALID_ARGUMENT`, `NOT_FOUND`, … */
  readonly status: string;
  /** Firerank's own code and its details; empty if Firerank itself did not refuse. */
  readonly details: { code?: string; [field: string]: unknown };

  constructor(message: string, status: string, details: CallableError["details"] = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CallableError";
    this.status = status;
    this.details = details;
  }
}

/** The addresses in the environment that `startSuite` describes. */
export function addressesIn(env: Record<string, string | undefined>): Addresses {
  const { FIREBASE_AUTH_EMULATOR_HOST: auth, FIREBASE_FUNCTIONS_EMULATOR_HOST: functions } = env;
  if (auth === undefined || functions === undefined) {
    throw new Error(
      "FIREBASE_AUTH_EMULATOR_HOST and FIREBASE_FUNCTIONS_EMULATOR_HOST are not set; start the emulators first.",
    );
  }
  return { auth, functions };
}

/** The URL of a callable, or of any function. */
export function callableUrl({ functions }: Pick<Addresses, "functions">, name: string): string {
  return `http://${functions}/${projectId}/${region}/${functionName(name, prefix)}`;
}

/** A client that calls as `account`, or without an account. */
export function createCallableClient(addresses: Pick<Addresses, "functions">, account?: Account) {
  const authorization = account === undefined ? {} : { Authorization: `Bearer ${account.idToken}` };

  /** Calls with any name and any data, right or wrong. @throws CallableError */
  async function send(name: string, data: unknown): Promise<unknown> {
    const answer = await post(callableUrl(addresses, name), { data }, authorization);
    if ("result" in answer) return answer["result"];
    throw errorIn(name, answer);
  }

  return {
    send,
    /** @throws CallableError */
    call: <Name extends keyof Specs>(name: Name, data: object) => send(name, data) as Promise<AnswerOf<Name>>,
  };
}

/** Creates a user as {@link createAccount} does, for a Firebase SDK to sign in with the token. */
export async function createCustomToken(
  addresses: Pick<Addresses, "auth">,
  { uid, claims = {} }: { uid: string; claims?: object },
): Promise<string> {
  const auth = emulatorAuth(addresses);
  await auth.createUser({ uid });
  await auth.setCustomUserClaims(uid, claims);
  return auth.createCustomToken(uid);
}

/** A token for an existing user. */
export function customTokenOf(addresses: Pick<Addresses, "auth">, uid: string): Promise<string> {
  return emulatorAuth(addresses).createCustomToken(uid);
}

function emulatorAuth(addresses: Pick<Addresses, "auth">): Auth {
  if (process.env["FIREBASE_AUTH_EMULATOR_HOST"] !== addresses.auth) {
    throw new Error(
      `FIREBASE_AUTH_EMULATOR_HOST must be ${addresses.auth}: accounts are for emulators only.`,
    );
  }
  return getAuth(getApps()[0] ?? initializeApp({ projectId }));
}

/**
 * Creates a user with this uid and these custom claims, and signs in. Needs `FIREBASE_AUTH_EMULATOR_HOST` in
 * `process.env`, where the Admin SDK looks for it.
 */
export async function createAccount(
  addresses: Pick<Addresses, "auth">,
  { uid, claims = {} }: { uid: string; claims?: object },
): Promise<Account> {
  const token = await createCustomToken(addresses, { uid, claims });
  const url = `http://${addresses.auth}/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken?key=any`;
  const answer = await post(url, { token, returnSecureToken: true });
  const idToken = answer["idToken"];
  if (typeof idToken !== "string") throw errorIn("the Auth emulator", answer);
  return { uid, idToken };
}

/** @returns the JSON that is answered, whatever its HTTP status @throws CallableError where there is none */
async function post(
  url: string,
  data: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  let text = "";
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(data),
    });
    text = await response.text();
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    const said = text.slice(0, 200) || reasonOf(error);
    throw new CallableError(`${url} did not answer with JSON: ${said}`, "UNREACHABLE", {}, error);
  }
}

function errorIn(name: string, { error }: Record<string, unknown>): CallableError {
  const { message = "no reason was given", status, details } = (error ?? {}) as Partial<CallableError>;
  return new CallableError(`${name}: ${message}`, status ?? "UNKNOWN", details);
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
