/** Where this repository is, and what its project is called on the emulators. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = dirname(import.meta.dirname);

/** The `demo-` makes firebase-tools refuse to touch anything but emulators. */
export const projectId = "demo-firerank";

/** As in functions/.env.demo-firerank. */
export const region = "us-central1";

/** A folder for what the scripts write (logs, the emulator's wrapper), made if missing; git ignores it. */
export function workFolder(...names: string[]): string {
  const folder = join(root, ".firerank", ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}
