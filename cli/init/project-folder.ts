/** The folder of a Firebase project, as firebase-tools finds it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asCliError } from "../system-error.ts";

/** The nearest folder upwards that has a firebase.json; without one, where it began. */
export function projectFolder(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "firebase.json"))) return folder;
    if (folder === dirname(folder)) return from;
  }
}

/** A file of a project, as text; undefined if there is none. @throws CliError if it cannot be read */
export function readIn(project: string, path: string): string | undefined {
  const full = join(project, path);
  try {
    return existsSync(full) ? readFileSync(full, "utf8") : undefined;
  } catch (error) {
    throw asCliError(error, { file: full });
  }
}
