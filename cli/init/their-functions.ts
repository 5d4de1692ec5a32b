/** What a project's other codebases deploy, without deploying them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { functionName } from "../../functions/src/model/function-name.ts";
import { nodeMajorMin } from "../../functions/src/model/node-version.ts";
import { jsonIn } from "./json-file.ts";
import type { Codebase } from "./merge-firebase-json.ts";

const manifest = z.object({ endpoints: z.record(z.string(), z.unknown()) });
const packageJson = z.object({
  name: z.string().optional(),
  main: z.string().optional(),
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  engines: z.looseObject({ node: z.string().optional() }).optional(),
});

/** As firebase-tools gives a codebase ten seconds; a machine may be busy. */
const discoveryMsMax = 60_000;

/**
 * Finds a codebase's functions. It loads the codebase, as each `firebase deploy` and each start of the emulators does.
 * @returns their names; as `isCertain` whether it was asked itself, in its present state, and not only its text searched;
 *   and as `isStale` whether its build is older than its source, so that it does not know of newer functions
 */
export function functionsOf(project: string, { source, prefix }: Codebase) {
  const folder = join(project, source);
  const asked = askCodebase(project, folder);
  const isStale = isBuildStale(folder);
  const isCertain = asked !== undefined && !isStale;
  const names = new Set([...(asked ?? []), ...(isCertain ? [] : searchText(folder))]);
  return { names: Array.from(names, (name) => functionName(name, prefix)), isCertain, isStale };
}

/** Whether a TypeScript codebase was changed after it was last built, by the times of its files. */
function isBuildStale(folder: string): boolean {
  const main = readPackage(join(folder, "package.json"))?.main;
  if (main === undefined) return false;
  const src = join(folder, "src");
  const sources = existsSync(src) ? filesIn(src) : filesIn(folder, () => true);
  const source = newest(sources, /(?<!\.d)\.[cm]?tsx?$/);
  const built = newest(filesIn(dirname(join(folder, main))), /\.[cm]?js$|\.tsbuildinfo$/);
  return built > 0 && source > built;
}

/** When the newest file of a kind was written; 0 if there is none. */
function newest(files: Iterable<string>, kind: RegExp): number {
  return Math.max(0, ...[...files].filter((path) => kind.test(path)).map((path) => statSync(path).mtimeMs));
}

/** The files of a folder and of those in it, but for those of installed packages, of a tool, or that are apart. */
function* filesIn(folder: string, isApart: (path: string) => boolean = () => false): Generator<string> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name) && !isApart(path))
      yield* filesIn(path, isApart);
  }
}

/**
 * Whether a codebase or kit exports Firerank's functions itself, or is a copy of it, and the version of
 * firebase-functions that it has. That it depends on the package is not enough: where the codebase is the project's own
 * folder, that is how the command line is installed.
 * @param apart folders of other codebases, which may be inside this one
 */
export function reexportOf(
  project: string,
  { source }: Codebase,
  apart: readonly string[] = [],
): { sdk: string | undefined } | undefined {
  const folder = join(project, source);
  const { name } = readPackage(join(folder, "package.json")) ?? {};
  if (name !== "firerank" && !isDependent(project, source)) return undefined;
  const sdk = [folder, project]
    .map((root) => readPackage(join(root, "node_modules", "firebase-functions", "package.json"))?.version)
    .find((version) => version !== undefined);
  const folders = new Set(apart.map((one) => join(project, one)).filter((one) => one !== folder));
  const isExported = [...filesIn(folder, (path) => folders.has(path))].some(exportsPackage);
  return name === "firerank" || isExported ? { sdk } : undefined;
}

export function isDependent(project: string, source: string): boolean {
  const { dependencies } = readPackage(join(project, source, "package.json")) ?? {};
  return dependencies?.["firerank"] !== undefined;
}

