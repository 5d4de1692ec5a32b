/**
 * Which Firestore emulator to run. There are several ways to have one; the first that works on this machine is taken.
 * Pure: emulator-probe.ts looks at the machine.
 */

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

/** The ways to get an emulator, best first. */
export const ways = ["given", "downloaded", "download", "component", "hidane", "hidane_install"] as const;
export type Way = (typeof ways)[number];

/** Tries each way: the emulator, or in a few words why there is none. */
export type Attempts = Record<Way, () => Promise<Emulator | string>>;

/**
 * The first emulator that is available. `wish` is the value of FIRERANK_EMULATOR: `official` excludes hidane, `hidane`
 * excludes all others, undefined (or an empty text) takes any.
 */
export async function chooseEmulator(wish: string | undefined, attempts: Attempts): Promise<Emulator> {
  const reasons: string[] = [];
  for (const way of waysFor(wish)) {
    const result = await attempts[way]();
    if (typeof result !== "string") {
      return result;
    }
    reasons.push(result);
  }
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

function waysFor(wish: string | undefined): Way[] {
  switch (wish) {
    case undefined:
    case "":
      return [...ways];
    case "official":
      return ["given", "downloaded", "download", "component"];
    case "hidane":
      return ["hidane", "hidane_install"];
    default:
      throw new Error(`FIRERANK_EMULATOR is "${wish}"; it can be "official" or "hidane", or be left out.`);
  }
}
