/**
 * The effect of writes on a document's fields: set, merge, update, and the transforms inside them.
 *
 * A write is recorded when it is called, and applied when it is committed: first its sets and deletes, then its
 * transforms.
 */
import { type FieldPath, FieldValue, Timestamp } from "../../functions/src/documents/firestore.ts";
import { isMap, pathOf, storedTime, valueAt } from "./values.ts";

/** The fields of a document. */
export type Data = Readonly<Record<string, unknown>>;

/** How `set` treats the fields that it does not name. */
export interface SetOptions {
  merge?: boolean;
  mergeFields?: readonly (string | FieldPath)[];
}

/** A recorded write. */
export interface Edit {
  /** Whether fields that it does not name stay as they are. */
  keeps: boolean;
  /** The value at a path afterwards; undefined if it is deleted. */
  sets: { path: readonly string[]; value: unknown }[];
  transforms: { path: readonly string[]; transform: FieldValue }[];
}

/**
 * @throws if the real client refuses too: `undefined` as a value, a merge field without a value, a delete in a plain
 * set.
 */
export function editOfSet(data: Data, { merge = false, mergeFields }: SetOptions): Edit {
  const edit: Edit = { keeps: merge || mergeFields !== undefined, sets: [], transforms: [] };
  if (mergeFields !== undefined) {
    for (const field of mergeFields) {
      const path = typeof field === "string" ? pathOf(field) : partsOf(field);
      const value = valueAt(data, path);
      if (value === undefined) throw new Error(`input data is missing for field "${path.join(".")}"`);
      add(edit, path, value, "anywhere");
    }
  } else if (merge) addLeaves(edit, [], data);
  else for (const [field, value] of Object.entries(data)) add(edit, [field], value, "nowhere");
  return edit;
}

/** The parts of a path, which the client does not declare. */
function partsOf(path: FieldPath): readonly string[] {
  return (path as unknown as { toArray: () => string[] }).toArray();
}

/** An update: each field named, which may be a path with dots, is replaced as a whole. @throws as {@link editOfSet}. */
export function editOfUpdate(data: Data): Edit {
  const edit: Edit = { keeps: true, sets: [], transforms: [] };
  for (const [field, value] of Object.entries(data)) add(edit, pathOf(field), value, "root");
  return edit;
}

/** The document after a write that is committed at a time. */
export function edited(before: Data | undefined, { keeps, sets, transforms }: Edit, time: Timestamp): Data {
  const after = keeps ? { ...before } : {};
  const own = new Set<object>([after]);
  for (const { path, value } of sets) put(own, after, path, value);
  for (const { path, transform } of transforms)
    put(own, after, path, transformed(valueAt(after, path), transform, time));
  return after;
}

/** Where a write may contain `FieldValue.delete()`. */
type Deletes = "nowhere" | "root" | "anywhere";

/** Called for each transform and delete inside a value. */
type Note = (path: readonly string[], found: FieldValue) => void;

/** A merge names each field that is not a map, and each empty map. */
function addLeaves(edit: Edit, path: readonly string[], map: Data): void {
  for (const [field, value] of Object.entries(map)) {
    const inner = [...path, field];
    if (isMap(value) && Object.keys(value).length > 0) addLeaves(edit, inner, value);
    else add(edit, inner, value, "anywhere");
  }
}

function add(edit: Edit, path: readonly string[], value: unknown, deletes: Deletes): void {
  const note: Note = (at, found) => {
    if (!isDelete(found)) addTransform(edit, at, found);
    else if (deletes !== "anywhere")
      throw new Error(`FieldValue.delete() cannot be used here (field "${at.join(".")}")`);
  };
  if (!(value instanceof FieldValue)) edit.sets.push({ path, value: stored(path, value, note) });
  else if (isDelete(value) && deletes !== "nowhere") edit.sets.push({ path, value: undefined });
  else note(path, value);
}

function addTransform({ transforms }: Edit, path: readonly string[], transform: FieldValue): void {
  const isKnown = isServerTime(transform) || operandOf(transform) !== undefined;
  if (!isKnown) throw new Error(`the imitation knows no such transform (field "${path.join(".")}")`);
  transforms.push({ path, transform });
}

/**
 * A copy of a value as it is stored, without its transforms.
 * @returns undefined for a map that contains only transforms and deletes.
 */
function stored(path: readonly string[], value: unknown, note: Note): unknown {
  if (value === undefined)
    throw new Error(`cannot use "undefined" as a Firestore value (field "${path.join(".")}")`);
  if (value === null || ["boolean", "number", "string"].includes(typeof value)) return value;
  if (value instanceof Timestamp) return storedTime(value);
  if (value instanceof Date) return Timestamp.fromDate(value);
  if (Array.isArray(value)) return value.map((item) => storedItem(path, item));
  if (!isMap(value)) throw new Error(`the imitation holds no such value (field "${path.join(".")}")`);
  const copy: Record<string, unknown> = {};
  for (const [field, inner] of Object.entries(value)) {
    const at = [...path, field];
    if (inner instanceof FieldValue) note(at, inner);
    else {
      const kept = stored(at, inner, note);
      if (kept !== undefined) copy[field] = kept;
    }
  }
  return Object.keys(copy).length === 0 && Object.keys(value).length > 0 ? undefined : copy;
}

function storedItem(path: readonly string[], item: unknown): unknown {
  const refuse = () => {
    throw new Error(`a list holds no transforms and no lists (field "${path.join(".")}")`);
  };
  if (item instanceof FieldValue || Array.isArray(item)) refuse();
  return stored(path, item, refuse);
}

/** Puts a value at a path of a map. Maps on the way that the write does not own yet are copied first. */
function put(own: Set<object>, map: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [field = "", ...rest] = path;
  if (rest.length === 0 && value === undefined) Reflect.deleteProperty(map, field);
  else if (rest.length === 0) map[field] = value;
  else {
    let inner = map[field];
    if (!isMap(inner) && value === undefined) return;
    if (!isMap(inner) || !own.has(inner)) {
      inner = map[field] = isMap(inner) ? { ...inner } : {};
      own.add(inner as object);
    }
    put(own, inner as Record<string, unknown>, rest, value);
  }
}

function transformed(present: unknown, transform: FieldValue, time: Timestamp): unknown {
  if (isServerTime(transform)) return time;
  return (typeof present === "number" ? present : 0) + (operandOf(transform) ?? NaN);
}

const isDelete = (value: FieldValue) => value.isEqual(FieldValue.delete());
const isServerTime = (value: FieldValue) => value.isEqual(FieldValue.serverTimestamp());

/** What an increment adds; the client keeps it in a field that it does not declare. */
function operandOf(value: FieldValue): number | undefined {
  const { operand } = value as unknown as { operand?: unknown };
  return typeof operand === "number" ? operand : undefined;
}
