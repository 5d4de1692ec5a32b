/** Queries as the client library sends them. */
import { nameField } from "../order.ts";
import type { Operator, QuerySpec } from "../query.ts";
import { grpcError } from "../store.ts";
import type { WireCursor, WireFilter, WireQuery, WireValue } from "./messages.ts";
import { pathOfName, valueFrom } from "./values.ts";

const operators: Readonly<Record<string, Operator>> = {
  EQUAL: "==",
  LESS_THAN: "<",
  LESS_THAN_OR_EQUAL: "<=",
  GREATER_THAN: ">",
  GREATER_THAN_OR_EQUAL: ">=",
  ARRAY_CONTAINS: "array-contains",
  IN: "in",
};

const singleValues: Readonly<Record<string, unknown>> = { IS_NULL: null, IS_NAN: NaN };

/** @throws `invalidArgument` for a query with a feature that the database in memory does not have. */
export function specOf(parent: string, query: WireQuery): QuerySpec {
  const { from, where = {}, orderBy = [], startAt, endAt, offset = 0, limit, select } = query;
  const [{ collectionId = "", allDescendants = false } = {}] = from;
  const under = pathOfName(parent);
  const orders = orderBy.map(({ field, direction }) => ({
    field: field.fieldPath,
    descending: direction === "DESCENDING",
  }));
  const placeAt = ({ values }: WireCursor) => values.map((value, i) => operandOf(orders[i]?.field, value));
  return {
    collection: allDescendants || under === "" ? collectionId : `${under}/${collectionId}`,
    group: allDescendants,
    under,
    filters: filtersOf(where),
    orders,
    offset,
    limit: limit?.value ?? Infinity,
    after: startAt && placeAt(startAt),
    isWithAfter: startAt?.before === true,
    before: endAt && placeAt(endAt),
    isWithBefore: endAt?.before !== true,
    fields: select?.fields.map(({ fieldPath }) => fieldPath),
  };
}

function filtersOf({ compositeFilter, fieldFilter, unaryFilter }: WireFilter): QuerySpec["filters"] {
  if (compositeFilter?.op === "AND") return compositeFilter.filters.flatMap(filtersOf);
  if (fieldFilter !== undefined) {
    const { op, field, value } = fieldFilter;
    const operator = operators[op];
    const name = field.fieldPath;
    if (operator !== undefined) return [{ field: name, operator, value: operandOf(name, value) }];
  }
  if (unaryFilter !== undefined) {
    const { op, field } = unaryFilter;
    if (op in singleValues) return [{ field: field.fieldPath, operator: "==", value: singleValues[op] }];
  }
  const kind = compositeFilter?.op ?? fieldFilter?.op ?? unaryFilter?.op;
  if (kind === undefined) return [];
  throw grpcError("invalidArgument", `the database in memory knows no filter ${kind}`);
}

/** What a field is compared with; a document's name with a path. */
function operandOf(field: string | undefined, value: WireValue): unknown {
  const { referenceValue } = value;
  return field === nameField && referenceValue !== undefined ? pathOfName(referenceValue) : valueFrom(value);
}
