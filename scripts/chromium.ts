/** Starts the Chromium that `FIRERANK_CHROMIUM` names; see browser-choice.ts. */
import { type Browser, chromium } from "playwright-core";

/**
 * Starts a headless Chromium that sends no requests of its own; the caller closes it.
 * @param program its path; without one, the Chromium that playwright-core downloaded
 * @throws if it does not start
 */
export function startChromium(program: string | undefined): Promise<Browser> {
  return chromium.launch({
    ...(program === undefined ? {} : { executablePath: program }),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
