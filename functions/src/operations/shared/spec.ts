/** An operation, independent of the transport: the shapes of request and answer, and the handler. `access.ts` has who may call it. */
import { z } from "zod";
import { Timestamp } from "../../documents/firestore.ts";
import { type FieldProblem, FirerankError, invalidField, invalidRequest } from "../../model/errors.ts";
import { playerId } from "../../model/ids.ts";
import { isStorable } from "../../model/stored-time.ts";
import { access, type Caller, type OperationName, requireRole, roleFor } from "./access.ts";
import { withoutNulls } from "./without-nulls.ts";
import type { Services } from "../../world/services.ts";

/** An operation without a transport; tests call `handle` directly. */
export interface OperationSpec<Schema extends z.ZodType, Answer> {
  name: OperationName;
  request: Schema;
  /** Whether it refuses every field that it does not know, as calls that need a role do. */
  isStrict?: boolean;
  answer?: z.ZodType<Answer>;
  /**
   * @param isKnown whether the request comes from a signed-in user or, by App Check, from the owner's app; where App Check
   *   is enforced, from somebody with a role or the owner's app. Any other request costs only a few reads, with a fixed limit.
   */
  handle: (
    services: Services,
    request: z.infer<Schema>,
    caller: Caller | undefined,
    isKnown?: boolean,
  ) => Promise<Answer>;
}

/** Checks the caller and the request, then calls the handler. @throws FirerankError */
export async function answer<Schema extends z.ZodType, Answer>(
  spec: OperationSpec<Schema, Answer>,
  services: Services,
  data: unknown,
  caller: Caller | undefined,
  isKnown = caller !== undefined,
): Promise<Answer> {
  const role = roleFor(spec.name);
  if (access[spec.name] !== "anyone") requireCaller(caller);
  if (role !== undefined) requireRole(requireCaller(caller), role, spec.name, boardIn(data));
  const said = role === undefined ? withoutNulls(spec.request, data) : data;
  const isStrict = role !== undefined || spec.isStrict === true;
  const request = parse(spec.request, isStrict ? said : withoutNewer(spec.request, said));
  return spec.handle(services, request, caller, isKnown);
}

function boardIn(data: unknown): unknown {
  return typeof data === "object" && data !== null && "leaderboard" in data ? data.leaderboard : undefined;
}

/** A name as one may misspell it. */
const plain = (name: string) => name.replaceAll("_", "").toLowerCase();

/** The fields of players' calls, all together: one that a call does not have, or one misspelled, is a mistake there. */
const fieldsOfPlayers = (
  "leaderboard season span status player players score columns display_name metadata submission_id offset cursor limit " +
  "above below exact freshness min_generation min_generations since segment segments guest_token rank percentile tier " +
  "bins best worst league group code name size ends_at with_code"
).split(" ");
const known = new Set(fieldsOfPlayers.map(plain));

/** Words that are easily taken for a field. Without the field, the answer would be about the caller, or of another length. */
const otherWords = new Map([
  ["playerid", "player"],
  ["uid", "player"],
  ["userid", "player"],
  ["nickname", "display_name"],
  ["username", "display_name"],
  ["count", "limit"],
]);

/** The field of a request that a name stands for, in another spelling or word; undefined if it stands for none. */
function fieldMeant(shape: z.core.$ZodShape, name: string): string | undefined {
  const word = plain(name);
  return Object.keys(shape).find((field) => plain(field) === word || field === otherWords.get(word));
}

/**
 * A player's request without fields that this release does not know, as an installed app may be newer: its scores still
 * count.
 */
function withoutNewer(schema: z.ZodType, data: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof data !== "object" || data === null || Array.isArray(data))
    return data;
  const { shape } = schema;
  const isKnown = (name: string) => known.has(plain(name)) || fieldMeant(shape, name) !== undefined;
  return Object.fromEntries(Object.entries(data).filter(([name]) => isKnown(name)));
}

/** The caller, who must be signed in. @throws `unauthenticated` */
export function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new FirerankError("unauthenticated", "Sign in with Firebase Auth first.");
  return caller;
}

/** The caller's player id. @throws `unauthenticated`, `invalid_request` for a uid that cannot be a player id */
export function requirePlayer(caller: Caller | undefined, id: typeof playerId = playerId): string {
  const { uid, isService } = requireCaller(caller);
  if (isService === true) throw invalidField("player", "is missing: a server is no player, and names one");
  // Zod compiles each object schema that it is given: only for the message of a refusal.
  return id.safeParse(uid).success ? uid : parse(z.object({ player: id }), { player: uid }).player;
}

/** Parses data by a schema. @throws `invalid_request` naming each bad field by its path */
export function parse<Schema extends z.ZodType>(schema: Schema, data: unknown): z.infer<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  throw invalidRequest(result.error.issues.flatMap((issue) => problemsOf(issue, shape)));
}

/** The parts of a cursor that a call of ours has answered. @throws `invalid_request` for one of another form */
export function cursorParts(cursor: string, form: RegExp, of: string): string[] {
  const parts = form.exec(cursor)?.slice(1);
  if (parts !== undefined) return parts;
  throw damagedCursor(of);
}

/** A time in a cursor. @throws `invalid_request` for one that Firestore can't store */
export function cursorTime(ms: number, of: string): Timestamp {
  if (!isStorable(ms)) throw damagedCursor(of);
  return Timestamp.fromMillis(ms);
}

/** The error about a cursor that no answer of a call has. */
function damagedCursor(of: string): FirerankError {
  return invalidField("cursor", `is damaged; take next_cursor of ${of} as it is`);
}

/** @param shape the fields of the whole request. */
function problemsOf(issue: z.core.$ZodIssue, shape: z.core.$ZodShape): FieldProblem[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path.join("."), message: issue.message }];
  return issue.keys.map((key) => {
    const meant = issue.path.length === 0 ? fieldMeant(shape, key) : undefined;
    const advice = meant === undefined ? "" : `; write ${meant}`;
    return { path: [...issue.path, key].join("."), message: `is not a field of this request${advice}` };
  });
}
