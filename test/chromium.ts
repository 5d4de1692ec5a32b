/** A real Chromium for the tests that need a browser's own code: IndexedDB, WebChannel, fetch. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Starts a headless Chromium that asks nobody on the network for anything by itself; the caller closes it.
 * @throws if there is none, saying how to get one.
 */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(process.env),
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

/** The program that `FIRERANK_CHROMIUM` names, or the first one in the `PATH`. @throws if there is none */
export function findChromium(env: Record<string, string | undefined>): string {
  const named = env["FIRERANK_CHROMIUM"];
  const places = (env["PATH"] ?? "").split(delimiter);
  const found =
    named || programs.flatMap((name) => places.map((place) => join(place, name))).find(existsSync);
  if (found !== undefined && existsSync(found)) return found;
  throw new Error(
    `${named ? `FIRERANK_CHROMIUM is ${named}, which does not exist` : "There is no Chromium in the PATH"}: ` +
      "install it (`sudo apt-get install chromium`, `brew install chromium`), or set FIRERANK_CHROMIUM to the program.",
  );
}
