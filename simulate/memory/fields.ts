/** What a write makes of a document's fields: set, merge, update, and the transforms inside them. */
import { FieldValue, Timestamp } from "../../functions/src/firestore.ts";

/** The fields of a document. */
export type Data = Readonly<Record<string, unknown>>;

/** How `set` treats the fields that it does not name. */
export interface SetOptions {
  merge?: boolean;
  mergeFields?: readonly string[];
}

/**
 * The document after a `set`.
 * @throws where the real client refuses: `undefined` as a value, a merge field without a value.
 */
export function afterSet(before: Data | undefined, data: Data, options: SetOptions, time: Timestamp): Data {
  if (options.mergeFields !== undefined) {
    const after = { ...before };
    for (const field of options.mergeFields) {
      if (!(field in data)) throw new Error(`input data is missing for field "${field}"`);
      put(after, field, data[field], undefined, time);
    }
    return after;
  }
  return options.merge === true ? merged(before ?? {}, data, time) : merged({}, data, time);
}

/** The document after an `update`: each field named is replaced as a whole. */
export function afterUpdate(before: Data | undefined, data: Data, time: Timestamp): Data {
  const after = { ...before };
  for (const [field, value] of Object.entries(data)) {
    if (field.includes(".")) throw new Error(`the simulation knows no field paths, such as "${field}"`);
    put(after, field, value, after[field], time);
  }
  return after;
}

/** A copy that nobody can change; timestamps are shared, as nothing changes them. */
export function frozen<Value>(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map(frozen)) as Value;
  if (!isMap(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = frozen(value[key]);
  return Object.freeze(copy) as Value;
}

function merged(before: Data, data: Data, time: Timestamp): Data {
  const after = { ...before };
  for (const [field, value] of Object.entries(data)) {
    const present = after[field];
    if (isMap(value) && Object.keys(value).length > 0) {
      after[field] = merged(isMap(present) ? present : {}, value, time);
    } else {
      put(after, field, value, present, time);
    }
  }
  return after;
}

function put(
  after: Record<string, unknown>,
  field: string,
  value: unknown,
  present: unknown,
  time: Timestamp,
): void {
  if (value === undefined) throw new Error(`cannot use "undefined" as a Firestore value (field "${field}")`);
  if (!(value instanceof FieldValue)) {
    after[field] = value;
  } else if (value.isEqual(FieldValue.delete())) {
    Reflect.deleteProperty(after, field);
  } else if (value.isEqual(FieldValue.serverTimestamp())) {
    after[field] = time;
  } else {
    after[field] = (typeof present === "number" ? present : 0) + operandOf(value, field);
  }
}

/** What an increment adds; the client keeps it in a field that it does not declare. */
function operandOf(value: FieldValue, field: string): number {
  const { operand } = value as unknown as { operand?: unknown };
  if (typeof operand !== "number")
    throw new Error(`the simulation knows no such transform (field "${field}")`);
  return operand;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
