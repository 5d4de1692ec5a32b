/** The configuration that Firebase Hosting gives its pages, and `firerank dashboard` too: project and emulators. */
import type { FirebaseOptions } from "firebase/app";

export interface Address {
  host: string;
  port: number;
}

export interface Emulators {
  auth: Address;
  firestore: Address;
  functions: Address;
}

/** What variables of the build say, such as `VITE_FIRERANK_PREFIX`. Whoever serves the page may say it instead. */
interface Settings {
  /** Where the functions run. */
  region?: string | undefined;
  /** What is in front of the functions' names, by default nothing. */
  prefix?: string | undefined;
  /** The id of a named database; otherwise the default one is meant. */
  database?: string | undefined;
  /** The database's edition, for its prices; otherwise Standard. */
  edition?: string | undefined;
}

/** Hosting's `init.json`; with `firerank` from `firerank dashboard`, which serves one build for any project. */
interface Served extends FirebaseOptions {
  locationId?: string;
  firerank?: Settings;
}

export interface Config extends Settings {
  options: FirebaseOptions;
  region: string;
  /** The site key of reCAPTCHA Enterprise: `VITE_FIRERANK_APP_CHECK_KEY` of the build; otherwise App Check is not used. */
  appCheckKey: string | undefined;
  emulators: Emulators | undefined;
}

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

/** Reads Hosting's reserved URLs: 1 request, on a local host 2. @throws where nothing of Hosting serves the page */
export async function loadConfig({ hostname }: Pick<Location, "hostname">): Promise<Config> {
  const [{ firerank, ...options }, emulators] = await Promise.all([
    loadOptions(),
    localHosts.includes(hostname) ? loadEmulators() : undefined,
  ]);
  return {
    options,
    region: firerank?.region ?? regionOf(options),
    prefix: firerank?.prefix ?? setting("VITE_FIRERANK_PREFIX"),
    database: firerank?.database ?? setting("VITE_FIRERANK_DATABASE"),
    edition: firerank?.edition ?? setting("VITE_FIRERANK_EDITION"),
    appCheckKey: setting("VITE_FIRERANK_APP_CHECK_KEY"),
    emulators,
  };
}

async function loadOptions(): Promise<Served> {
  const response = await fetch("/__/firebase/init.json");
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.ok || !type.includes("json")) {
    throw new Error(
      "This page has to be served by `firerank dashboard`, or by Firebase Hosting or its emulator, with a web app registered in the project.",
    );
  }
  return (await response.json()) as Served;
}

/** Only a script for older SDKs has the addresses; it is read as text and not run. */
async function loadEmulators(): Promise<Emulators | undefined> {
  const script = await (await fetch("/__/firebase/init.js?useEmulator=true")).text();
  return emulatorsIn(script);
}

/** The addresses in Hosting's `init.js?useEmulator=true`; undefined unless all three emulators are there. */
export function emulatorsIn(script: string): Emulators | undefined {
  const json = /var firebaseEmulators = (\{.*?\n\});/s.exec(script)?.[1];
  if (json === undefined) return undefined;
  const { auth, firestore, functions } = JSON.parse(json) as Partial<Emulators>;
  if (auth === undefined || firestore === undefined || functions === undefined) return undefined;
  return { auth, firestore, functions };
}

/**
 * Where the functions run: `VITE_FIRERANK_REGION` of the build, otherwise the region of the database if Hosting knows it,
 * or for a multi-region what `init` proposes; otherwise us-central1, their default.
 */
export function regionOf({ locationId = "" }: { locationId?: string }): string {
  const set = setting("VITE_FIRERANK_REGION");
  if (set !== undefined) return set;
  if (["eur3", "europe-west"].includes(locationId)) return "europe-west1";
  const isRegion = /^[a-z]+-[a-z]+\d+$/.test(locationId);
  return isRegion ? locationId : "us-central1";
}

/** A variable of the build; undefined if it was not set, or is empty. */
function setting(name: string): string | undefined {
  const set: unknown = import.meta.env[name];
  return typeof set === "string" && set !== "" ? set : undefined;
}
