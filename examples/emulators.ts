/** Where the examples find the emulators: on the ports of firebase.json, or where the environment says. */

export interface Addresses {
  project: string;
  region: string;
  /** `host:port` each. */
  auth: string;
  firestore: string;
  functions: string;
  /** The URL of a callable function is this and its name. */
  callables: string;
  /** The URL of the REST interface. */
  rest: string;
}

/** The addresses, by the variables that `npm run emulators -- --exec` sets. */
export function emulators(env: Record<string, string | undefined>): Addresses {
  const project = env["GCLOUD_PROJECT"] ?? "demo-firerank";
  const region = env["REGION"] ?? "us-central1";
  const functions = env["FIREBASE_FUNCTIONS_EMULATOR_HOST"] ?? "127.0.0.1:5001";
  const callables = `http://${functions}/${project}/${region}`;
  return {
    project,
    region,
    auth: env["FIREBASE_AUTH_EMULATOR_HOST"] ?? "127.0.0.1:9099",
    firestore: env["FIRESTORE_EMULATOR_HOST"] ?? "127.0.0.1:8080",
    functions,
    callables,
    rest: `${callables}/leaderboardApi`,
  };
}
