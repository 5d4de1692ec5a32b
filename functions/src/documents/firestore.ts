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
