/** The only file that imports the Firestore client library, so that all code shares one copy of its classes. */
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
 * A client that reads 64-bit integers above 2^53 as {@link ExactNumber}. The library itself would round them, or with
 * `useBigInt` would make a BigInt of every integer. The class replaces an internal function of the library;
 * exact-number.test.ts fails if a new version of the library has no such function.
 */
export class Firestore extends LibraryFirestore {
  constructor(settings?: Settings) {
    super(settings);
    const { _serializer: serializer } = this as unknown as { _serializer: { createInteger: unknown } };
    serializer.createInteger = integerOf;
  }
}

/** The methods that batches and transactions share. */
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
