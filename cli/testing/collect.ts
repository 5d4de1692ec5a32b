/** All values of an async sequence. For tests only. */
export async function collect<T>(sequence: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of sequence) all.push(item);
  return all;
}
