/** An app with the Firebase JS SDK on the emulators, for `firerank-client`. */
import { randomUUID } from "node:crypto";
import { deleteApp, type FirebaseApp, initializeApp, initializeServerApp } from "firebase/app";
import { connectAuthEmulator, getAuth, signInWithCustomToken } from "firebase/auth";
import { connectFirestoreEmulator, getFirestore, terminate } from "firebase/firestore";
import { connectFunctionsEmulator, getFunctions } from "firebase/functions";
import { onTestFinished } from "vitest";
import { addressesIn, createCustomToken, customTokenOf } from "../../../scripts/callable-client.ts";
import { projectId, region } from "../../../scripts/project.ts";

export interface ClientApp {
  app: FirebaseApp;
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
  /** The ID token of the user for whom a server renders a page. */
  authIdToken?: string;
}

/** A separate app for a test, nobody signed in; the test's end closes it. */
export function clientApp(options?: ClientAppOptions): ClientApp {
  const client = createClientApp(options);
  onTestFinished(() => client.close());
  return client;
}

/** The same for whoever closes it. */
export function createClientApp(options: ClientAppOptions = {}): ClientApp {
  const { functionsPort, authPort, authIdToken } = options;
  const addresses = addressesIn(process.env);
  const config = { projectId, apiKey: "any" };
  const app =
    authIdToken === undefined
      ? initializeApp(config, randomUUID())
      : initializeServerApp(config, { authIdToken });
  const auth = getAuth(app);
  const authAddress = authPort === undefined ? addresses.auth : `127.0.0.1:${authPort}`;
  connectAuthEmulator(auth, `http://${authAddress}`, { disableWarnings: true });
  const db = getFirestore(app);
  connectFirestoreEmulator(db, ...hostAndPort(process.env["FIRESTORE_EMULATOR_HOST"]));
  const [host, port] = hostAndPort(addresses.functions);
  connectFunctionsEmulator(getFunctions(app, region), host, functionsPort ?? port);
  return {
    app,
    async signIn(uid, claims = {}) {
      await signInWithCustomToken(auth, await createCustomToken(addresses, { uid, claims }));
    },
    async signInAgain(uid) {
      await signInWithCustomToken(auth, await customTokenOf(addresses, uid));
    },
    async close() {
      await terminate(db);
      await deleteApp(app);
    },
  };
}

/** The parts of an emulator's address. */
export function hostAndPort(address = ""): [host: string, port: number] {
  const [host = "", port] = address.split(":");
  return [host, Number(port)];
}
