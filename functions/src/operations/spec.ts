/** An operation, independent of the transport: who may call it, the shapes of request and answer, and the handler. */
import { z } from "zod";
import { type FieldProblem, FirerankError, invalidRequest } from "../model/errors.ts";
import { playerId } from "../model/ids.ts";
import type { Services } from "./services.ts";

/** The signed-in user who calls. */
export interface Caller {
  uid: string;
  /** Whether the user has the custom claim `leaderboard_admin: true`. */
  admin: boolean;
}

/** An operation without a transport; tests call `handle` directly. */
export interface OperationSpec<Schema extends z.ZodType, Answer> {
  name: string;
  /** `player`: any signed-in user, behind App Check. `anyone`: the handler decides. `admin`: the custom claim. */
  access: "player" | "anyone" | "admin";
  request: Schema | ((services: Services) => Schema);
  /** Whether it refuses every field that it does not know, as calls for admins do. */
  isStrict?: boolean;
  /** The schema of the answer, for descriptions and tests. */
  answer?: z.ZodType<Answer>;
  /**
   * @param isKnown whether the request comes from a signed-in user or, by App Check, from the owner's app; where App Check
   *   is enforced, from an admin or the owner's app. Any other request costs only a few reads, with a fixed limit.
   */
  handle: (
    services: Services,
    request: z.infer<Schema>,
    caller: Caller | undefined,
    isKnown?: boolean,
  ) => Promise<Answer>;
}

/**
 * Checks the caller and the request, then calls the handler.
 * @throws FirerankError
 */
export async function answer<Schema extends z.ZodType, Answer>(
  spec: OperationSpec<Schema, Answer>,
  services: Services,
  data: unknown,
  caller: Caller | undefined,
  isKnown = caller !== undefined,
): Promise<Answer> {
  if (spec.access !== "anyone") requireCaller(caller);
  if (spec.access === "admin" && caller?.admin !== true) {
    throw new FirerankError(
      "not_admin",
      `${spec.name} needs the custom claim leaderboard_admin: true on the caller's account.`,
    );
  }
  const schema = typeof spec.request === "function" ? spec.request(services) : spec.request;
  const isStrict = spec.access === "admin" || spec.isStrict === true;
  const request = parse(schema, isStrict ? data : withoutNewer(schema, data));
  return spec.handle(services, request, caller, isKnown);
}

/** A name as one may misspell it. */
const plain = (name: string) => name.replaceAll("_", "").toLowerCase();

/** The fields of players' calls, all together: one that a call does not have, or one misspelled, is a mistake there. */
const fieldsOfPlayers = (
  "leaderboard season span status player players score columns display_name metadata submission_id offset cursor limit " +
  "above below exact freshness min_generation min_generations since"
).split(" ");
const known = new Set(fieldsOfPlayers.map(plain));

/**
 * A player's request without the fields that this release does not know. An installed app may be newer than the
 * functions, after these went back a release: its scores still count.
 */
function withoutNewer(schema: z.ZodType, data: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof data !== "object" || data === null || Array.isArray(data))
    return data;
  const isKnown = (name: string) => Object.hasOwn(schema.shape, name) || known.has(plain(name));
  return Object.fromEntries(Object.entries(data).filter(([name]) => isKnown(name)));
}

/** The caller, who must be signed in. @throws `unauthenticated` */
export function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new FirerankError("unauthenticated", "Sign in with Firebase Auth first.");
  return caller;
}

/** The caller's player id. @throws `unauthenticated`, `invalid_request` for a uid that cannot be a player id */
export function requirePlayer(caller: Caller | undefined, id: typeof playerId = playerId): string {
  return parse(z.object({ player: id }), { player: requireCaller(caller).uid }).player;
}

/** Parses data by a schema. @throws `invalid_request` naming each bad field by its path */
export function parse<Schema extends z.ZodType>(schema: Schema, data: unknown): z.infer<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap(problemsOf));
}

/** The parts of a cursor that a call of ours has answered. @throws `invalid_request` for one of another form */
export function cursorParts(cursor: string, form: RegExp, of: string): string[] {
  const parts = form.exec(cursor)?.slice(1);
  if (parts !== undefined) return parts;
  throw invalidRequest([{ path: "cursor", message: `is damaged; take next_cursor of ${of} as it is` }]);
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: issue.message }];
  return issue.keys.map((key) => ({
    path: [...path, key].join("."),
    message: "is not a field of this request",
  }));
}
