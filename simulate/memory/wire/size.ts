/**
 * How large a document is. The functions count for themselves (model/document-size.ts): a mistake there must not hide
 * here. The cases say the sizes of references, places, bytes and vectors, as the emulators take them.
 */
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { grpcError } from "../store.ts";
import { AsOnWire, isMap, vectorIn } from "../values.ts";
import type { WireValue } from "./messages.ts";
import { pathOfName } from "./values.ts";

const bytesMax = 1_048_576;

/** @throws `invalidArgument` if the document is larger than Firestore takes it. */
export function checkSize(path: string, data: Readonly<Record<string, unknown>>): void {
  const bytes = nameBytes(path) + mapBytes(data);
  if (bytes > bytesMax)
    throw grpcError(
      "invalidArgument",
      `the document's size of ${bytes} bytes exceeds the maximum allowed size of ${bytesMax} bytes`,
    );
}

const textBytes = (text: string) => Buffer.byteLength(text) + 1;

function nameBytes(path: string): number {
  let bytes = 16;
  for (const id of path.split("/")) bytes += textBytes(id);
  return bytes;
}

/** As the documentation says; the emulators leave the 32 of maps inside of documents out. */
function mapBytes(map: Readonly<Record<string, unknown>>): number {
  let bytes = 32;
  for (const name of Object.keys(map)) bytes += textBytes(name) + valueBytes(map[name]);
  return bytes;
}

function valueBytes(value: unknown): number {
  if (typeof value === "string") return textBytes(value);
  if (typeof value === "number" || value instanceof Timestamp) return 8;
  if (value === null || typeof value === "boolean") return 1;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + valueBytes(item), 0);
  if (value instanceof AsOnWire) return wireBytes(value.wire);
  if (isMap(value)) return mapBytes(value);
  throw new Error(`the database in memory has an unknown value, of type ${typeof value}`);
}

function wireBytes(wire: WireValue): number {
  const { bytesValue, referenceValue, geoPointValue } = wire;
  if (bytesValue !== undefined) return bytesValue.length;
  if (referenceValue !== undefined) return nameBytes(pathOfName(referenceValue));
  if (geoPointValue !== undefined) return 16;
  return 8 * (vectorIn(wire)?.length ?? 1);
}
