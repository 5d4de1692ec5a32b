/** Bytes of a document as Firestore counts them: https://firebase.google.com/docs/firestore/storage-size. */

const encoder = new TextEncoder();

/** Bytes that a document takes besides its name and fields. A map takes as many besides its keys and values. */
const overhead = 32;

/** Bytes of a text: its UTF-8 length plus 1. */
export function textSize(text: string): number {
  return encoder.encode(text).length + 1;
}

/** Bytes of a document name: its collection and document ids plus 16. */
export function nameSize(path: string): number {
  return path.split("/").reduce((sum, id) => sum + textSize(id), 16);
}

/** Bytes of a field's value. A class that is neither map nor array (a timestamp) counts 8. */
export function valueSize(value: unknown): number {
  if (value === null || typeof value === "boolean") return 1;
  if (typeof value === "number") return 8;
  if (typeof value === "string") return textSize(value);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + valueSize(item), 0);
  if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)
    return fieldsSize(value) + overhead;
  return 8;
}

/** Bytes of the fields of a document or map. */
export function fieldsSize(fields: object): number {
  let size = 0;
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) size += textSize(name) + valueSize(value);
  }
  return size;
}

/** Bytes of a document: its name, its fields and 32. Index entries are not counted. */
export function documentSize(path: string, fields: object): number {
  return nameSize(path) + fieldsSize(fields) + overhead;
}

/**
 * Bytes of a commit that writes documents: the sum of their sizes. Firestore counts no more than that for exempt
 * fields.
 */
export function commitSize(documents: Iterable<[path: string, fields: object]>): number {
  let size = 0;
  for (const [path, fields] of documents) size += documentSize(path, fields);
  return size;
}
