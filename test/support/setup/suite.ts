/**
 * Waits for the emulators and the browser, which `npm test` (scripts/test.ts) brings while the pure tests run, and
 * takes over what they need in the environment. Does nothing if vitest was started inside the emulators.
 */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const path = process.env["FIRERANK_SUITE_FILE"];
if (path !== undefined) {
  // Without a deadline: the browser may have to be installed, and a user who does not want to wait can end the process.
  while (!existsSync(path)) await sleep(100);
  Object.assign(process.env, JSON.parse(readFileSync(path, "utf8")));
}
