/** Random places among documents' ids, for samples. Pure. */

const kinds: readonly [pattern: RegExp, alphabet: string][] = [
  [/^[0-9]*$/, "0123456789"],
  [/^[0-9a-f-]*$/, "0123456789abcdef"],
  [/^.*$/s, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"],
];

/** Characters after the common beginning of all ids: a million places if they are digits, 62^6 if they are anything. */
const charactersDrawn = 6;

/**
 * A random text near some document's id: the common beginning of the known ids, followed by random characters of the
 * kind that comes next in them. This hits Firebase user ids, UUIDs and numbers evenly. It hits other ids less evenly,
 * and then a sample says less about the whole.
 * @param ids some of the collection's, at least one.
 */
export function idBetween(ids: readonly string[], random: () => number): string {
  const [first = ""] = ids;
  let common = ids.length === 1 ? 0 : first.length;
  for (const id of ids) while (!id.startsWith(first.slice(0, common))) common--;
  const rest = ids.map((id) => id.slice(common)).join("");
  const alphabet = kinds.find(([pattern]) => pattern.test(rest))?.[1] ?? "";
  const drawn = Array.from(
    { length: charactersDrawn },
    () => alphabet[Math.floor(random() * alphabet.length)],
  );
  return first.slice(0, common) + drawn.join("");
}
