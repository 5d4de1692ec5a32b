import { numberInId } from "./document-id.ts";

/**
 * Compares two ids as Firestore orders them: ids such as `__id7__` first, by their number, then all others by their
 * UTF-8 bytes, so by code points and not by UTF-16 units.
 */
export function compareIds(a: string, b: string): number {
  const [number, other] = [numberInId(a), numberInId(b)];
  if (number === undefined && other === undefined) return compareTexts(a, b);
  if (number === undefined || other === undefined) return number === undefined ? 1 : -1;
  return Number(BigInt(number) - BigInt(other));
}

function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = rankOfUnit(a.charCodeAt(i)) - rankOfUnit(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Surrogates encode the highest code points, although they are not the highest UTF-16 units. */
function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
