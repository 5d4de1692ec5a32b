/** Random places among documents' ids, for samples. Pure. */

const kinds: readonly [pattern: RegExp, alphabet: string][] = [
  [/^[0-9]*$/, "0123456789"],
  [/^[0-9a-f-]*$/, "0123456789abcdef"],
  [/^.*$/s, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"],
];

/** Characters behind what all ids begin with: a million places where they are digits, 62^6 where they are anything. */
const charactersDrawn = 6;

/**
 * A text near some document's id, by chance: what the ids known begin with, and random characters of the kind that they
 * go on with. The ids of Firebase's users, UUIDs and numbers are met evenly by these; other ids less so, and a sample
 * of them says less of the whole.
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
