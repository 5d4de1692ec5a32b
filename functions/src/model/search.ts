/**
 * Binary search: the index of the first item that meets a condition which all later items also meet; the length if none
 * does.
 */
export function firstWhere<Item>(items: ArrayLike<Item>, holds: (item: Item, index: number) => boolean) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as Item, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
