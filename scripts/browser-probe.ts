/** Tries each way to get a browser on this machine, and installs one if there is none. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Browser, commandFor, noBrowser, ownOfPlaywright, shellPackage } from "./browser-choice.ts";
import { startChromium } from "./chromium.ts";
import { firstFound } from "./first-found.ts";
import { root } from "./project.ts";

/** The headless shell first: it shows the same, and takes half of the processor time. */
const programs = [shellPackage, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const applications = ["Chromium", "Google Chrome"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** What was looked for: the browser, and in a few words why each way tried before it failed. */
export type Outcome = Awaited<ReturnType<typeof firstFound<Browser>>>;

/**
 * A browser that starts: the one that `FIRERANK_CHROMIUM` names; otherwise an installed one; otherwise one that is
 * installed now, which takes a minute and a network.
 * @throws if FIRERANK_CHROMIUM names one that does not start
 */
export async function findBrowser(): Promise<Outcome> {
  const named = process.env["FIRERANK_CHROMIUM"];
  if (named === noBrowser) return { found: undefined, reasons: [`FIRERANK_CHROMIUM is "${noBrowser}"`] };
  if (named) {
    const browser = await tryOut(named === ownOfPlaywright ? undefined : named);
    if (typeof browser !== "string") return { found: browser, reasons: [] };
    throw new Error(`FIRERANK_CHROMIUM is "${named}", which does not start as a browser: ${browser}`);
  }
  return firstFound([tryInstalled, () => tryOut(undefined), installPackage, download]);
}

async function download(): Promise<Browser | string> {
  console.log("Downloading Chromium for the tests in a browser, once.");
  const cli = join(root, "node_modules", "playwright-core", "cli.js");
  const failure = await run(process.execPath, [cli, "install", "--only-shell", "chromium"]);
  return failure === undefined ? tryOut(undefined) : `playwright-core's Chromium: ${failure}`;
}

/** The command that installs a browser on this machine, for people. */
export function browserCommand(): string {
  const file = "/etc/os-release";
  return commandFor(existsSync(file) ? readFileSync(file, "utf8") : "");
}

/** The first Chromium in the PATH or among the applications, or undefined; whether it starts is another question. */
export function installedChromium(): string | undefined {
  return candidates()[0];
}

function candidates(): string[] {
  const places = (process.env["PATH"] ?? "").split(delimiter);
  const paths = programs.flatMap((name) => places.map((place) => join(place, name)));
  return [...paths, ...applications].filter((path) => existsSync(path));
}

async function tryInstalled(): Promise<Browser | string> {
  const { found, reasons } = await firstFound(candidates().map((program) => () => tryOut(program)));
  if (found !== undefined) return found;
  return reasons.length === 0 ? `${programs.join(", ")}: not installed` : reasons.join("; ");
}

/** Debian's package, where this process may install it. */
async function installPackage(): Promise<Browser | string> {
  const what = `apt-get install ${shellPackage}`;
  if (spawnSync("apt-get", ["--version"]).status !== 0) return `${what}: there is no apt-get`;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync("sudo", ["-n", "true"]).status !== 0)
    return `${what}: needs root, or sudo without a password`;
  const apt = (...args: string[]) => {
    const [program, ...words] = [...(isRoot ? [] : ["sudo", "-n"]), "env"];
    return run(program, [...words, "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", ...args]);
  };
  // Another clone may be installing too.
  const options = ["-o", "DPkg::Lock::Timeout=300", "-y", "--no-install-recommends"];
  const install = () => apt("install", ...options, shellPackage);
  console.log(`Installing Chromium for the tests in a browser, once: ${what}`);
  let failure = await install();
  if (failure !== undefined) {
    console.log("The lists of packages may be missing, or old: apt-get update, then once more.");
    await apt("update");
    failure = await install();
  }
  return failure === undefined ? tryInstalled() : `${what}: ${failure}`;
}

/** Starts the browser and asks for its version. */
async function tryOut(program: string | undefined): Promise<Browser | string> {
  const name = program ?? "playwright-core's Chromium";
  try {
    const browser = await startChromium(program);
    const version = browser.version();
    await browser.close();
    return { program, name: `Chromium ${version}, ${name}` };
  } catch (error) {
    const [first = ""] = stripVTControlCharacters((error as Error).message).split("\n");
    return `${name}: ${first.includes("Executable doesn't exist") ? "not there" : first}`;
  }
}

/** Runs a command, shows its output, and returns in a few words how it failed, if it did. */
function run(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "inherit", "pipe"] });
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    child.on("error", (error) => {
      resolve(error.message);
    });
    child.on("close", (code) => {
      const [first] = errors.split("\n").filter((line) => /^e(rror)?:/i.test(line));
      resolve(code === 0 ? undefined : (first ?? `failed with exit code ${code ?? "none"}`));
    });
  });
}
