/**
 * Runs a script of this repository, after any set-up that is still needed: `node scripts/run.mjs [--no-build] [--bench]
 * [--pack] [<Node's options>] [<script> [arguments]]`. Without a script, it only does the set-up. The workspace bench has
 * libraries that nothing else needs: they are installed with `--bench`, or where the arguments have `--all`. With `--pack`
 * only what the packages are made of is installed, which takes a third of the time.
 *
 * Thanks to it `npm start` and `npm test` can be the first commands after a clone. It is plain JavaScript without
 * dependencies, because it runs before anything is installed, on any Node from 20 on. The scripts themselves run on
 * Node 24 (from the `node` package), the version of Cloud Functions, which runs TypeScript directly.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const functions = join(root, "functions");
const client = join(root, "client");
const web = join(root, "web");

const given = process.argv.slice(2);
const flags = [];
while (["--no-build", "--bench", "--pack"].includes(given[0])) {
  flags.push(given.shift());
}
const [script, ...args] = given;
/** The script answers with its usage, for which nothing has to be built. */
const wantsHelp = args.some((arg) => arg === "--help" || arg === "-h");
const wantsBench = [...flags, ...args].some((arg) => arg === "--bench" || arg === "--all");
const packages = ["--workspace=client", "--workspace=web"];
const usual = [...packages, "--include-workspace-root"];
// Of an older Node, the scripts themselves need the root's `node`.
const isForPack = flags.includes("--pack") && isNewEnough();
await installAll(
  installation(root, ...(isForPack ? [packages, usual, []] : wantsBench ? [[]] : [usual, []])),
  installation(functions),
);
lend("firebase-admin", "firebase-functions", "@google-cloud/firestore", "diff", "jsonc-parser");
lend("hono", "@hono/node-server", "zod", "csv-stringify");
if (!flags.includes("--no-build") && !isForPack && !wantsHelp) {
  await buildAll(
    outdated(functions, ["package-lock.json", "package.json", "tsconfig.json", "bundle.mjs"], ["src"]),
    // It bundles the functions' rank lookup.
    outdated(client, ["package.json", "tsconfig.json", "build.ts"], ["src", "../functions/src"]),
    // It reads documents with the functions' schemas.
    outdated(
      web,
      ["../package-lock.json", "index.html", "vite.config.ts"],
      ["src", "../functions/src"],
      "dist",
    ),
  );
}
const node = await findNode();
if (script !== undefined) {
  run(node);
}

/**
 * The `npm ci` of a folder; undefined if what is installed is what its lock file says.
 * @param wanted npm's options that name the workspaces to install; without any, all are installed.
 * @param more options under which these would be installed too
 */
function installation(folder, wanted = [], ...more) {
  const lock = join(folder, "package-lock.json");
  const installed = join(folder, "node_modules", ".package-lock.json"); // npm writes it after each install
  const stamp = join(folder, "node_modules", ".firerank-installed");
  const hash = createHash("sha256").update(readFileSync(lock)).digest("hex");
  const stampOf = (some) => [hash, ...some].join(" ");
  // Without a stamp, somebody else called npm: then all workspaces are there.
  const byHand = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
  const state = read(stamp) ?? (byHand ? hash : undefined);
  if ([wanted, ...more].map(stampOf).includes(state)) {
    return undefined;
  }
  return { folder, wanted, done: () => writeFileSync(stamp, stampOf(wanted)) };
}

/** Does them at the same time: each waits for the network most of the time. */
async function installAll(...all) {
  const missing = all.filter((one) => one !== undefined);
  if (missing.length === 0) {
    return;
  }
  const where = missing.map(({ folder }) => relative(root, folder) || "the root folder").join(" and ");
  const ci = ({ folder, wanted }) => start("npm", ["ci", "--no-audit", "--no-fund", ...wanted], folder);
  if (!(await timed(`npm ci in ${where}`, () => Promise.all(missing.map(ci))))) {
    fail("npm could not install the packages; what it said is above. Nothing else was changed.");
  }
  for (const { done } of missing) {
    done();
  }
}

/**
 * Makes packages of functions/ importable from tests, scripts and examples. Second copies in the root would not work, as
 * Firestore's classes refuse objects of another copy. As functions/ is deployed alone, it is no workspace: beside
 * firebase-tools, npm would install its gRPC libraries twice.
 */
