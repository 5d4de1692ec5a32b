/** Firestore's SDK, connected at the first use. It is large: only files that are loaded for what is live import this one. */
import { connectFirestoreEmulator, type Firestore, initializeFirestore } from "firebase/firestore";
import { firebase } from "./connect.ts";

let connected: Firestore | undefined;

export function firestore(): Firestore {
  if (connected !== undefined) return connected;
  const { app, config } = firebase();
  connected = initializeFirestore(app, {}, config.database);
  const at = config.emulators?.firestore;
  if (at !== undefined) connectFirestoreEmulator(connected, at.host, at.port);
  return connected;
}
