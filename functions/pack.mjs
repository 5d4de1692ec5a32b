/**
 * What `npm pack` does before and after it packs: `node pack.mjs before`, `node pack.mjs after`. So `npm pack` can be the
 * first command after a clone, and what is packed is all that a stranger's project needs:
 *
 * - the functions and the command line, bundled, with the licences of what is in the bundles, and types (bundle.mjs);
 * - the dashboard, for `firerank dashboard`;
 * - rules and indexes, for `firerank init`;
 * - a package.json in which firebase-admin and firebase-functions are peers only. Here they are dependencies as well, as
 *   this folder is a codebase too: the Functions emulator starts none that does not name both as its dependencies;
 * - a shrinkwrap of the same dependencies, so that what is deployed is what was tested. Peers are not in it: an own copy
 *   of firebase-functions would hide the functions of the project's.
 *
 * It is plain JavaScript without dependencies, because it runs before anything is installed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const here = import.meta.dirname;
const repository = dirname(here);
const inHere = (...names) => join(here, ...names);
const manifest = inHere("package.json");
const unpacked = inHere("package.json.unpacked");
const made = ["npm-shrinkwrap.json", "LICENSE"].map((name) => inHere(name));

// Also before: a pack that was interrupted left them.
restore();
if (process.argv[2] === "before") await prepare();

async function prepare() {
  const vite = join(repository, "node_modules", "vite", "bin", "vite.js");
  if (!existsSync(vite) || !existsSync(inHere("node_modules", "rolldown")))
    await run(process.execPath, [join(repository, "scripts", "run.mjs"), "--pack"]);
  rmSync(inHere("lib"), { recursive: true, force: true });
  // Types are checked by `npm run check`, and again as bundle.mjs puts them together.
  await Promise.all([
    run(process.execPath, ["bundle.mjs", "functions"]),
    run(process.execPath, ["bundle.mjs", "package"]),
    run(process.execPath, [vite, "build", join(repository, "web"), "--outDir", inHere("lib", "dashboard")]),
  ]);
  mkdirSync(inHere("lib", "firestore"));
  for (const name of ["firestore.rules", "firestore.indexes.json"]) {
    copyFileSync(join(repository, name), inHere("lib", "firestore", name));
  }
  copyFileSync(join(repository, "LICENSE"), inHere("LICENSE"));
  const packed = packedManifest(readJson(manifest));
  writeJson(inHere("npm-shrinkwrap.json"), shrinkwrapOf(readJson(inHere("package-lock.json")), packed));
  copyFileSync(manifest, unpacked);
  writeJson(manifest, packed);
}

function restore() {
  if (existsSync(unpacked)) {
    copyFileSync(unpacked, manifest);
    rmSync(unpacked);
  }
  for (const path of made) rmSync(path, { force: true });
}

function packedManifest(own) {
  const { dependencies, peerDependencies } = own;
  const packed = Object.entries(own).filter(([field]) => field !== "scripts" && field !== "devDependencies");
  const needed = Object.entries(dependencies).filter(([name]) => !(name in peerDependencies));
  return { ...Object.fromEntries(packed), dependencies: Object.fromEntries(needed) };
}

/** The part of a lock file that the packed dependencies need. */
function shrinkwrapOf(lock, packed) {
  const kept = new Set();
  const waiting = Object.keys(packed.dependencies).map((name) => [name, ""]);
  for (const [name, from] of waiting) {
    const path = placeOf(lock.packages, name, from);
    if (path === undefined || kept.has(path)) continue;
    kept.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = lock.packages[path];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (!(next in packed.peerDependencies)) waiting.push([next, path]);
    }
  }
  const { name, version, license, bin, engines, dependencies, peerDependencies } = packed;
  const packages = Object.entries(lock.packages).filter(([path]) => kept.has(path));
  return {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: {
      "": { name, version, license, dependencies, bin, engines, peerDependencies },
      ...Object.fromEntries(packages),
    },
  };
}

/** Where a package that imports `name` finds it, as Node looks: in its own node_modules, or in one farther up. */
function placeOf(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === "") return undefined;
  }
}

async function run(command, args) {
  // The package's dashboard is told of its project by who serves it, not by variables of whoever packs it. And whatever npm
  // was asked for, such as `npm pack --dry-run`, is not meant for an npm that this starts.
  const isTheirs = ([name]) => /^(VITE_|npm_config_(?!registry|cache|userconfig))/i.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter((one) => !isTheirs(one)));
  // What it prints goes to stderr: `npm pack --json` is read by programs.
  const child = spawn(command, args, {
    cwd: here,
    env,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed; what it said is above`);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