function lend(...names) {
  for (const name of names) {
    const link = join(root, "node_modules", name);
    if (!existsSync(link)) {
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(relative(dirname(link), join(functions, "node_modules", name)), link, "dir");
    }
  }
}

/** The build of a folder into its lib/ or `output`; undefined if no file has changed since the last one. Tests do not count. */
function outdated(folder, files, sourceFolders, output = "lib") {
  const stamp = join(folder, output, ".firerank-built");
  const hash = createHash("sha256");
  const sources = sourceFolders.flatMap((source) =>
    readdirSync(join(folder, source), { recursive: true })
      .filter((path) => /\.(tsx?|css)$/.test(path) && !path.endsWith(".test.ts"))
      .sort()
      .map((path) => join(source, path)),
  );
  for (const path of [...files, ...sources]) {
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(folder, path)));
  }
  const digest = hash.digest("hex");
  return read(stamp) === digest ? undefined : { folder, done: () => writeFileSync(stamp, digest) };
}

/** Does them at the same time: each is made from sources alone. */
async function buildAll(...all) {
  const builds = all.filter((one) => one !== undefined);
  if (builds.length === 0) {
    return;
  }
  const where = builds.map(({ folder }) => `${relative(root, folder)}/`).join(" and ");
  const build = ({ folder }) => start("npm", ["run", "--silent", "build"], folder);
  if (!(await timed(`building ${where}`, () => Promise.all(builds.map(build))))) {
    fail(`${where} cannot be built; the compiler's errors are above.`);
  }
  for (const { done } of builds) {
    done();
  }
}

/** Node 24 from the `node` package; otherwise this Node, if it can run TypeScript by itself (22.18 or newer). */
async function findNode() {
  const own = join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
  const works = () => spawnSync(own, ["--version"]).status === 0;
  if (works()) {
    return own;
  }
  if (isNewEnough()) {
    return process.execPath;
  }
  // The package installs its program in an install script, which newer versions of npm may skip.
  const installer = ["installArchSpecificPackage.js"];
  const place = () => start(process.execPath, installer, join(root, "node_modules", "node"));
  await timed("placing Node 24 in node_modules", async () => [await place()]);
  return works()
    ? own
    : fail(
        `This repository's scripts need Node 22.18 or newer; this is ${process.version}, and the "node" package ` +
          "could not be set up in node_modules. Install Node 24, then run the command again.",
      );
}

/** Whether this Node can run TypeScript by itself: 22.18 or newer. */
function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/** Replaces this process, as far as Node can: same terminal, same signals, same exit code. */
function run(nodePath) {
  const env = {
    ...process.env,
    // firebase-tools and the Functions emulator start the first node they find.
    PATH: [dirname(nodePath), process.env.PATH].join(delimiter),
    // Otherwise the Admin SDK would wait for a metadata server with credentials, which does not exist here.
    METADATA_SERVER_DETECTION: "none",
  };
  const child = spawn(nodePath, [script, ...args], { cwd: root, env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  // `kill` on npm ends npm's shell, but sends us no signal.
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event !== undefined && process.ppid !== shell) {
      clearInterval(watch);
      child.kill("SIGTERM");
    }
  }, 500);
  child.on("error", (error) => fail(`${nodePath} could not be run: ${error.message}`));
  child.on("exit", (code, signal) => {
    clearInterval(watch);
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
  });
}

/** Does a part of the set-up, prints a line about it, and shows the output of commands only if they fail. */
async function timed(what, work) {
  const started = Date.now();
  process.stderr.write(`Set-up: ${what} … `);
  const failed = (await work()).filter(({ status }) => status !== 0);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stderr.write(`${failed.length === 0 ? "done" : "failed"} after ${seconds} s\n`);
  for (const { output } of failed) {
    process.stderr.write(output);
  }
  return failed.length === 0;
}

/** Runs a command to its end. */
function start(command, commandArgs, cwd) {
  const child = spawn(command, commandArgs, { cwd, shell: process.platform === "win32" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  }
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ status: undefined, output: `${output}${error.message}\n` }));
    child.on("close", (status) => resolve({ status, output }));
  });
}

function read(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
