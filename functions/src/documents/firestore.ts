/** The one place that names the Firestore client library, so that everything else shares one copy of its classes. */
export {
  AggregateField,
  DocumentReference,
  FieldPath,
  FieldValue,
  Filter,
  GeoPoint,
  Timestamp,
  VectorValue,
} from "@google-cloud/firestore";
import {
  type DocumentReference as Ref,
  Firestore as LibraryFirestore,
  type Precondition as Guard,
  type Settings,
} from "@google-cloud/firestore";
import { integerOf } from "./exact-number.ts";

/**
 * A client, which reads 64-bit integers above 2^53 as {@link ExactNumber}; the library rounds them, or with `useBigInt`
 * makes a BigInt of each integer. For that it replaces an internal function of the library: exact-number.test.ts fails
 * if a version of it has another one.
 */
export class Firestore extends LibraryFirestore {
  constructor(settings?: Settings) {
    super(settings);
    const { _serializer: serializer } = this as unknown as { _serializer: { createInteger: unknown } };
    serializer.createInteger = integerOf;
  }
}

/** What batches and transactions have in common, whose methods return themselves. */
export interface Writer {
  create(ref: Ref, data: object): unknown;
  set(ref: Ref, data: object): unknown;
  update(ref: Ref, data: object, guard?: Guard): unknown;
  delete(ref: Ref, guard?: Guard): unknown;
}
export type {
  CollectionReference,
  DocumentData,
  DocumentSnapshot,
  Precondition,
  Query,
  QueryDocumentSnapshot,
  QuerySnapshot,
  Transaction,
  WriteBatch,
} from "@google-cloud/firestore";
