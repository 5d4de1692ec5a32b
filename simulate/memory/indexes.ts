/** The documents of collections in the orders that queries ask for, kept in order while documents change. */
import { comparePlaces, type Entry, firstIndex, inOrder, type Order, placeOf } from "./order.ts";
import { type Change, parentOf, type Store } from "./store.ts";

interface Index {
  orders: readonly Order[];
  entries: Entry[];
}

/** By collection and order. */
type Indexes = Map<string, Map<string, Index>>;

const known = new WeakMap<Store, Indexes>();

/** The present documents of a collection that have all fields of an order, in this order. */
export function indexOf(store: Store, collection: string, orders: readonly Order[]): readonly Entry[] {
  const collections = known.get(store) ?? followed(store);
  const indexes = collections.get(collection) ?? new Map<string, Index>();
  collections.set(collection, indexes);
  const name = JSON.stringify(orders);
  const index = indexes.get(name) ?? { orders, entries: inOrder(store.list(collection), orders) };
  indexes.set(name, index);
  return index.entries;
}

/** Follows the changes of a store from now on. */
function followed(store: Store): Indexes {
  const collections: Indexes = new Map();
  known.set(store, collections);
  store.observe((changes) => {
    for (const change of changes)
      for (const index of collections.get(parentOf(change.path))?.values() ?? [])
        follow(store, index, change);
  });
  return collections;
}

function follow(store: Store, { orders, entries }: Index, { path, before }: Change): void {
  const indexAt = (place: readonly unknown[]) =>
    firstIndex(entries, (entry) => comparePlaces(orders, entry.place, place) >= 0);
  const old = before && placeOf({ path, data: before }, orders);
  if (old !== undefined && !old.includes(undefined)) entries.splice(indexAt(old), 1);
  const document = store.get(path);
  const place = document && placeOf(document, orders);
  if (document !== undefined && place !== undefined && !place.includes(undefined))
    entries.splice(indexAt(place), 0, { document, place });
}
