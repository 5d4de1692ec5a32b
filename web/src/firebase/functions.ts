/** The SDK of Cloud Functions, connected at the first use; a list of boards comes without it. */
import { connectFunctionsEmulator, type Functions, getFunctions, httpsCallable } from "firebase/functions";
import { firebase } from "./connect.ts";

let connected: Functions | undefined;

/** What the client's `send` takes of the SDK. */
export const functionsSdk = { httpsCallable, getFunctions: functions };

function functions(): Functions {
  if (connected !== undefined) return connected;
  const { app, config } = firebase();
  connected = getFunctions(app, config.region);
  const at = config.emulators?.functions;
  if (at !== undefined) connectFunctionsEmulator(connected, at.host, at.port);
  return connected;
}
