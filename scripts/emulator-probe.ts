/** Tries each way to get a Firestore emulator on this machine, the quick and likely ones first. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { chooseEmulator, javaMajor, type Emulator } from "./emulator-choice.ts";
import { removeLeftShims } from "./hidane-shims.ts";
import { firebaseTools, workFolder } from "./project.ts";

export type { Emulator };

const javaMajorMin = 21; // of firebase-tools 15
const componentMainClass = "com.google.cloud.datastore.emulator.firestore.CloudFirestore";

/** The emulator to use here. */
export function findEmulator(): Promise<Emulator> {
  return chooseEmulator(process.env["FIRERANK_EMULATOR"], {
    official: [named, downloaded, downloadedNow, ofCloudSdk],
    hidane: [
      async () => hidane("installed") ?? "hidane: not installed",
      async () => installHidane() ?? "hidane: cargo could not install it",
    ],
  });
}

async function named(): Promise<Emulator | string> {
  const path = process.env["FIRESTORE_EMULATOR_BINARY_PATH"];
  return path
    ? onJava(basename(path), "named in FIRESTORE_EMULATOR_BINARY_PATH")
    : "FIRESTORE_EMULATOR_BINARY_PATH: not set";
}

async function downloaded(): Promise<Emulator | string> {
  const jar = officialJar();
  const name = `Firebase's ${jar.name}`;
  return existsSync(jar.path) ? onJava(name, "downloaded before") : `${name}: not downloaded yet`;
}

async function downloadedNow(): Promise<Emulator | string> {
  const jar = officialJar();
  const name = `Firebase's ${jar.name}`;
  const emulator = onJava(name, "downloaded now");
  return typeof emulator === "string" || (await download(jar))
    ? emulator
    : `${name}: cannot be downloaded here`;
}

async function ofCloudSdk(): Promise<Emulator | string> {
  const jar = findComponent();
  if (jar === undefined) return "the Google Cloud SDK's Firestore emulator: not installed";
  const emulator = onJava("the Google Cloud SDK's", "Firebase's own is not here and cannot be downloaded");
  if (typeof emulator === "string" || !java) return emulator;
  const folder = workFolder("java");
  writeFileSync(join(folder, "java"), javaFor(componentMainClass, join(java.bin, "java")), { mode: 0o755 });
  const { PATH = "" } = emulator.env;
  return {
    ...emulator,
    env: { PATH: `${folder}${delimiter}${PATH}`, FIRESTORE_EMULATOR_BINARY_PATH: jar },
  };
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

function installHidane(): Emulator | string | undefined {
  if (spawnSync("cargo", ["--version"]).status !== 0)
    return "hidane: cannot be installed without cargo (Rust)";
  console.log("Installing hidane, a Firestore emulator without Java, with cargo; this takes two minutes.");
  const { status } = spawnSync("cargo", ["install", "hidane", "--locked", "--quiet"], { stdio: "inherit" });
  return status === 0 ? hidane("installed now") : undefined;
}

/** Where firebase-tools keeps its own emulator, by its own list. */
function officialJar(): { name: string; path: string; url: string } {
  const list = join(firebaseTools, "emulator", "downloadableEmulatorInfo.json");
  const { firestore } = JSON.parse(readFileSync(list, "utf8")) as {
    firestore: { downloadPathRelativeToCacheDir: string; remoteUrl: string };
  };
  const cache = process.env["FIREBASE_EMULATORS_PATH"] || join(homedir(), ".cache", "firebase", "emulators");
  const name = firestore.downloadPathRelativeToCacheDir;
  return { name, path: join(cache, name), url: firestore.remoteUrl };
}

async function download(jar: { name: string; path: string; url: string }): Promise<boolean> {
  // Without this check, a network that drops packets would keep firebase-tools waiting for minutes. Behind a proxy
  // there is no check, as firebase-tools can use the proxy but fetch cannot.
  const hasProxy = Object.keys(process.env).some((name) => name.toLowerCase() === "https_proxy");
  const isReachable = async () =>
    (await fetch(jar.url, { method: "HEAD", signal: AbortSignal.timeout(5_000) }).catch(() => undefined))?.ok;
  if (!hasProxy && !(await isReachable())) {
    return false;
  }
  console.log(`Downloading Firebase's Firestore emulator (${jar.name}), once.`);
  const firebase = join(firebaseTools, "bin", "firebase.js");
  spawnSync(process.execPath, [firebase, "setup:emulators:firestore"], {
    cwd: workFolder(),
    stdio: "ignore",
  });
  return existsSync(jar.path);
}

/** The first Java that is new enough: the one on PATH, as firebase-tools would find it, then the others. */
function findJava(): { bin: string; major: number } | undefined {
  const fromPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => existsSync(join(folder, "java")));
  const candidates = [
    ...fromPath.slice(0, 1),
    ...(process.env["JAVA_HOME"] ? [join(process.env["JAVA_HOME"], "bin")] : []),
    ...globSync("/usr/lib/jvm/*/bin").sort().reverse(),
    ...globSync("/Library/Java/JavaVirtualMachines/*/Contents/Home/bin").sort().reverse(),
  ];
  for (const bin of candidates) {
    const { stderr, stdout } = spawnSync(join(bin, "java"), ["-version"], { encoding: "utf8" });
    const major = javaMajor(`${stderr}${stdout}`);
    if (major !== undefined && major >= javaMajorMin) {
      return { bin, major };
    }
  }
  return undefined;
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
  if (found !== undefined || gcloud === undefined) {
    return found;
  }
  // Some packages put their own script on PATH; gcloud itself knows the place, but takes a second to answer.
  const { stdout } = spawnSync(gcloud, ["info", "--format=value(installation.sdk_root)"], {
    encoding: "utf8",
  });
  const jar = jarIn(stdout.trim());
  return existsSync(jar) ? jar : undefined;
}

/** `hidane exec` runs a command with itself as its `java`, so that firebase-tools starts it and needs no other. */
function hidane(why: string): Emulator | undefined {
  const cargoHome = process.env["CARGO_HOME"] || join(homedir(), ".cargo");
  const program = findProgram("hidane", join(cargoHome, "bin"), join(homedir(), ".local", "bin"));
  if (program === undefined) {
    return undefined;
  }
  removeLeftShims(tmpdir());
  const name = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.trim();
  return { kind: "hidane", name, why, wrapper: [program, "exec", "--"], env: {} };
}

function findProgram(name: string, ...moreFolders: string[]): string | undefined {
  return [...(process.env["PATH"] ?? "").split(delimiter), ...moreFolders]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
