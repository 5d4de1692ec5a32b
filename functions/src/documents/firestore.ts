/** The one place that names the Firestore client library, so that everything else shares one copy of its classes. */
export {
  AggregateField,
  DocumentReference,
  FieldPath,
  FieldValue,
  Filter,
  Firestore,
  GeoPoint,
  Timestamp,
  VectorValue,
} from "@google-cloud/firestore";
import type { DocumentReference as Ref, Precondition as Guard } from "@google-cloud/firestore";

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
