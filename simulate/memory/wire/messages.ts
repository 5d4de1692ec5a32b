/** The parts of Firestore's messages that the server in memory reads and writes, as the client library has them. */

/** A time; a whole number may be a text. */
export interface WireTime {
  seconds?: number | string;
  nanos?: number;
}

/** One of these is there. */
export interface WireValue {
  nullValue?: unknown;
  booleanValue?: boolean;
  integerValue?: number | string;
  doubleValue?: number;
  timestampValue?: WireTime;
  stringValue?: string;
  referenceValue?: string;
  bytesValue?: Uint8Array;
  geoPointValue?: { latitude?: number; longitude?: number };
  arrayValue?: { values?: WireValue[] };
  mapValue?: { fields?: WireFields };
}

export type WireFields = Record<string, WireValue>;

export interface WireDocument {
  name: string;
  fields?: WireFields;
  createTime?: WireTime;
  updateTime?: WireTime;
}

interface FieldMask {
  fieldPaths?: string[];
}

export interface WireTransform {
  fieldPath: string;
  setToServerValue?: string;
  increment?: WireValue;
}

export interface WireWrite {
  update?: WireDocument;
  delete?: string;
  updateMask?: FieldMask;
  updateTransforms?: WireTransform[];
  currentDocument?: { exists?: boolean; updateTime?: WireTime };
}

/** Names a field of a query. */
interface Field {
  field: { fieldPath: string };
}

export interface WireFilter {
  compositeFilter?: { op: string; filters: WireFilter[] };
  fieldFilter?: Field & { op: string; value: WireValue };
  unaryFilter?: Field & { op: string };
}

export interface WireCursor {
  values: WireValue[];
  before?: boolean;
}

export interface WireQuery {
  from: { collectionId?: string; allDescendants?: boolean }[];
  where?: WireFilter;
  orderBy?: (Field & { direction: string })[];
  startAt?: WireCursor;
  endAt?: WireCursor;
  offset?: number;
  limit?: { value: number };
  select?: { fields: { fieldPath: string }[] };
}

export interface WireAggregation {
  alias: string;
  count?: object;
  sum?: Field;
}

/** Where a read belongs: in a transaction under way, in a new one, or at a time. */
export interface Reading {
  transaction?: Uint8Array;
  newTransaction?: { readOnly?: object; readWrite?: { retryTransaction?: Uint8Array } };
  readTime?: WireTime;
}

export interface Requests {
  batchGetDocuments: Reading & { documents: string[]; mask?: FieldMask };
  runQuery: Reading & { parent: string; structuredQuery: WireQuery };
  runAggregationQuery: Reading & {
    parent: string;
    structuredAggregationQuery: { structuredQuery: WireQuery; aggregations: WireAggregation[] };
  };
  commit: { writes: WireWrite[]; transaction?: Uint8Array };
  batchWrite: { writes: WireWrite[] };
  rollback: { transaction: Uint8Array };
  listDocuments: { parent: string; collectionId: string };
  listCollectionIds: { parent: string };
}
