/** What Firestore accepts as the id of a document. It needs only the language, as apps check ids too. */

/** Firestore's limit. */
export const documentIdBytesMax = 1_500;

/**
 * Why Firestore refuses a document id, as in `must not contain "/"`; undefined if Firestore takes the id. Ids such as
 * `__id7__` are not judged here: see {@link numberInId}.
 */
export function documentIdProblem(id: string): string | undefined {
  if (id === "") return "must not be empty";
  if (utf8Bytes(id) > documentIdBytesMax) return `must have at most ${documentIdBytesMax} bytes`;
  if (id.includes("/")) return 'must not contain "/"';
  if (id === "." || id === "..") return 'must not be "." or ".."';
  if (/^__(?!id-?[1-9]\d{0,18}__$).*__$/s.test(id))
    return 'must not be of the form "__…__", which Firestore reserves';
  // Not \p{Surrogate}, which is a syntax error in older Hermes.
  if (/[\uD800-\uDFFF]/u.test(id)) return "must be well-formed Unicode";
  return undefined;
}

/**
 * The number in an id such as `__id7__`, as documents imported from Datastore have: any 64-bit integer but 0, without
 * leading zeros. Undefined for any other id.
 */
export function numberInId(id: string): string | undefined {
  if (!id.startsWith("__id")) return undefined;
  const [, sign = "", digits = ""] = /^__id(-?)([1-9]\d{0,18})__$/.exec(id) ?? [];
  const most = sign === "" ? "9223372036854775807" : "9223372036854775808";
  return digits === "" || digits.padStart(most.length, "0") > most ? undefined : sign + digits;
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
