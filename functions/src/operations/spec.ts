/** What an operation is, whatever carries it: who may ask, the shape of the request, the answer, and who gives it. */
import { z } from "zod";
import { type FieldProblem, FirerankError, invalidRequest } from "../model/errors.ts";
import { playerId } from "../model/ids.ts";
import type { Services } from "./services.ts";

/** Who calls: a signed-in user. */
export interface Caller {
  uid: string;
  /** Whether the user has the custom claim `leaderboard_admin: true`. */
  admin: boolean;
}

/** One thing that a caller can ask for, apart from the transport; tests call `handle` as it is. */
export interface OperationSpec<Schema extends z.ZodType, Answer> {
  name: string;
  /** `player`: any signed-in user, behind App Check. `anyone`: the handler decides. `admin`: the custom claim. */
  access: "player" | "anyone" | "admin";
  request: Schema | ((services: Services) => Schema);
  /** What it answers, for descriptions and tests. */
  answer?: z.ZodType<Answer>;
  /** @param isApp whether an App Check token says that the request is the owner's app's; see {@link isKnown}. */
  handle: (
    services: Services,
    request: z.infer<Schema>,
    caller: Caller | undefined,
    isApp?: boolean,
  ) => Promise<Answer>;
}

/**
 * Checks the caller and the request and lets the spec answer.
 * @throws FirerankError
 */
export async function answer<Schema extends z.ZodType, Answer>(
  spec: OperationSpec<Schema, Answer>,
  services: Services,
  data: unknown,
  caller: Caller | undefined,
  isApp = false,
): Promise<Answer> {
  if (spec.access !== "anyone") requireCaller(caller);
  if (spec.access === "admin" && caller?.admin !== true) {
    throw new FirerankError(
      "not_admin",
      `${spec.name} needs the custom claim leaderboard_admin: true on the caller's account.`,
    );
  }
  const schema = typeof spec.request === "function" ? spec.request(services) : spec.request;
  return spec.handle(services, parse(schema, data), caller, isApp);
}

/**
 * Whether a request is from a signed-in user or, by App Check, from the owner's app. What anybody else sends costs a
 * bounded handful of reads.
 */
export function isKnown(caller: Caller | undefined, isApp = false): boolean {
  return caller !== undefined || isApp;
}

/** The caller, who must be signed in. @throws `unauthenticated` */
export function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new FirerankError("unauthenticated", "Sign in with Firebase Auth first.");
  return caller;
}

/** Who calls, as a player. @throws `unauthenticated`, `invalid_request` for a uid that can be no player's id */
export function requirePlayer(caller: Caller | undefined, id: typeof playerId = playerId): string {
  return parse(z.object({ player: id }), { player: requireCaller(caller).uid }).player;
}

/** A value of a schema. @throws `invalid_request` naming each bad field by its path */
export function parse<Schema extends z.ZodType>(schema: Schema, data: unknown): z.infer<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap(problemsOf));
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: issue.message }];
  return issue.keys.map((key) => ({
    path: [...path, key].join("."),
    message: "is not a field of this request",
  }));
}
