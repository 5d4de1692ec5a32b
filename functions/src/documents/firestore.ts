/** The one place that names the Firestore client library, so that everything else shares one copy of its classes. */
export { FieldPath, FieldValue, Filter, Firestore, Timestamp } from "@google-cloud/firestore";
export type {
  CollectionReference,
  DocumentData,
  DocumentReference,
  DocumentSnapshot,
  Precondition,
  Query,
  QueryDocumentSnapshot,
  QuerySnapshot,
  Transaction,
  WriteBatch,
} from "@google-cloud/firestore";
