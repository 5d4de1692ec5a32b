/** The Firebase SDKs, connected once to what {@link loadConfig} found. */
import { type FirebaseApp, initializeApp } from "firebase/app";
import {
  browserLocalPersistence,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  type Auth,
} from "firebase/auth";
import { connectFirestoreEmulator, type Firestore, initializeFirestore } from "firebase/firestore";
import { connectFunctionsEmulator, type Functions, getFunctions } from "firebase/functions";
import { type Config, loadConfig } from "./config.ts";

export interface Firebase {
  app: FirebaseApp;
  auth: Auth;
  db: Firestore;
  functions: Functions;
  config: Config;
}

let connected: Firebase | undefined;

/** Connects. @throws as {@link loadConfig} does */
export async function connect(): Promise<Firebase> {
  const config = await loadConfig(window.location);
  const app = initializeApp(config.options);
  await proveApp(app, config);
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] });
  const db = initializeFirestore(app, {}, config.database);
  const functions = getFunctions(app, config.region);
  const { emulators } = config;
  if (emulators !== undefined) {
    const { host, port } = emulators.auth;
    connectAuthEmulator(auth, `http://${host}:${port}`, { disableWarnings: true });
    connectFirestoreEmulator(db, emulators.firestore.host, emulators.firestore.port);
    connectFunctionsEmulator(functions, emulators.functions.host, emulators.functions.port);
  }
  connected = { app, auth, db, functions, config };
  return connected;
}

/** Sends tokens of App Check with all that follows, if the build has a key. The emulators ask for none. */
async function proveApp(app: FirebaseApp, { appCheckKey, emulators }: Config): Promise<void> {
  if (appCheckKey === undefined || emulators !== undefined) return;
  const { initializeAppCheck, ReCaptchaEnterpriseProvider } = await import("firebase/app-check");
  const provider = new ReCaptchaEnterpriseProvider(appCheckKey);
  initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true });
}

/** The connection. @throws before {@link connect} has made it */
export function firebase(): Firebase {
  if (connected === undefined) throw new Error("connect() comes first");
  return connected;
}
