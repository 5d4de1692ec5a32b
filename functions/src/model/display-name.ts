/** Players' display names. Pure. */
import type { Entry } from "./answers.ts";
import { textSize } from "./document-size.ts";

/**
 * A character that readers can see: a letter, digit, sign or emoji. Left out are characters that fonts leave blank,
 * such as the Hangul fillers and tag characters (which Unicode lets programs ignore), the Braille pattern without dots,
 * the placeholder of an object, the musical symbol without a head and the Egyptian blanks. White space, marks that need
 * a letter to stand on, and characters without a meaning of their own are not visible either.
 */
const shows =
  /(?![\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}])[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u;

/** Whether a reader sees anything of a text. */
export function isVisible(text: string): boolean {
  return shows.test(text);
}

/** What to call a player: the name, or the id where the name is missing or not visible. */
export function shownName({ player, display_name: name }: Pick<Entry, "player" | "display_name">): string {
  return name !== undefined && isVisible(name) ? name : player;
}

/**
 * Bytes of a name in standings and events. A trusted server may write a name of a megabyte, which would fit no other
 * document.
 */
export const keptNameBytesMax = 1_500;

/**
 * A name as standings and events keep it: its first 1,500 bytes, in whole characters; nothing where these show nothing.
 */
export function keptName(name: string): string {
  if (textSize(name) <= keptNameBytesMax) return name;
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(keptNameBytesMax - 1));
  const kept = name.slice(0, read);
  return isVisible(kept) ? kept : "";
}
