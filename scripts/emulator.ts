/** Which Firestore emulator to run, of several ways to have one: the quick and likely ones first. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { runningProcesses } from "./processes.ts";
import { firebaseTools, workFolder } from "./project.ts";

export interface Emulator {
  kind: "official" | "hidane";
  /** What it is, and why this one, for people: "the official one, cloud-firestore-emulator-v1.22.0.jar". */
  name: string;
  why: string;
  /** The program, with its arguments, that firebase-tools must be run by. */
  wrapper: string[];
  /** What firebase-tools needs in its environment. */
  env: Record<string, string>;
}

/** Tries a way to have one: the emulator, or in a few words why it cannot be had so. */
type Way = () => Promise<Emulator | string>;

const javaMajorMin = 21; // of firebase-tools 15
const componentMainClass = "com.google.cloud.datastore.emulator.firestore.CloudFirestore";

/** The emulator to use here. */
export function findEmulator(): Promise<Emulator> {
  return chooseEmulator(process.env["FIRERANK_EMULATOR"], {
    official: [named, ofFirebase, ofCloudSdk],
    hidane: [hidane],
  });
}

/**
 * The first emulator that is available, the official one before hidane. `wish` is the value of FIRERANK_EMULATOR, which
 * excludes the other kind; undefined (or an empty text) takes any.
 */
export async function chooseEmulator(
  wish: string | undefined,
  ways: Record<Emulator["kind"], readonly Way[]>,
): Promise<Emulator> {
  if (wish && wish !== "official" && wish !== "hidane")
    throw new Error(`FIRERANK_EMULATOR is "${wish}"; it can be "official" or "hidane", or be left out.`);
  const tried: string[] = [];
  for (const way of Object.entries(ways).flatMap(([kind, some]) => (!wish || wish === kind ? some : []))) {
    const found = await way();
    if (typeof found !== "string") return found;
    tried.push(`  - ${found}`);
  }
  throw new Error(
    [
      `No Firestore emulator can be had on this machine${wish ? ` (FIRERANK_EMULATOR=${wish})` : ""}. What was tried:`,
      ...tried,
      "Any one of these helps:",
      "  - install Java 21 or newer; Firebase's own emulator is then downloaded by itself",
      "  - install the Google Cloud SDK's emulator (gcloud components install cloud-firestore-emulator) and Java 21",
      "  - install hidane, which needs no Java (cargo install hidane --locked)",
      "  - set FIRESTORE_EMULATOR_BINARY_PATH to the emulator's jar",
    ].join("\n"),
  );
}

async function named(): Promise<Emulator | string> {
  const path = process.env["FIRESTORE_EMULATOR_BINARY_PATH"];
  return path
    ? onJava(basename(path), "named in FIRESTORE_EMULATOR_BINARY_PATH")
    : "FIRESTORE_EMULATOR_BINARY_PATH: not set";
}

async function ofFirebase(): Promise<Emulator | string> {
  const jar = officialJar();
  const isThere = existsSync(jar.path);
  const emulator = onJava(jar.name, isThere ? "downloaded before" : "downloaded now");
  if (typeof emulator === "string" || isThere || (await download(jar))) return emulator;
  return `${jar.name}: cannot be downloaded here`;
}

async function ofCloudSdk(): Promise<Emulator | string> {
  const jar = findComponent();
  if (jar === undefined) return "the Google Cloud SDK's Firestore emulator: not installed";
  const emulator = onJava("the Google Cloud SDK's", "Firebase's own is not here and cannot be downloaded");
  if (typeof emulator === "string" || !java) return emulator;
  const folder = workFolder("java");
  writeFileSync(join(folder, "java"), javaFor(componentMainClass, join(java.bin, "java")), { mode: 0o755 });
  const PATH = [folder, emulator.env["PATH"]].join(delimiter);
  return { ...emulator, env: { PATH, FIRESTORE_EMULATOR_BINARY_PATH: jar } };
}

/** A `java` that starts a class with `-jar`, which firebase-tools runs: the component's jar names no main class. */
const javaFor = (mainClass: string, program: string) => `#!/bin/sh
options=
while [ $# -gt 0 ] && [ "$1" != -jar ]; do options="$options $1"; shift; done
[ $# -eq 0 ] && exec '${program}' $options
jar=$2
shift 2
exec '${program}' $options -cp "$jar" ${mainClass} "$@"
`;

/** Looking for Java takes a moment: once, and only if needed. */
let java: ReturnType<typeof findJava> | null = null;

function onJava(name: string, why: string): Emulator | string {
  java = java === null ? findJava() : java;
  if (java === undefined) return `${name}: needs Java ${javaMajorMin} or newer, and there is none`;
  const env = { PATH: [java.bin, process.env["PATH"]].join(delimiter) };
  return { kind: "official", name: `${name} on Java ${java.major}`, why, wrapper: [], env };
}

