/** Bytes of a document as Firestore counts them: https://firebase.google.com/docs/firestore/storage-size. */
import { isMap, isPlace, isReference, isVector } from "./stored-class.ts";

const encoder = new TextEncoder();

/** Bytes of a document besides its name and fields, and of a map besides its keys and values. */
const overhead = 32;

/** Bytes of a text: its UTF-8 length plus 1. */
export function textSize(text: string): number {
  return (isAscii(text) ? text.length : encoder.encode(text).length) + 1;
}

/** Most texts are ASCII: each character is one byte then, and nothing has to be encoded. */
function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** Bytes of a document name: its collection and document ids plus 16. */
export function nameSize(path: string): number {
  return path.split("/").reduce((sum, id) => sum + textSize(id), 16);
}

/** Bytes of a field's value. A number counts 8. */
export function valueSize(value: unknown): number {
  if (value === null || typeof value === "boolean") return 1;
  if (typeof value === "string") return textSize(value);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + valueSize(item), 0);
  if (isMap(value)) return fieldsSize(value) + overhead;
  return typeof value === "object" ? classSize(value) : 8;
}

/** Bytes of a value that has a class. A time counts 8, as does a number that JavaScript cannot tell exactly. */
function classSize(value: object): number {
  if (isReference(value)) return nameSize(value.path);
  if (isPlace(value)) return 16;
  // The page tells nothing of vectors. This is the map as which one is sent; the emulator counts the numbers alone.
  if (isVector(value)) return valueSize({ __type__: "__vector__", value: value.toArray() });
  return 8;
}

export function fieldsSize(fields: object): number {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return set.reduce((sum, [name, value]) => sum + textSize(name) + valueSize(value), 0);
}

/** Bytes of a document: its name, its fields and 32. Index entries are not counted. */
export function documentSize(path: string, fields: object): number {
  return nameSize(path) + fieldsSize(fields) + overhead;
}

/** Bytes of an index entry besides the document's name, the field's and the value. */
const entryOverhead = 32;

/** An index keeps so many bytes of a value. */
const indexedBytesMax = 1_500;

/**
 * The most bytes that the index entries of a document's fields can take. Each value has two entries, and so has each
 * element of an array and each value in a map; an entry holds the names of the document and its collection. Fields
 * named in `exempt` have no entries.
 */
export function entriesSize(path: string, fields: object, exempt: ReadonlySet<string>): number {
  const parent = path.split("/").slice(0, -2).join("/");
  const each = nameSize(path) + nameSize(parent) + entryOverhead;
  let size = 0;
  const add = (name: string, value: unknown) => {
    size += 2 * (each + textSize(name) + Math.min(valueSize(value), indexedBytesMax));
    if (Array.isArray(value)) for (const item of value) add(name, item);
    else if (isMap(value)) for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
  };
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && !exempt.has(name)) add(name, value);
  return size;
}

/** Levels of maps and arrays in a value, also empty ones; a vector or any other class is no level. */
export function depthOf(value: unknown): number {
  if (!Array.isArray(value) && !isMap(value)) return 0;
  return 1 + Object.values(value).reduce((most: number, inner) => Math.max(most, depthOf(inner)), 0);
}
