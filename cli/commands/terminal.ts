/** Where a command was started. */
import { resolve } from "node:path";
import { commandName } from "../command-name.ts";

/** The full path of a file. npm starts scripts in the repository's folder; the user may be in another. */
export function fileHere(path: string): string {
  return resolve((commandName.startsWith("npm") && process.env["INIT_CWD"]) || process.cwd(), path);
}
