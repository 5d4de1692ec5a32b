/** A real Chromium for the tests that need a browser's own code: IndexedDB, WebChannel, fetch. */
import type { Browser } from "playwright-core";
import { test as anyTest } from "vitest";
import { installedChromium, noBrowser, startChromium } from "../../scripts/browser.ts";

/** `npm test` has looked for one, or brought one, and says so here. */
const chosen = process.env["FIRERANK_CHROMIUM"] || (installedChromium()[0] ?? noBrowser);

/** A test that needs a browser; skipped where there is none, with its file's hooks if the file has no others. */
export const test = anyTest.skipIf(chosen === noBrowser);

/** Starts a browser; the caller closes it. */
export async function launchChromium(): Promise<Browser> {
  if (chosen === noBrowser)
    throw new Error("There is no browser: take `test` from chromium.ts, which skips then.");
  return startChromium(chosen);
}
