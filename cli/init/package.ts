/** The package that this command line belongs to: its folder, its files, its tarball. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { parseIndexFile } from "./index-file.ts";

const root = join(import.meta.dirname, "..", "..");

/** In the package this is in lib/cli/; in a clone it is in cli/init/, beside functions/. */
const isPackage = existsSync(join(root, "lib", "index.js"));
const folder = isPackage ? root : join(root, "functions");

/** Firerank's firestore.rules or firestore.indexes.json. */
export function ownFile(name: "firestore.rules" | "firestore.indexes.json"): string {
  return readFileSync(isPackage ? join(folder, "lib", "firestore", name) : join(root, name), "utf8");
}

/** Firerank's indexes and exemptions, of the Standard edition. */
export const ownIndexes = () => parseIndexFile(ownFile("firestore.indexes.json"));

/** The dashboard as it is built. @throws CliError in a clone where nobody has built it */
export function dashboardFolder(): string {
  const built = isPackage ? join(folder, "lib", "dashboard") : join(root, "web", "dist");
  if (existsSync(join(built, "index.html"))) return built;
  throw new CliError(`There is no dashboard in ${built}. Build it: npm --prefix web run build`);
}

/** POSTINSTALL.md, which says how to see it work. */
export function postInstallPage(): string {
  return readFileSync(join(folder, "POSTINSTALL.md"), "utf8");
}

/** Packs the package into a folder for temporary files. @returns the tarball's folder and name */
export function pack(): { from: string; tarball: string } {
  const from = mkdtempSync(join(tmpdir(), "firerank-"));
  const stdout = npm(["pack", "--json", "--pack-destination", from], folder);
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { filename: string }[];
  if (packed === undefined) throw new CliError("`npm pack` packed nothing.");
  return { from, tarball: packed.filename };
}

/**
 * The tarballs of other versions in Firerank's folder, as paths in the project; not those that its root or one of the
 * other codebases depends on.
 */
export function oldTarballs(
  project: string,
  source: string,
  tarball: string,
  others: readonly string[] = [],
): string[] {
  if (!existsSync(join(project, source))) return [];
  const needed = new Set([".", ...others].flatMap((folder) => tarballsNamedIn(join(project, folder))));
  return readdirSync(join(project, source))
    .filter((name) => /^firerank-\d+\.\d+\.\d+\S*\.tgz$/.test(name) && name !== tarball)
    .filter((name) => !needed.has(resolve(project, source, name)))
    .map((name) => `${source}/${name}`);
}

/** The tarballs, as full paths, that a folder's package.json names. */
function tarballsNamedIn(folder: string): string[] {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) return [];
  const named = readFileSync(manifest, "utf8").matchAll(/"(?:file:)?([^"]+\.tgz)"/g);
  return Array.from(named, ([, path = ""]) => resolve(folder, path));
}

/** Installs a tarball into the folder that it is in. In a workspace of npm too: the root's lock file stays as it is. */
export function installTarball(folder: string, tarball: string): void {
  npm(["install", `./${tarball}`, "--no-workspaces", "--no-audit", "--no-fund"], folder);
}

/** Whether git leaves a file of a project out, so that a clone, as in CI, has it not. False without git. */
export function isIgnored(project: string, path: string): boolean {
  return spawnSync("git", ["check-ignore", "--quiet", path], { cwd: project, stdio: "ignore" }).status === 0;
}

/** Runs npm in a folder. @returns its output @throws CliError with what npm said */
export function npm(args: string[], cwd: string): string {
  // Options of an npm that started this command are not meant for this one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_config_(?!registry|cache|userconfig)/i.test(name)),
  );
  const { status, stdout, stderr } = spawnSync("npm", shellArguments(args, process.platform), {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  if (status === 0) return stdout;
  throw new CliError(`\`npm ${args.join(" ")}\` failed in ${cwd}:\n\n${stderr}`);
}

/** On Windows npm is a batch file, which only a shell starts, and that splits a path with spaces unless it is quoted. */
export function shellArguments(args: string[], platform: string): string[] {
  return platform === "win32" ? args.map((arg) => `"${arg}"`) : args;
}
