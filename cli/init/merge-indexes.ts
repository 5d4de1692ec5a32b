/** Adds Firerank's indexes and exemptions to a project's firestore.indexes.json. Pure. */
import type { WantedIndexes } from "./edition.ts";
import {
  type Index,
  indexKey,
  isSameField,
  type Override,
  parseIndexFile,
  settingsKey,
} from "./index-file.ts";
import { isBlank, rewrite } from "./json-file.ts";

/**
 * Merges the indexes: theirs stay, those that are missing are added. An exemption of a field that they have an entry for
 * gets the indexes and the TTL that it lacks. Firerank's own that are not wanted, of another edition or of boards that
 * are gone, are taken out where they are exactly as Firerank writes them.
 * @param theirs the file; undefined or blank where there is none yet.
 * @returns the text; the collections in their own indexes; and as `kept` the fields that both exempt, where theirs keeps
 *   indexes that ours would not have.
 * @throws CliError if the file is no index file
 */
export function mergeIndexes(
  theirs: string | undefined,
  { wanted, alone, unwanted, edition }: WantedIndexes,
) {
  if (isBlank(theirs)) return { text: alone, collections: new Set<string>(), kept: [] };
  const before = parseIndexFile(theirs);
  const keyOf = (one: Index) => indexKey(one, edition);
  const [stays, goes] = [wanted, unwanted].map(
    ({ indexes, fieldOverrides }) => new Set([...indexes.map(keyOf), ...fieldOverrides.map(settingsKey)]),
  ) as [Set<string>, Set<string>];
  const isTheirs = (key: string) => stays.has(key) || !goes.has(key);
  const own = {
    ...before,
    indexes: before.indexes.filter((one) => isTheirs(keyOf(one))),
    fieldOverrides: before.fieldOverrides.filter((one) => isTheirs(settingsKey(one))),
  };
  const known = new Set(own.indexes.map(keyOf));
  const both = own.fieldOverrides.map((one) => ({
    one,
    ours: wanted.fieldOverrides.find((other) => isSameField(one, other)),
  }));
  const after = {
    ...own,
    indexes: [...own.indexes, ...wanted.indexes.filter((one) => !known.has(keyOf(one)))],
    fieldOverrides: [
      ...both.map(({ one, ours }) => (ours === undefined ? one : withSettings(one, ours))),
      ...wanted.fieldOverrides.filter((one) => !own.fieldOverrides.some((other) => isSameField(one, other))),
    ],
  };
  const foreign = [
    ...own.indexes.filter((one) => !stays.has(keyOf(one))),
    ...both.flatMap(({ one, ours }) => (ours === undefined ? one : [])),
  ];
  return {
    text: rewrite(rewrite(theirs, before, own), own, after),
    collections: new Set(foreign.map(({ collectionGroup }) => collectionGroup)),
    kept: both.flatMap(({ one, ours }) =>
      ours !== undefined && withSettings(one, ours).indexes.length > ours.indexes.length
        ? `${one.collectionGroup}.${one.fieldPath}`
        : [],
    ),
  };
}

/** Their exemption with the indexes and the TTL of ours. */
function withSettings(one: Override, ours: Override): Override {
  const has = new Set(one.indexes.map(settingsKey));
  const missing = ours.indexes.filter((setting) => !has.has(settingsKey(setting)));
  return { ...one, indexes: [...one.indexes, ...missing], ...(ours.ttl === true && { ttl: true }) };
}
