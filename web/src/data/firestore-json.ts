/** What was found in Firestore, and what its REST interface takes and sends: queries and documents as JSON. Pure. */
import type { DocumentData } from "firebase/firestore";
import { Timestamp } from "../firebase/server-firestore.ts";
import { type Condition, idField, type QuerySpec } from "./queries.ts";

/** A document, as a query found it. */
export interface Found {
  id: string;
  path: string;
  data: DocumentData;
}

/** One stretch of a query, and the start of the next. */
export interface Stretch {
  found: Found[];
  /** The last document, behind which the next stretch begins; undefined at the end of the query. */
  next: Found | undefined;
}

export function stretchOf({ limit }: QuerySpec, found: Found[]): Stretch {
  return { found, next: found.length < limit ? undefined : found.at(-1) };
}

/** A document in JSON; the values of its fields are objects with one key each, which is their type. */
export interface DocumentJson {
  name: string;
  fields?: Record<string, object>;
}

/** @param root what the names of all documents begin with: `projects/…/databases/…/documents` */
export function foundIn(root: string, { name, fields = {} }: DocumentJson): Found {
  const path = name.slice(root.length + 1);
  return { id: path.slice(path.lastIndexOf("/") + 1), path, data: dataIn(fields) };
}

function dataIn(fields: Record<string, object>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, valueIn(value)]));
}

/** A value without its type. Numbers above 2^53 are rounded, as by Firestore's SDK; a type not named here is undefined. */
function valueIn(typed: object): unknown {
  const [type, value] = Object.entries(typed)[0] ?? [];
  if (type === "integerValue" || type === "doubleValue") return Number(value);
  if (type === "stringValue" || type === "booleanValue" || type === "nullValue") return value ?? null;
  if (type === "timestampValue") return timeIn(String(value));
  if (type === "mapValue") return dataIn((value as { fields?: Record<string, object> }).fields ?? {});
  if (type === "arrayValue") return ((value as { values?: object[] }).values ?? []).map(valueIn);
  return undefined;
}

/** A time such as 2026-11-29T12:00:00.123456Z. */
function timeIn(text: string): Timestamp {
  const nanoseconds = /\.(\d+)/.exec(text)?.[1] ?? "";
  return new Timestamp(Math.floor(Date.parse(text) / 1_000), Number(nanoseconds.padEnd(9, "0")));
}

/** A query as `runQuery` takes it; its orders always end with the id. @param after the document behind which it begins */
export function queryJson(root: string, spec: QuerySpec, after?: Found) {
  const { collection, group, where, orderBy, limit } = spec;
  const collectionId = collection.slice(collection.lastIndexOf("/") + 1);
  const [field, direction] = orderBy.at(-1) ?? [undefined, "asc" as const];
  const orders = field === idField ? orderBy : [...orderBy, [idField, direction] as const];
  const reference = (path: string) => ({ referenceValue: `${root}/${path}` });
  const wanted = ([name, , value]: Condition) => {
    if (name !== idField) return typed(value);
    // In a group, ids are whole paths.
    return reference(group === true ? String(value) : `${collection}/${String(value)}`);
  };
  const filters = where.map((condition) => ({
    fieldFilter: { field: { fieldPath: condition[0] }, op: ops[condition[1]], value: wanted(condition) },
  }));
  return {
    from: [{ collectionId, allDescendants: group === true }],
    ...(filters.length > 0 && { where: { compositeFilter: { op: "AND", filters } } }),
    orderBy: orders.map(([name, way]) => ({
      field: { fieldPath: name },
      direction: way === "asc" ? "ASCENDING" : "DESCENDING",
    })),
    ...(after !== undefined && {
      startAt: {
        values: orders.map(([name]) =>
          name === idField ? reference(after.path) : typed(valueAt(after.data, name)),
        ),
        before: false,
      },
    }),
    limit,
  };
}

const ops: Record<Condition[1], string> = {
  "==": "EQUAL",
  in: "IN",
  ">=": "GREATER_THAN_OR_EQUAL",
  "<=": "LESS_THAN_OR_EQUAL",
  "<": "LESS_THAN",
};

/** The value of a field such as `ranking.published_at`. */
function valueAt(data: Record<string, unknown>, field: string): unknown {
  return field
    .split(".")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], data);
}

/** A value with its type: what conditions and orders have. */
function typed(value: unknown): object {
  if (value === null || value === undefined) return { nullValue: null };
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { booleanValue: value };
  if (typeof value === "number") return { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } };
  if (value instanceof Date) return { timestampValue: value.toISOString() };
  if (value instanceof Timestamp) return { timestampValue: timeText(value) };
  throw new TypeError(`no condition of the dashboard has such a value: ${JSON.stringify(value)}`);
}

function timeText({ seconds, nanoseconds }: Timestamp): string {
  const whole = new Date(seconds * 1_000).toISOString().slice(0, -".000Z".length);
  return `${whole}.${String(nanoseconds).padStart(9, "0")}Z`;
}
