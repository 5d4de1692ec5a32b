/** Which browser tests run in, for them and for people. Pure: browser-probe.ts looks at the machine and installs. */

export interface Browser {
  /** Its program; undefined for the one that playwright-core downloaded and finds by itself. */
  program: string | undefined;
  /** What it is and where it is from, for people: "Chromium 143.0.1, /usr/bin/chromium". */
  name: string;
}

/** The value of FIRERANK_CHROMIUM that tells the tests that there is no browser. */
export const noBrowser = "none";
export const ownOfPlaywright = "playwright";

export function variableFor(browser: Browser | undefined): string {
  return browser === undefined ? noBrowser : (browser.program ?? ownOfPlaywright);
}

/** Debian's package of Chromium without windows, and its program. */
export const shellPackage = "chromium-headless-shell";

/** The command that installs a browser, for people. Ubuntu's package is a snap, which a container cannot run. */
export function commandFor(osRelease: string): string {
  return /^ID=debian$/m.test(osRelease)
    ? `sudo apt-get install ${shellPackage}`
    : "npx playwright-core install --with-deps --only-shell chromium";
}

/**
 * The last lines of `npm test` if there is no browser: which tests were skipped, why there is none, and what to do.
 * `skipped` are names by file.
 */
export function skippedReport(
  skipped: ReadonlyMap<string, readonly string[]>,
  reasons: readonly string[],
  command: string,
): string {
  const files = [...skipped].filter(([, names]) => names.length > 0);
  const count = files.flatMap(([, names]) => names).length;
  if (count === 0) return "";
  const tests = `${count} ${count === 1 ? "test" : "tests"}`;
  return [
    "Skipped, as there is no browser:",
    ...files.flatMap(([file, names]) => [`  ${file}`, ...names.map((name) => `    - ${name}`)]),
    "What was tried to have one:",
    ...reasons.map((reason) => `  - ${reason}`),
    `${tests} skipped for want of a browser. To run ${count === 1 ? "it" : "them"}: ${command}, ` +
      "or set FIRERANK_CHROMIUM to a Chromium's program; then npm test again.",
  ].join("\n");
}
