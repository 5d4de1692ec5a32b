/**
 * How many bytes a value takes in the memory of an instance, roughly: what instances remember is bounded by these bytes.
 * A test weighs what they remember (test/memory/reading/kept.test.ts). What lies in several places of the value counts in
 * each. Pure.
 */
export function bytesInMemory(value: unknown): number {
  if (typeof value === "string") return textHead + value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (ArrayBuffer.isView(value)) return typedArrayHead + value.byteLength;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + pointer + bytesInMemory(part), objectHead);
}

const pointer = 8;
const textHead = 28;
const objectHead = 32;
const typedArrayHead = 350;
