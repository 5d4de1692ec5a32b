/** The folder of a Firebase project, as firebase-tools finds it. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest folder upwards that has a firebase.json; without one, where it began. */
export function projectFolder(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "firebase.json"))) return folder;
    if (folder === dirname(folder)) return from;
  }
}
