/** Binary search: the index of the first item from which on a condition holds; the length if there is none. */
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
