/**
 * Writes lib/ in few files, each library within: `node bundle.mjs functions` what is deployed, `node bundle.mjs package`
 * what the package has beside it, the command line and the types. A cold start loads four files in place of two hundred,
 * and an installation brings no library but Firebase's.
 *
 * Firebase's libraries and Firestore's client are not bundled: there must be one copy of each, the project's.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

const folder = import.meta.dirname;
const source = (name) => join(folder, "src", name);
const modules = join(folder, "node_modules");

const projects = /^(firebase-admin|firebase-functions|@google-cloud\/firestore|google-auth-library)(\/|$)/;

const usual = {
  platform: "node",
  tsconfig: join(folder, "tsconfig.json"),
  external: [projects, /^node:/],
  // The command line is beside this folder, and what it needs is here: nothing else is installed for a pack.
  // Where a library has modules and one file that loads others by itself, only modules can be bundled.
  resolve: { modules: [modules, "node_modules"], mainFields: ["module", "main"] },
};
const licensed = { name: "licences", generateBundle: licences };

/** Without comments: a cold start would read them too. The map beside each file has the source whole. */
const loadedAtStarts = {
  dir: join(folder, "lib"),
  format: "esm",
  sourcemap: true,
  comments: false,
  minifyInternalExports: false,
};

if (process.argv[2] === "functions") {
  await bundleFunctions();
  await bundleErasure();
} else {
  await bundleCommandLine();
  await bundleTypes();
}

function bundleFunctions() {
  return build({
    ...usual,
    input: {
      index: source("index.ts"),
      // Beside the functions: it keeps nothing itself, and declares to their copy of firebase-functions.
      "transports/roles": source("transports/roles.ts"),
      "transports/node-version": source("transports/node-version.ts"),
      "model/node-version": source("model/node-version.ts"),
    },
    plugins: [licensed],
    output: {
      ...loadedAtStarts,
      chunkFileNames: "loaded/[name].js",
      // Libraries would be loaded first, and fail on a Node that is too old before it is told.
      banner: ({ name }) => (name === "index" ? 'import "./transports/node-version.js";' : ""),
    },
  });
}

/**
 * What other codebases import: with a copy of its own, as chunks that it shared would be more files for each start of a
 * function. It has no library that the functions don't have, so their licences are those of both.
 */
function bundleErasure() {
  return build({
    ...usual,
    input: { "transports/erase": source("transports/erase.ts") },
    output: loadedAtStarts,
  });
}

/** The command line runs in a process of its own, so it has its own copy of what it needs of the functions. */
function bundleCommandLine() {
  return build({
    ...usual,
    input: join(folder, "..", "cli", "main.ts"),
    plugins: [licensed],
    output: {
      dir: join(folder, "lib", "cli"),
      format: "esm",
      chunkFileNames: "[name].js",
      minifyInternalExports: false,
    },
  });
}

async function bundleTypes() {
  const { dts } = await import("rolldown-plugin-dts");
  const { output } = await build({
    ...usual,
    input: Object.fromEntries(
      ["index", "transports/roles", "transports/erase"].map((name) => [name, source(`${name}.ts`)]),
    ),
    external: /^[^./]/,
    plugins: [dts({ tsconfig: usual.tsconfig, emitDtsOnly: true })],
    checks: { pluginTimings: false },
    output: { dir: join(folder, "lib"), format: "esm" },
  });
  for (const [, named] of output
    .map(({ code }) => code)
    .join("\n")
    .matchAll(/(?:from |import\()"([^".][^"]*)"/g)) {
    if (!projects.test(named)) throw new Error(`The types name ${named}, which the package does not bring`);
  }
}

/** The licences of what is in the bundle ask for their texts beside it. */
function licences(_options, bundle) {
  const paths = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const packages = paths.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const texts = [...new Set(packages)].sort().map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is bundled, but has no licence to pack`);
    return `${name} ${version}\n\n${readFileSync(join(path, file), "utf8").trim()}\n`;
  });
  this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
}
