/**
 * Players by the beginning of their names, whether in upper or lower case. Names are stored and indexed as they are
 * written, and that index alone serves this: the search jumps in it from one way of writing the text to the next that may
 * be there, and passes over what lies between. Nothing is stored for it, and a score costs nothing more.
 */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Found } from "../data/firestore-json.ts";
import { readStretch } from "../data/read.ts";
import { playersFromName, playersNamed, playersWithPrefix, suggestionsMax } from "../data/queries.ts";

export interface Suggestion {
  id: string;
  name: string | undefined;
}

/** Names that one look into the index reads, and the most looks for a text. */
const namesPerLook = 2;
const looksMax = 24;

/** Reads names in the index's order, from a text on. */
export type ReadNames = (from: string, limit: number) => Promise<Suggestion[]>;

/**
 * Players whose name begins with a text, at most eight: first those who write it as it was typed, then others.
 * Cost: 1 read for each who is found and writes it as typed, at least 1; if fewer than eight do, at most 24 looks of usually
 * at most 2 reads.
 */
export async function findPlayers(key: SeasonKey, text: string): Promise<Suggestion[]> {
  const { found } = await readStretch(playersNamed(key, text, suggestionsMax));
  const asTyped = found.map(suggestionOf);
  if (asTyped.length >= suggestionsMax) return asTyped;
  const read: ReadNames = async (from, limit) =>
    (await readStretch(playersFromName(key, from, limit))).found.map(suggestionOf);
  return [...asTyped, ...(await findOtherwise(read, text, suggestionsMax - asTyped.length))];
}

/** Players whose name begins with a text in another case than it has, in the index's order. */
export async function findOtherwise(read: ReadNames, text: string, limit: number): Promise<Suggestion[]> {
  const found = new Map<string, Suggestion>();
  let from = nextStart(text, "");
  for (let look = 0; look < looksMax && from !== undefined && found.size < limit; look++) {
    // Players may have one name: those who are known come again.
    const known = [...found.values()].filter(({ name }) => name === from).length;
    const names = await read(from, namesPerLook + known);
    const passed = names.find(({ name = "" }) => name.startsWith(text) || !beginsWith(name, text));
    for (const one of names.slice(0, passed === undefined ? undefined : names.indexOf(passed)))
      if (found.size < limit) found.set(one.id, one);
    if (passed?.name !== undefined)
      // What is written as typed is known already: all of it is passed over.
      from = nextStart(text, passed.name.startsWith(text) ? text + lastCharacter : passed.name);
    else from = names.length < namesPerLook + known ? undefined : names.at(-1)?.name;
  }
  return [...found.values()];
}

const lastCharacter = "\u{10FFFF}";

/** Whether a text begins with another, whatever the case. Pure. */
export function beginsWith(name: string, text: string): boolean {
  const letters = Array.from(name);
  return Array.from(text).every((letter, i) => waysOf(letter).includes(letters[i] ?? ""));
}

/** A letter in each of its cases, in the order in which Firestore sorts texts. */
function waysOf(letter: string): string[] {
  const ways = [letter, letter.toLowerCase(), letter.toUpperCase()].filter(
    (way) => Array.from(way).length === 1,
  );
  return [...new Set(ways)].sort(byCodePoint);
}

/**
 * The first text, in Firestore's order, that begins like `text` in some case and does not come before `from`; undefined if
 * there is none. Pure.
 */
export function nextStart(text: string, from: string): string | undefined {
  const ways = Array.from(text, waysOf);
  const given = Array.from(from);
  /** The best text that goes the given way up to a letter, and then a later way; the longest such is the first. */
  let later: string | undefined;
  for (const [i, choices] of ways.entries()) {
    const letter = given[i];
    const rest = ways.slice(i + 1).map(([first = ""]) => first);
    const before = given.slice(0, i);
    // The given text ends here: whatever comes is not before it.
    if (letter === undefined) return [...before, choices[0] ?? "", ...rest].join("");
    const next = choices.find((way) => byCodePoint(way, letter) > 0);
    if (next !== undefined) later = [...before, next, ...rest].join("");
    if (!choices.includes(letter)) return later;
  }
  return from;
}

function byCodePoint(one: string, other: string): number {
  return (one.codePointAt(0) ?? -1) - (other.codePointAt(0) ?? -1);
}

/** The longest beginning of a text that is searched for. */
const searchedMax = 32;

/**
 * The players nearest to a text that nobody's id is: those whose id or name begins with it, or else with its first half, and
 * so on. Cost: for each such part what {@link findPlayers} costs, and 1 read for each id, at most 8 and at least 1; at most
 * six parts.
 */
export async function nearestPlayers(key: SeasonKey, text: string): Promise<Suggestion[]> {
  let letters = Array.from(text).slice(0, searchedMax);
  for (;;) {
    const part = letters.join("");
    const found = await suggestPlayers(key, part);
    if (found.length > 0 || letters.length < 2) return found.slice(0, suggestionsMax);
    letters = letters.slice(0, Math.ceil(letters.length / 2));
  }
}

/** Players whose name begins with a text, and those whose id does, each once. */
export async function suggestPlayers(key: SeasonKey, text: string): Promise<Suggestion[]> {
  const byId = text.includes("/") ? undefined : readStretch(playersWithPrefix(key, text, suggestionsMax));
  const [named, ids] = await Promise.all([findPlayers(key, text), byId]);
  const all = [...named, ...(ids?.found ?? []).map(suggestionOf)];
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

function suggestionOf({ id, data }: Found): Suggestion {
  const name: unknown = data["display_name"];
  return { id, name: typeof name === "string" ? name : undefined };
}
