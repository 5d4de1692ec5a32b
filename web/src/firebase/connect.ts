/** Firebase's app and Auth, connected once to what {@link loadConfig} found: what comes before the first data. */
import { type FirebaseApp, initializeApp } from "firebase/app";
import {
  browserLocalPersistence,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  type Auth,
} from "firebase/auth";
import { type Config, loadConfig } from "./config.ts";

export interface Firebase {
  app: FirebaseApp;
  auth: Auth;
  config: Config;
  /** What a request of the user who is signed in has to carry: the tokens of Auth and App Check. */
  headersOfUser: () => Promise<Record<string, string>>;
}

let connected: Firebase | undefined;

/** Connects. @throws as {@link loadConfig} does */
export async function connect(): Promise<Firebase> {
  const config = await loadConfig(window.location);
  const app = initializeApp(config.options);
  const proof = await proveApp(app, config);
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] });
  const { emulators } = config;
  if (emulators !== undefined) {
    const { host, port } = emulators.auth;
    connectAuthEmulator(auth, `http://${host}:${port}`, { disableWarnings: true });
  }
  const headersOfUser = async (): Promise<Record<string, string>> => {
    const [user, proved] = await Promise.all([auth.currentUser?.getIdToken(), proof?.()]);
    return {
      ...(user !== undefined && { Authorization: `Bearer ${user}` }),
      ...(proved !== undefined && { "X-Firebase-AppCheck": proved }),
    };
  };
  connected = { app, auth, config, headersOfUser };
  return connected;
}

/**
 * Sends tokens of App Check with all that follows, if the build has a key. The emulators ask for none.
 * @returns a function that gives the token of the moment, or none where App Check cannot be reached
 */
async function proveApp(
  app: FirebaseApp,
  { appCheckKey, emulators }: Config,
): Promise<(() => Promise<string | undefined>) | undefined> {
  if (appCheckKey === undefined || emulators !== undefined) return undefined;
  const { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } = await import("firebase/app-check");
  const provider = new ReCaptchaEnterpriseProvider(appCheckKey);
  const appCheck = initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true });
  return () =>
    getToken(appCheck).then(
      ({ token }) => token,
      () => undefined,
    );
}

/** The connection. @throws before {@link connect} has made it */
export function firebase(): Firebase {
  if (connected === undefined) throw new Error("connect() comes first");
  return connected;
}
