/** Where this repository is, and the name of its project on the emulators. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = dirname(import.meta.dirname);

/** The code of the firebase-tools of this repository. */
export const firebaseTools = join(root, "node_modules", "firebase-tools", "lib");

/** The `demo-` makes firebase-tools refuse to touch anything but emulators. */
export const projectId = "demo-firerank";

/** As in functions/.env.demo-firerank. */
export const region = "us-central1";

/** What the names of Firerank's functions begin with: the `prefix` of their codebase in firebase.json; usually nothing. */
export const prefix = prefixIn(readFileSync(join(root, "firebase.json"), "utf8"));

function prefixIn(firebaseJson: string): string | undefined {
  const { functions } = JSON.parse(firebaseJson) as { functions: { codebase?: string; prefix?: string }[] };
  return functions.find(({ codebase }) => codebase === "firerank")?.prefix;
}

/** A folder for files of the scripts (logs, the emulator's wrapper), created if missing; git ignores it. */
export function workFolder(...names: string[]): string {
  const folder = join(root, ".firerank", ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}
