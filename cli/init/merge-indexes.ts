/** Adds Firerank's indexes and exemptions to a project's firestore.indexes.json. Pure. */
import { z } from "zod";
import { CliError } from "../cli-error.ts";
import { readJsonFile, setIn } from "./json-file.ts";

const field = z.looseObject({ fieldPath: z.string() });
const index = z.looseObject({
  collectionGroup: z.string(),
  queryScope: z.string().optional(),
  fields: z.array(field),
});
const override = z.looseObject({
  collectionGroup: z.string(),
  fieldPath: z.string(),
  ttl: z.boolean().optional(),
  indexes: z.array(z.looseObject({})).default([]),
});
const file = z.looseObject({
  indexes: z.array(index).default([]),
  fieldOverrides: z.array(override).default([]),
});

type Index = z.infer<typeof index>;
type Override = z.infer<typeof override>;

export interface MergedIndexes {
  text: string;
  /** Collections in their own indexes. */
  collections: Set<string>;
  /** Fields that both exempt, where theirs keeps indexes that ours would not have. */
  kept: string[];
}

/**
 * Merges the indexes: theirs stay, those that are missing are added. An exemption of a field that they have an entry for
 * gets the indexes and the TTL that it lacks.
 * @param theirs the file; undefined or blank where there is none yet.
 * @throws CliError if the file is no index file
 */
export function mergeIndexes(theirs: string | undefined, ours: string): MergedIndexes {
  const wanted = parseFile("firestore.indexes.json", ours);
  if (theirs === undefined || theirs.replace("\uFEFF", "").trim() === "")
    return { text: ours, collections: new Set(), kept: [] };
  const own = parseFile("firestore.indexes.json", theirs);
  const collections = new Set<string>();
  const kept: string[] = [];
  let text = theirs;

  const known = new Set(own.indexes.map(keyOf));
  const wantedKeys = new Set(wanted.indexes.map(keyOf));
  for (const one of own.indexes) if (!wantedKeys.has(keyOf(one))) collections.add(one.collectionGroup);
  let count = own.indexes.length;
  if (!("indexes" in readJsonFile("firestore.indexes.json", text))) text = setIn(text, ["indexes"], []);
  for (const one of wanted.indexes) {
    if (!known.has(keyOf(one))) text = setIn(text, ["indexes", count++], one);
  }

  let overrides = own.fieldOverrides.length;
  if (!("fieldOverrides" in readJsonFile("firestore.indexes.json", text)))
    text = setIn(text, ["fieldOverrides"], []);
  const isOurs = (one: Override) => wanted.fieldOverrides.some((other) => isSameField(one, other));
  for (const one of own.fieldOverrides) if (!isOurs(one)) collections.add(one.collectionGroup);
  for (const one of wanted.fieldOverrides) {
    const at = own.fieldOverrides.findIndex((other) => isSameField(one, other));
    const found = own.fieldOverrides[at];
    if (found === undefined) {
      text = setIn(text, ["fieldOverrides", overrides++], one);
      continue;
    }
    const has = new Set(found.indexes.map(settingsOf));
    const missing = one.indexes.filter((setting) => !has.has(settingsOf(setting)));
    missing.forEach((setting, i) => {
      text = setIn(text, ["fieldOverrides", at, "indexes", found.indexes.length + i], setting);
    });
    if (one.ttl === true && found.ttl !== true) text = setIn(text, ["fieldOverrides", at, "ttl"], true);
    if (found.indexes.length > one.indexes.length - missing.length)
      kept.push(`${one.collectionGroup}.${one.fieldPath}`);
  }
  return { text, collections, kept };
}

/** Each exempted field of Firerank by collection: `players` → `achieved_at` … */
export function exemptedFields(ours: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { collectionGroup, fieldPath } of parseFile("firestore.indexes.json", ours).fieldOverrides)
    fields.set(collectionGroup, [...(fields.get(collectionGroup) ?? []), fieldPath]);
  return fields;
}

function parseFile(name: string, text: string): z.infer<typeof file> {
  const { data, error } = file.safeParse(readJsonFile(name, text));
  if (data !== undefined) return data;
  const [first] = error.issues;
  throw new CliError(
    `${name} is not a file of indexes that can be merged: ${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`,
  );
}

const isSameField = (one: Override, other: Override) =>
  one.collectionGroup === other.collectionGroup && one.fieldPath === other.fieldPath;

/** An index without what does not distinguish it: the order of its keys, the default scope, the id as its last field. */
function keyOf({ collectionGroup, fields, ...others }: Index): string {
  const named = fields.map(({ fieldPath, ...how }) => ({ fieldPath, how: settingsOf(how) }));
  const last = named.at(-1);
  const before = named.at(-2);
  const isImplied = last?.fieldPath === "__name__" && last.how === before?.how;
  const { density: _, ...rest } = { queryScope: "COLLECTION", ...others } as Record<string, unknown>;
  return JSON.stringify([collectionGroup, isImplied ? named.slice(0, -1) : named, settingsOf(rest)]);
}

const settingsOf = (settings: object) =>
  JSON.stringify(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
