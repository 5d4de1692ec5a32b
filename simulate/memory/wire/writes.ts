/** Writes as the client library sends them, and what they make of a document. */
import type { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { documentIdBytesMax } from "../../../functions/src/model/document-id.ts";
import { grpcError, type Guard, type Write } from "../store.ts";
import { isMap, numberOf, pathOf, sumOf, valueAt } from "../values.ts";
import type { WireTransform, WireWrite } from "./messages.ts";
import { checkSize } from "./size.ts";
import { dataFrom, exactTimeFrom, fieldFrom, pathOfName, valueFrom } from "./values.ts";

/**
 * @param requestTime what `serverTimestamp` stands for.
 * @throws when it is performed, `invalidArgument` if the document would be too big.
 */
export function writeOf(
  {
    update,
    delete: deleted = "",
    updateMask,
    updateTransforms = [],
    currentDocument: { exists, updateTime } = {},
  }: WireWrite,
  requestTime: Timestamp,
): Write {
  const guard: Guard = {
    ...(exists === undefined ? {} : { exists }),
    lastUpdateTime: updateTime && exactTimeFrom(updateTime),
  };
  if (update === undefined) return { path: pathOfName(deleted), guard, apply: () => undefined };
  const path = pathOfName(update.name);
  const idBytes = Buffer.byteLength(path.slice(path.lastIndexOf("/") + 1));
  if (idBytes > documentIdBytesMax)
    throw grpcError(
      "invalidArgument",
      `The key path element name is longer than ${documentIdBytesMax} bytes.`,
    );
  const data = dataFrom(update.fields);
  const masked = updateMask && (updateMask.fieldPaths ?? []).map((path) => pathOf(fieldFrom(path)));
  const fields = masked ?? Object.keys(data).map((name) => [name]);
  const transforms = updateTransforms.map((one) => ({
    field: pathOf(fieldFrom(one.fieldPath)),
    made: transformOf(one, requestTime),
  }));
  return {
    path,
    guard,
    apply(before) {
      const after = masked === undefined ? {} : { ...before };
      const own = new Set<object>([after]);
      for (const field of fields) put(own, after, field, valueAt(data, field));
      for (const { field, made } of transforms) put(own, after, field, made(valueAt(after, field)));
      checkSize(path, after);
      return after;
    },
  };
}

/** Puts a value at a path of a map. Maps on the way that the write does not own yet are copied first. */
function put(own: Set<object>, map: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [field = "", ...rest] = path;
  if (rest.length === 0 && value === undefined) Reflect.deleteProperty(map, field);
  else if (rest.length === 0) map[field] = value;
  else {
    let inner = map[field];
    if (!isMap(inner) && value === undefined) return;
    if (!isMap(inner) || !own.has(inner)) {
      inner = map[field] = isMap(inner) ? { ...inner } : {};
      own.add(inner as object);
    }
    put(own, inner as Record<string, unknown>, rest, value);
  }
}

function transformOf({ fieldPath, setToServerValue, increment }: WireTransform, requestTime: Timestamp) {
  if (setToServerValue === "REQUEST_TIME") return (): unknown => requestTime;
  if (increment === undefined)
    throw grpcError("invalidArgument", `the database in memory knows no such transform of ${fieldPath}`);
  const more = valueFrom(increment);
  return (present: unknown): unknown => (numberOf(present) === undefined ? more : sumOf(present, more));
}
