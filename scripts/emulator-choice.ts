/** Which Firestore emulator to run, of several ways to have one. Pure: emulator-probe.ts looks at the machine. */
import { firstFound } from "./first-found.ts";

export interface Emulator {
  kind: "official" | "hidane";
  /** What it is, for people: "the official one, cloud-firestore-emulator-v1.22.0.jar". */
  name: string;
  /** Why this one, for people. */
  why: string;
  /** The program, with its arguments, that firebase-tools must be run by. */
  wrapper: string[];
  /** What firebase-tools needs in its environment. */
  env: Record<string, string>;
}

/** Tries a way to have one: the emulator, or in a few words why it cannot be had so. */
type Way = () => Promise<Emulator | string>;

/**
 * The first emulator that is available, the official one before hidane. `wish` is the value of FIRERANK_EMULATOR, which
 * excludes the other kind; undefined (or an empty text) takes any.
 */
export async function chooseEmulator(
  wish: string | undefined,
  ways: Record<Emulator["kind"], readonly Way[]>,
): Promise<Emulator> {
  if (wish && wish !== "official" && wish !== "hidane")
    throw new Error(`FIRERANK_EMULATOR is "${wish}"; it can be "official" or "hidane", or be left out.`);
  const tried = Object.entries(ways).flatMap(([kind, some]) => (!wish || wish === kind ? some : []));
  const { found, reasons } = await firstFound(tried);
  if (found !== undefined) return found;
  const wished = wish ? ` (FIRERANK_EMULATOR=${wish})` : "";
  throw new Error(
    [
      `No Firestore emulator can be had on this machine${wished}. What was tried:`,
      ...reasons.map((reason) => `  - ${reason}`),
      "Any one of these helps:",
      "  - install Java 21 or newer; Firebase's own emulator is then downloaded by itself",
      "  - install the Google Cloud SDK's emulator (gcloud components install cloud-firestore-emulator) and Java 21",
      "  - install hidane, which needs no Java (cargo install hidane --locked)",
      "  - set FIRESTORE_EMULATOR_BINARY_PATH to the emulator's jar",
    ].join("\n"),
  );
}

/**
 * The major version in what `java -version` prints (`openjdk version "17.0.15"`: 17; `"1.8.0_292"`: 8;
 * `"25-ea"`: 25), or undefined.
 */
export function javaMajor(versionOutput: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(versionOutput);
  return match === null ? undefined : Number(match[1]);
}
