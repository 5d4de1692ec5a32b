/** Adds Firerank's indexes and exemptions to a project's firestore.indexes.json. Pure. */
import type { Edition, WantedIndexes } from "./edition.ts";
import {
  type Index,
  type IndexFile,
  indexKey,
  type Override,
  parseIndexFile,
  settingsKey,
} from "./index-file.ts";
import { setIn } from "./json-file.ts";

export interface MergedIndexes {
  text: string;
  /** Collections in their own indexes. */
  collections: Set<string>;
  /** Fields that both exempt, where theirs keeps indexes that ours would not have. */
  kept: string[];
}

/**
 * Merges the indexes: theirs stay, those that are missing are added. An exemption of a field that they have an entry for
 * gets the indexes and the TTL that it lacks. Firerank's own that are not wanted, of another edition or of boards that
 * are gone, are taken out where they are exactly as Firerank writes them.
 * @param theirs the file; undefined or blank where there is none yet.
 * @throws CliError if the file is no index file
 */
export function mergeIndexes(
  theirs: string | undefined,
  { wanted: ours, unwanted, edition }: WantedIndexes,
): MergedIndexes {
  const wanted = parseIndexFile(ours);
  if (theirs === undefined || theirs.replace("\uFEFF", "").trim() === "")
    return { text: ours, collections: new Set(), kept: [] };
  const keyOf = (one: Index) => indexKey(one, edition);
  const without = leaveOut(theirs, wanted, unwanted, edition);
  const own = parseIndexFile(without);
  const collections = new Set<string>();
  const kept: string[] = [];
  let text = without;

  const known = new Set(own.indexes.map(keyOf));
  const wantedKeys = new Set(wanted.indexes.map(keyOf));
  for (const one of own.indexes) if (!wantedKeys.has(keyOf(one))) collections.add(one.collectionGroup);
  let count = own.indexes.length;
  for (const one of wanted.indexes) {
    if (!known.has(keyOf(one))) text = setIn(text, ["indexes", count++], one);
  }

  let overrides = own.fieldOverrides.length;
  const isOurs = (one: Override) => wanted.fieldOverrides.some((other) => isSameField(one, other));
  for (const one of own.fieldOverrides) if (!isOurs(one)) collections.add(one.collectionGroup);
  for (const one of wanted.fieldOverrides) {
    const at = own.fieldOverrides.findIndex((other) => isSameField(one, other));
    const found = own.fieldOverrides[at];
    if (found === undefined) {
      text = setIn(text, ["fieldOverrides", overrides++], one);
      continue;
    }
    const has = new Set(found.indexes.map(settingsKey));
    const missing = one.indexes.filter((setting) => !has.has(settingsKey(setting)));
    missing.forEach((setting, i) => {
      text = setIn(text, ["fieldOverrides", at, "indexes", found.indexes.length + i], setting);
    });
    if (one.ttl === true && found.ttl !== true) text = setIn(text, ["fieldOverrides", at, "ttl"], true);
    if (found.indexes.length > one.indexes.length - missing.length)
      kept.push(`${one.collectionGroup}.${one.fieldPath}`);
  }
  return { text, collections, kept };
}

/** Takes out what is exactly as in one of the `unwanted` files, unless it is `wanted`. */
function leaveOut(theirs: string, wanted: IndexFile, unwanted: readonly string[], edition: Edition): string {
  const own = parseIndexFile(theirs);
  const others = unwanted.map((text) => parseIndexFile(text));
  const keyOf = (one: Index) => indexKey(one, edition);
  const stays = new Set(wanted.indexes.map(keyOf));
  const gone = new Set(others.flatMap(({ indexes }) => indexes.map((one) => indexKey(one, edition))));
  let text = theirs;
  for (const [i, one] of [...own.indexes.entries()].toReversed())
    if (gone.has(keyOf(one)) && !stays.has(keyOf(one))) text = setIn(text, ["indexes", i], undefined);
  const isIn = (one: Override, overrides: readonly Override[]) =>
    overrides.some((other) => settingsKey(one) === settingsKey(other));
  for (const [i, one] of [...own.fieldOverrides.entries()].toReversed()) {
    const isGone = others.some(({ fieldOverrides }) => isIn(one, fieldOverrides));
    if (isGone && !isIn(one, wanted.fieldOverrides)) text = setIn(text, ["fieldOverrides", i], undefined);
  }
  return text;
}

/** Each exempted field of Firerank by collection: `players` → `achieved_at` … */
export function exemptedFields(ours: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { collectionGroup, fieldPath } of parseIndexFile(ours).fieldOverrides)
    fields.set(collectionGroup, [...(fields.get(collectionGroup) ?? []), fieldPath]);
  return fields;
}

/** The collections that a file has indexes of. */
export function indexedCollections(text: string): string[] {
  const { indexes } = parseIndexFile(text);
  return [...new Set(indexes.map(({ collectionGroup }) => collectionGroup))];
}

const isSameField = (one: Override, other: Override) =>
  one.collectionGroup === other.collectionGroup && one.fieldPath === other.fieldPath;