/** The first Java that is new enough: the one on PATH, as firebase-tools would find it, then the others. */
function findJava(): { bin: string; major: number } | undefined {
  const path = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [
    ...path.filter((folder) => existsSync(join(folder, "java"))).slice(0, 1),
    ...(process.env["JAVA_HOME"] ? [join(process.env["JAVA_HOME"], "bin")] : []),
    ...globSync("/usr/lib/jvm/*/bin").sort().reverse(),
    ...globSync("/Library/Java/JavaVirtualMachines/*/Contents/Home/bin").sort().reverse(),
  ];
  return candidates
    .map((bin) => {
      const { stderr, stdout } = spawnSync(join(bin, "java"), ["-version"], { encoding: "utf8" });
      return { bin, major: javaMajor(`${stderr}${stdout}`) ?? 0 };
    })
    .find(({ major }) => major >= javaMajorMin);
}

/**
 * The major version in what `java -version` prints (`openjdk version "17.0.15"`: 17; `"1.8.0_292"`: 8;
 * `"25-ea"`: 25), or undefined.
 */
export function javaMajor(versionOutput: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(versionOutput);
  return match === null ? undefined : Number(match[1]);
}

/** Where firebase-tools keeps its own emulator, by its own list. */
function officialJar(): { name: string; path: string; url: string } {
  const list = join(firebaseTools, "emulator", "downloadableEmulatorInfo.json");
  const { firestore } = JSON.parse(readFileSync(list, "utf8")) as {
    firestore: { downloadPathRelativeToCacheDir: string; remoteUrl: string };
  };
  const cache = process.env["FIREBASE_EMULATORS_PATH"] || join(homedir(), ".cache", "firebase", "emulators");
  const file = firestore.downloadPathRelativeToCacheDir;
  return { name: `Firebase's ${file}`, path: join(cache, file), url: firestore.remoteUrl };
}

async function download({ name, path, url }: ReturnType<typeof officialJar>): Promise<boolean> {
  // Without this check, a network that drops packets would keep firebase-tools waiting for minutes. Behind a proxy
  // there is no check, as firebase-tools can use the proxy but fetch cannot.
  const hasProxy = Object.keys(process.env).some((variable) => variable.toLowerCase() === "https_proxy");
  const isReachable = async () =>
    (await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(5_000) }).catch(() => undefined))?.ok;
  if (!hasProxy && !(await isReachable())) return false;
  console.log(`Downloading a Firestore emulator (${name}), once.`);
  const setup = [join(firebaseTools, "bin", "firebase.js"), "setup:emulators:firestore"];
  spawnSync(process.execPath, setup, { cwd: workFolder(), stdio: "ignore" });
  return existsSync(path);
}

/** The jar in the Google Cloud SDK, where the component is installed. */
function findComponent(): string | undefined {
  const jarIn = (sdk: string) =>
    join(sdk, "platform", "cloud-firestore-emulator", "cloud-firestore-emulator.jar");
  const gcloud = findProgram("gcloud");
  const roots = [
    ...(process.env["CLOUDSDK_ROOT_DIR"] ? [process.env["CLOUDSDK_ROOT_DIR"]] : []),
    ...(gcloud === undefined ? [] : [dirname(dirname(realpathSync(gcloud)))]),
  ];
  const found = roots.map(jarIn).find((jar) => existsSync(jar));
  if (found !== undefined || gcloud === undefined) return found;
  // Some packages put their own script on PATH; gcloud itself knows the place, but takes a second to answer.
  const ask = ["info", "--format=value(installation.sdk_root)"];
  const jar = jarIn(spawnSync(gcloud, ask, { encoding: "utf8" }).stdout.trim());
  return existsSync(jar) ? jar : undefined;
}

/** `hidane exec` runs a command with itself as its `java`, so that firebase-tools starts it and needs no other. */
async function hidane(): Promise<Emulator | string> {
  const cargoHome = process.env["CARGO_HOME"] || join(homedir(), ".cargo");
  const find = () => findProgram("hidane", join(cargoHome, "bin"), join(homedir(), ".local", "bin"));
  const installed = find();
  const program = installed ?? (installHidane() ? find() : undefined);
  if (program === undefined) return "hidane: not installed, and cargo (Rust) cannot install it";
  removeLeftShims();
  const name = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.trim();
  const why = installed === undefined ? "installed now" : "installed";
  return { kind: "hidane", name, why, wrapper: [program, "exec", "--"], env: {} };
}

function installHidane(): boolean {
  if (spawnSync("cargo", ["--version"]).status !== 0) return false;
  console.log("Installing hidane, a Firestore emulator without Java, with cargo; this takes two minutes.");
  return spawnSync("cargo", ["install", "hidane", "--locked", "--quiet"], { stdio: "inherit" }).status === 0;
}

/** hidane names the folder of its `java` after its process, and does not start where a killed one with its number left one. */
function removeLeftShims(): void {
  const shims = readdirSync(tmpdir()).filter((name) => /^hidane-shim-\d+$/.test(name));
  // Asked after the folders are known, so that one that has just started is among them.
  const running = new Set(runningProcesses().map(({ pid }) => `hidane-shim-${pid}`));
  for (const name of shims.filter((one) => !running.has(one))) {
    try {
      rmSync(join(tmpdir(), name), { recursive: true });
    } catch {
      // It is another user's.
    }
  }
}

function findProgram(name: string, ...moreFolders: string[]): string | undefined {
  return [...(process.env["PATH"] ?? "").split(delimiter), ...moreFolders]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
