/**
 * Writes lib/index.js anew, after the compiler: the functions, with the libraries that they import, in few files. A cold
 * start loads four in place of two hundred, which takes less of a processor.
 *
 * What the compiler made stays beside it, with the types. The command line imports from there, in a process of its own.
 * `firerank/roles` does so beside the functions: it keeps nothing itself, and declares to their copy of
 * firebase-functions.
 *
 * Firebase's libraries and Firestore's client are not bundled: there must be one copy of each, the project's.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

const folder = import.meta.dirname;

await build({
  input: join(folder, "src", "index.ts"),
  platform: "node",
  tsconfig: join(folder, "tsconfig.json"),
  external: [/^(firebase-admin|firebase-functions|@google-cloud\/firestore)(\/|$)/, /^node:/],
  plugins: [{ name: "licences", generateBundle: licences }],
  output: {
    dir: join(folder, "lib"),
    format: "esm",
    sourcemap: true,
    chunkFileNames: "loaded/[name].js",
    minifyInternalExports: false,
    // Libraries would be loaded first, and fail on a Node that is too old before it is told.
    banner: ({ isEntry }) => (isEntry ? 'import "./transports/node-version.js";' : ""),
  },
});

/** The licences of what is in the bundle ask for their texts beside it. */
function licences(_options, bundle) {
  const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const packages = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const texts = [...new Set(packages)].sort().map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is bundled, but has no licence to pack`);
    return `${name} ${version}\n\n${readFileSync(join(path, file), "utf8").trim()}\n`;
  });
  this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
}
