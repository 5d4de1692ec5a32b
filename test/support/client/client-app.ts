/** An app with the Firebase JS SDK on the emulators, for `firerank-client`. */
import { randomUUID } from "node:crypto";
import * as app from "firebase/app";
import * as auth from "firebase/auth";
import * as firestore from "firebase/firestore";
import * as functions from "firebase/functions";
import { onTestFinished } from "vitest";
import { addressesIn, createCustomToken, customTokenOf } from "../../../scripts/callable-client.ts";
import { projectId, region } from "../../../scripts/project.ts";

const installed = { app, auth, firestore, functions };
/** The parts of a Firebase JS SDK that a client uses. */
export type FirebaseSdk = typeof installed;

export interface ClientApp {
  app: app.FirebaseApp;
  /** Creates the user, with these custom claims, and signs in. */
  signIn(uid: string, claims?: object): Promise<void>;
  /** Signs in an existing user. */
  signInAgain(uid: string): Promise<void>;
  close(): Promise<void>;
}

export interface ClientAppOptions {
  /** The port for its calls, if not the Functions emulator's. */
  functionsPort?: number | undefined;
  /** The port for signing in and tokens, if not the Auth emulator's. */
  authPort?: number | undefined;
  /** The SDK, if not the one that the tests import. */
  sdk?: FirebaseSdk | undefined;
}

/** A separate app for a test, nobody signed in; the test's end closes it. */
export function clientApp(options?: ClientAppOptions): ClientApp {
  const client = createClientApp(options);
  onTestFinished(() => client.close());
  return client;
}

/** The same for whoever closes it. */
export function createClientApp({
  functionsPort,
  authPort,
  sdk = installed,
}: ClientAppOptions = {}): ClientApp {
  const addresses = addressesIn(process.env);
  const own = sdk.app.initializeApp({ projectId, apiKey: "any" }, randomUUID());
  const users = sdk.auth.getAuth(own);
  const authAddress = authPort === undefined ? addresses.auth : `127.0.0.1:${authPort}`;
  sdk.auth.connectAuthEmulator(users, `http://${authAddress}`, { disableWarnings: true });
  const db = sdk.firestore.getFirestore(own);
  sdk.firestore.connectFirestoreEmulator(db, ...hostAndPort(process.env["FIRESTORE_EMULATOR_HOST"]));
  const [host, port] = hostAndPort(addresses.functions);
  const called = sdk.functions.getFunctions(own, region);
  sdk.functions.connectFunctionsEmulator(called, host, functionsPort ?? port);
  return {
    app: own,
    async signIn(uid, claims = {}) {
      await sdk.auth.signInWithCustomToken(users, await createCustomToken(addresses, { uid, claims }));
    },
    async signInAgain(uid) {
      await sdk.auth.signInWithCustomToken(users, await customTokenOf(addresses, uid));
    },
    async close() {
      await sdk.firestore.terminate(db);
      await sdk.app.deleteApp(own);
    },
  };
}

/** The parts of an emulator's address. */
export function hostAndPort(address = ""): [host: string, port: number] {
  const [host = "", port] = address.split(":");
  return [host, Number(port)];
}
