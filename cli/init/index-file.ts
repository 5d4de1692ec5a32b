/** A firestore.indexes.json: its form, and when two of its indexes are the same one. Pure. */
import { z } from "zod";
import { firstProblem } from "../../functions/src/model/errors.ts";
import { CliError } from "../cli-error.ts";
import { readJsonFile } from "./json-file.ts";

/** Of databases: they differ in what an index is. */
export const editions = ["standard", "enterprise"] as const;
export type Edition = (typeof editions)[number];

export const field = z.looseObject({
  fieldPath: z.string(),
  order: z.string().optional(),
  arrayConfig: z.string().optional(),
});
const index = z.looseObject({
  collectionGroup: z.string(),
  queryScope: z.string().optional(),
  fields: z.array(field),
});
const setting = z.looseObject({
  order: z.string().optional(),
  arrayConfig: z.string().optional(),
  queryScope: z.string().optional(),
});
const override = z.looseObject({
  collectionGroup: z.string(),
  fieldPath: z.string(),
  ttl: z.boolean().optional(),
  indexes: z.array(setting).default([]),
});
const file = z.looseObject({
  indexes: z.array(index).default([]),
  fieldOverrides: z.array(override).default([]),
});

export type Index = z.infer<typeof index>;
/** What a field has instead of its automatic indexes. */
export type Override = z.infer<typeof override>;
type Field = Pick<Override, "collectionGroup" | "fieldPath">;
export type IndexFile = z.infer<typeof file>;

/** @throws CliError if it is no index file */
export function parseIndexFile(text: string): IndexFile {
  const name = "firestore.indexes.json";
  const { data, error } = file.safeParse(readJsonFile(name, text));
  if (data !== undefined) return data;
  throw new CliError(`${name} is not a file of indexes that can be merged: ${firstProblem(error)}`);
}

/**
 * An index without what does not distinguish it: the order of its keys, the default scope, and on Standard the id as its
 * last field, which is implied there.
 */
export function indexKey({ collectionGroup, fields, ...others }: Index, edition: Edition): string {
  const last = fields.at(-1);
  // It goes the way of the last field that has an order, as firebase-tools has it.
  const way = fields.slice(0, -1).findLast(({ order }) => order !== undefined)?.order ?? "ASCENDING";
  const isImplied = edition === "standard" && last?.fieldPath === "__name__" && last.order === way;
  const named = isImplied ? fields.slice(0, -1) : fields;
  const keys = named.map(({ fieldPath, ...how }) => ({ fieldPath, how: settingsKey(how) }));
  const { density, ...rest } = { queryScope: "COLLECTION", ...others } as Record<string, unknown>;
  // Standard knows one density; on Enterprise every document has an entry unless an index says otherwise.
  if (edition === "enterprise" && density !== undefined && density !== "DENSE")
    Object.assign(rest, { density });
  return JSON.stringify([collectionGroup, keys, settingsKey(rest)]);
}

export const isSameField = (one: Field, other: Field) =>
  one.collectionGroup === other.collectionGroup && one.fieldPath === other.fieldPath;

/** Settings of an index or an exemption, whatever the order of their keys. */
export const settingsKey = (settings: object) =>
  JSON.stringify(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
