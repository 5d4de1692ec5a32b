/** Checks refused calls: the right code, the paths of the bad fields, and an unchanged database. */
import { expect } from "vitest";
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { type ErrorCode, FirerankError } from "../../functions/src/model/errors.ts";
import type { World } from "./world.ts";

/** The code of a refusal, with the paths of the fields that it names. */
export interface Refusal {
  code: ErrorCode;
  paths: string[];
}

/**
 * Expects a call to be refused in this way, with a message for each field, and to have written nothing.
 * @returns the error, for further checks.
 */
export async function expectRefusal(
  world: World,
  refusal: ErrorCode | Refusal,
  work: () => Promise<unknown>,
): Promise<FirerankError> {
  const before = await contentsOf(world.db);
  const { result: error, bill } = await world.meter.measure(() => refusalOf(work));
  const expected = typeof refusal === "string" ? { code: refusal, paths: [] } : refusal;
  expect({ code: error.code, paths: pathsOf(error) }).toEqual(expected);
  for (const { message } of [error, ...(error.details.fields ?? [])]) expect(message).not.toBe("");
  expect(bill).toMatchObject({ writes: 0, deletes: 0 });
  expect(await contentsOf(world.db)).toEqual(before);
  return error;
}

/** Paths of the fields that an error names, sorted, each once. */
export function pathsOf({ details }: Pick<FirerankError, "details">): string[] {
  return [...new Set(details.fields?.map(({ path }) => path))].sort();
}

export const invalid = (...paths: string[]): Refusal => ({ code: "invalid_request", paths });
export const outOfRange = (...paths: string[]): Refusal => ({ code: "score_out_of_range", paths });

/** A bad value in the name of a test. */
export function show(value: unknown): string {
  const text =
    typeof value === "number" || value === undefined
      ? String(value)
      : JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? `${inner}n` : inner));
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length} characters)` : text;
}

/**
 * Every document of a database with the time of its last change, in one query. The empty name of a collection group is
 * how the wire says "of any name": collection by collection, Google's emulator looks at all there is for each of them.
 */
async function contentsOf(db: Firestore): Promise<Map<string, string>> {
  const { docs } = await db.collectionGroup("").select().get();
  return new Map(docs.map(({ ref, updateTime }) => [ref.path, String(updateTime.toDate().getTime())]));
}

async function refusalOf(work: () => Promise<unknown>): Promise<FirerankError> {
  let answer: unknown;
  try {
    answer = await work();
  } catch (error) {
    if (error instanceof FirerankError) return error;
    throw error;
  }
  throw new Error(`was not refused, but answered ${JSON.stringify(answer)}`);
}
