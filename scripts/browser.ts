/** Which browser tests run in: one that is installed, or else is installed now. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { root } from "./project.ts";

/** The value of FIRERANK_CHROMIUM that tells the tests that there is no browser, and the one for playwright-core's own. */
export const noBrowser = "none";
const ownOfPlaywright = "playwright";

/** Debian's package, without windows: it shows the same, and takes half of the processor time. */
const shell = "chromium-headless-shell";
const programs = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Starts a headless Chromium that sends no requests of its own; the caller closes it. @throws if it does not start */
export function startChromium(program: string): Promise<Browser> {
  return chromium.launch({
    ...(program === ownOfPlaywright ? {} : { executablePath: program }),
    args: [
      ...[
        "--headless",
        "--no-sandbox",
        "--no-first-run",
        "--disable-gpu",
        "--disable-quic",
        "--disable-sync",
      ],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}

/** Each Chromium in the PATH or among the applications; whether it starts is another question. */
export function installedChromium(): string[] {
  const places = (process.env["PATH"] ?? "").split(delimiter);
  return [
    ...programs.flatMap((name) => places.map((place) => join(place, name))),
    ...["Chromium", "Google Chrome"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  ].filter((path) => existsSync(path));
}

/**
 * The value of FIRERANK_CHROMIUM for the tests: what it is already; otherwise an installed browser that starts; otherwise
 * one that is installed now, which takes a minute and a network.
 * @throws if FIRERANK_CHROMIUM names one that does not start
 */
export async function findBrowser(): Promise<string> {
  const named = process.env["FIRERANK_CHROMIUM"];
  if (named === noBrowser) return named;
  if (named) {
    const problem = await problemOf(named);
    if (problem === undefined) return named;
    throw new Error(`FIRERANK_CHROMIUM is "${named}", which does not start as a browser: ${problem}`);
  }
  const tried: string[] = [];
  const own = () => [ownOfPlaywright];
  for (const candidates of [installedChromium, own, installPackage, download]) {
    for (const program of candidates()) {
      const problem = await problemOf(program);
      if (problem === undefined) return program;
      tried.push(`  ${program}: ${problem}`);
    }
  }
  console.log(["No browser starts here. What was tried:", ...tried].join("\n"));
  return noBrowser;
}

async function problemOf(program: string): Promise<string | undefined> {
  try {
    const browser = await startChromium(program);
    console.log(`Browser: Chromium ${browser.version()}, ${program}.`);
    await browser.close();
    return undefined;
  } catch (error) {
    const [first = ""] = stripVTControlCharacters((error as Error).message).split("\n");
    return first.includes("Executable doesn't exist") ? "not there" : first;
  }
}

/** Debian's package, where this process may install it. */
function installPackage(): string[] {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (!runs([...sudo, "apt-get", "--version"], "ignore")) return [];
  // Another clone may be installing too.
  const apt = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qo", "DPkg::Lock::Timeout=300"];
  const install = [...apt, "install", "-y", "--no-install-recommends", shell];
  console.log(`Installing Chromium for the tests in a browser, once: apt-get install ${shell}`);
  // The lists of packages may be missing, or old.
  const isInstalled = runs(install) || (runs([...apt, "update"]) && runs(install));
  return isInstalled ? installedChromium() : [];
}

function download(): string[] {
  console.log("Downloading Chromium for the tests in a browser, once.");
  const cli = join(root, "node_modules", "playwright-core", "cli.js");
  return runs([process.execPath, cli, "install", "--only-shell", "chromium"]) ? [ownOfPlaywright] : [];
}

function runs([program = "", ...args]: readonly string[], output: "inherit" | "ignore" = "inherit"): boolean {
  return spawnSync(program, args, { stdio: ["ignore", output, output] }).status === 0;
}
