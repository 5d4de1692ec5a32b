/** How and where this command line was started. */
import { resolve } from "node:path";

/** For texts that name a command to run next. */
export const commandName =
  process.env["npm_lifecycle_event"] === "firerank" ? "npm run firerank --" : "npx --no-install firerank";

/** The full path of a file. npm starts scripts in the repository's folder; the user may be in another. */
export function fileHere(path: string): string {
  return resolve((commandName.startsWith("npm") && process.env["INIT_CWD"]) || process.cwd(), path);
}
