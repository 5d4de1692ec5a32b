/** Writes as the client library sends them. */
import { FieldValue } from "../../../functions/src/documents/firestore.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import { documentBytesMax } from "../../../functions/src/model/limits.ts";
import { edited, type Edit } from "../fields.ts";
import { grpcError, type Guard, type Write } from "../store.ts";
import { pathOf, valueAt } from "../values.ts";
import type { WireTransform, WireWrite } from "./messages.ts";
import { dataFrom, pathOfName, timeFrom, valueFrom } from "./values.ts";

/** @throws when it is performed, `invalidArgument` if the document would be too big. */
export function writeOf(write: WireWrite): Write {
  const { update, currentDocument: { exists, updateTime } = {} } = write;
  const guard: Guard = {
    ...(exists === undefined ? {} : { exists }),
    lastUpdateTime: updateTime && timeFrom(updateTime),
  };
  if (update === undefined) return { path: pathOfName(write.delete ?? ""), guard, apply: () => undefined };
  const edit = editOf(write);
  const path = pathOfName(update.name);
  return {
    path,
    guard,
    apply(before, time) {
      const after = edited(before, edit, time);
      const size = documentSize(path, after);
      if (size > documentBytesMax)
        throw grpcError(
          "invalidArgument",
          `the document's size of ${size} bytes exceeds the maximum allowed size of ${documentBytesMax} bytes`,
        );
      return after;
    },
  };
}

function editOf({ update, updateMask, updateTransforms = [] }: WireWrite): Edit {
  const data = dataFrom(update?.fields);
  const paths =
    updateMask?.fieldPaths?.map(pathOf) ?? (updateMask ? [] : Object.keys(data).map((name) => [name]));
  return {
    keeps: updateMask !== undefined,
    sets: paths.map((path) => ({ path, value: valueAt(data, path) })),
    transforms: updateTransforms.map((transform) => ({
      path: pathOf(transform.fieldPath),
      transform: transformOf(transform),
    })),
  };
}

function transformOf({ fieldPath, setToServerValue, increment }: WireTransform): FieldValue {
  if (setToServerValue === "REQUEST_TIME") return FieldValue.serverTimestamp();
  if (increment !== undefined) return FieldValue.increment(Number(valueFrom(increment)));
  throw grpcError("invalidArgument", `the database in memory knows no such transform of ${fieldPath}`);
}
