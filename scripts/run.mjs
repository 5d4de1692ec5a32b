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
install(root, ...(isForPack ? [packages, usual, []] : wantsBench ? [[]] : [usual, []]));
install(functions);
lend("firebase-admin", "firebase-functions", "@google-cloud/firestore", "diff", "jsonc-parser");
lend("hono", "@hono/node-server", "zod", "csv-stringify");
if (!flags.includes("--no-build") && !isForPack && !wantsHelp) {
  build(functions, ["package-lock.json", "package.json", "tsconfig.json", "bundle.mjs"], ["src"]);
  // It bundles the functions' rank lookup.
  build(client, ["package.json", "tsconfig.json", "build.ts"], ["src", "../functions/src"]);
  // It reads documents with the functions' schemas.
  build(web, ["../package-lock.json", "index.html", "vite.config.ts"], ["src", "../functions/src"], "dist");
}
const node = findNode();
if (script !== undefined) {
  run(node);
}

/**
 * `npm ci` in a folder, if what is installed is not what its lock file says.
 * @param wanted npm's options that name the workspaces to install; without any, all are installed.
 * @param more options under which these would be installed too
 */
function install(folder, wanted = [], ...more) {
  const lock = join(folder, "package-lock.json");
  const installed = join(folder, "node_modules", ".package-lock.json"); // npm writes it after each install
  const stamp = join(folder, "node_modules", ".firerank-installed");
  const hash = createHash("sha256").update(readFileSync(lock)).digest("hex");
  const stampOf = (some) => [hash, ...some].join(" ");
  // Without a stamp, somebody else called npm: then all workspaces are there.
  const byHand = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
  const state = read(stamp) ?? (byHand ? hash : undefined);
  if (![wanted, ...more].map(stampOf).includes(state)) {
    const where = relative(root, folder) || "the root folder";
    if (!timed(`npm ci in ${where}`, "npm", ["ci", "--no-audit", "--no-fund", ...wanted], folder)) {
      fail("npm could not install the packages; what it said is above. Nothing else was changed.");
    }
    writeFileSync(stamp, stampOf(wanted));
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

/** Builds a folder into its lib/ or `output`, if a file has changed since the last build. Tests do not count. */
function build(folder, files, sourceFolders, output = "lib") {
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
  if (read(stamp) === digest) {
    return;
  }
  const name = relative(root, folder);
  if (!timed(`building ${name}/`, "npm", ["run", "--silent", "build"], folder)) {
    fail(`${name}/ cannot be built; the compiler's errors are above.`);
  }
  writeFileSync(stamp, digest);
}

/** Node 24 from the `node` package; otherwise this Node, if it can run TypeScript by itself (22.18 or newer). */
function findNode() {
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
  timed("placing Node 24 in node_modules", process.execPath, installer, join(root, "node_modules", "node"));
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

/** Runs a command of the set-up, prints a line about it, and shows its output only if it fails. */
function timed(what, command, commandArgs, cwd) {
  const started = Date.now();
  process.stderr.write(`Set-up: ${what} … `);
  const { status, stdout, stderr, error } = spawnSync(command, commandArgs, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stderr.write(`${status === 0 ? "done" : "failed"} after ${seconds} s\n`);
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ""}${stderr ?? ""}${error ? `${error.message}\n` : ""}`);
  }
  return status === 0;
}

function read(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