/** Why a codebase with Firerank's functions would not load where it is deployed, and what to do. */
export function unfitnessOf(
  project: string,
  { source, runtime }: Codebase,
): { what: string; todo: string }[] {
  const folder = join(project, source);
  const { dependencies, engines } = readPackage(join(folder, "package.json")) ?? {};
  const path = /^(?:file:|(?=\.{0,2}\/))(.*)$/.exec(dependencies?.["firerank"] ?? "")?.[1];
  const isOutside = path !== undefined && relative(folder, resolve(folder, path)).startsWith("..");
  const outside = {
    what: `${source}/package.json takes firerank from ${path ?? ""}, and a deploy uploads only what is in ${source}/.`,
    todo: `Copy the file into ${source}/, and run \`npm install ./<file>\` there.`,
  };
  const node = runtime ?? engines?.node ?? "";
  const isOld = Number(/\d+/.exec(node)?.[0] ?? nodeMajorMin) < nodeMajorMin;
  const old = {
    what: `${source}/ runs on Node ${node.replace("nodejs", "")}, where Firerank does not load, nor then any other function of that codebase.`,
    todo: `Write "runtime": "nodejs24" into its entry of firebase.json.`,
  };
  return [...(isOutside ? [outside] : []), ...(isOld ? [old] : [])];
}

/** Whether a file exports the package, or requires it, as a compiled export does. */
function exportsPackage(path: string): boolean {
  if (!/\.[cm]?[jt]s$/.test(path)) return false;
  const code = readFileSync(path, "utf8").replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  return /(?:\bfrom\s*|\b(?:require|import)\s*\(\s*)(["'])firerank\1/.test(code);
}

/** Whether a version of firebase-functions is too old to hold Firerank's functions beside others. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 7 || (major === 7 && minor < 4);
}

/** How an older firebase-functions, such as 5, is asked: its own program only serves the answer over HTTP. */
const olderScript = `
  const [bin, folder] = process.argv.slice(1);
  const { loadStack } = require(bin + "/../runtime/loader.js");
  const { stackToWire } = require(bin + "/../runtime/manifest.js");
  loadStack(folder).then((stack) => {
    const output = process.env.FUNCTIONS_MANIFEST_OUTPUT_PATH;
    require("fs").writeFileSync(output, JSON.stringify(stackToWire(stack)));
  }).finally(() => process.exit());
`;

function askCodebase(project: string, folder: string): string[] | undefined {
  const script = [folder, project]
    .map((root) => join(root, "node_modules", "firebase-functions", "lib", "bin", "firebase-functions.js"))
    .find((path) => existsSync(path));
  if (script === undefined) return undefined;
  const output = join(mkdtempSync(join(tmpdir(), "firerank-")), "functions.yaml");
  const isAsked = readFileSync(script, "utf8").includes("FUNCTIONS_MANIFEST_OUTPUT_PATH");
  spawnSync(process.execPath, isAsked ? [script, folder] : ["-e", olderScript, dirname(script), folder], {
    cwd: folder,
    env: {
      ...process.env,
      FUNCTIONS_CONTROL_API: "true",
      FUNCTIONS_MANIFEST_OUTPUT_PATH: output,
      GCLOUD_PROJECT: "demo-firerank",
    },
    stdio: "ignore",
    timeout: discoveryMsMax,
  });
  if (!existsSync(output)) return undefined;
  const { data } = manifest.safeParse(JSON.parse(readFileSync(output, "utf8")));
  return data === undefined ? undefined : Object.keys(data.endpoints);
}

/** The names that the codebase's first file exports, or that of its source, where it is compiled. */
function searchText(folder: string): string[] {
  const main = readPackage(join(folder, "package.json"))?.main ?? "index.js";
  const files = [main, "src/index.ts", "src/index.js", "index.ts", "main.py"].map((name) =>
    join(folder, name),
  );
  const text = files
    // "main" may name a folder.
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const single = text.matchAll(
    /\bexport\s+(?:const|let|var|function|async function)\s+(\w+)|\bexports\.(\w+)\s*=|^def\s+(\w+)/gm,
  );
  const lists = Array.from(text.matchAll(/\bexport\s*\{([^}]*)\}/g), ([, names = ""]) => names.split(","));
  const listed = lists.flat().map((name) => name.trim().split(/\s+as\s+/));
  return [
    ...Array.from(single, ([, one, two, three]) => one ?? two ?? three ?? ""),
    ...listed.flatMap((names) => names.at(-1) || []),
  ];
}

function readPackage(path: string): z.infer<typeof packageJson> | undefined {
  if (!existsSync(path)) return undefined;
  // npm says what is wrong with it.
  return packageJson.safeParse(jsonIn(readFileSync(path, "utf8"))).data;
}
