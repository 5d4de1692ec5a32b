/** What lies where in a store: the documents of a collection, and the collections below a document. */
import type { Store } from "./store.ts";
import { comparePaths } from "./values.ts";

/** The paths of a collection's documents in order, and of those that are missing while documents lie below them. */
export function documentsIn(store: Store, collection: string): string[] {
  const below = namesBelow(store, `${collection}/`);
  const paths = new Set([...store.list(collection).map(({ path }) => path), ...below]);
  return [...paths].sort(comparePaths);
}

/** The ids of the collections below a document, or with "" of all that lie below none; sorted. */
export function collectionsIn(store: Store, document: string): string[] {
  const before = document === "" ? "" : `${document}/`;
  const names = new Set(namesBelow(store, before).map((path) => path.slice(before.length)));
  return [...names].sort(comparePaths);
}

/** What comes next in the paths of the collections that have documents and begin like this. */
function namesBelow(store: Store, before: string): string[] {
  return store
    .collections()
    .filter((path) => path.startsWith(before) && store.list(path).length > 0)
    .map((path) => `${path}/`.slice(0, `${path}/`.indexOf("/", before.length)));
}
