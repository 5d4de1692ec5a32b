/**
 * `npm run release -- x.y.z`: makes a release, up to what only its owner may do. It sets the version everywhere, moves
 * what is unreleased in the CHANGELOG under it, runs all checks and tests, packs both packages with their checksums, commits
 * and tags. Then it prints the commands that publish.
 *
 * Nothing is left changed where a step fails. `--without-tests` is a rehearsal: the same without tests, commit and tag.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { optionsOf } from "./options.ts";
import { packAll } from "./pack.ts";
import { root } from "./project.ts";

const usage = "npm run release -- <x.y.z> [--without-tests]";

/** Where the version is. Lock files have it too, and `npm ci` compares them. */
export const manifests = [
  "package.json",
  "functions/package.json",
  "client/package.json",
  "web/package.json",
  "bench/package.json",
];
export const locks = ["package-lock.json", "functions/package-lock.json"];
const versionModule = "functions/src/model/version.ts";
/** Files that name the tarball. */
const namingTarball = [
  "README.md",
  "client/README.md",
  "functions/README.md",
  "functions/SKILL.md",
  "functions/llms.txt",
  "docs/*.md",
  "examples/*/package.json",
];

class Refusal extends Error {}

if (import.meta.main) process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { positionals, values } = optionsOf(usage, {
      allowPositionals: true,
      options: { "without-tests": { type: "boolean", default: false } },
    });
    const [version = ""] = positionals;
    if (positionals.length !== 1 || !/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
      throw new Refusal(`Usage: ${usage}`);
    await release(version, values["without-tests"]);
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function release(version: string, isRehearsal: boolean): Promise<void> {
  const tag = `v${version}`;
  const before = (JSON.parse(read("package.json")) as { version: string }).version;
  const changelog = read("CHANGELOG.md");
  if (git("status", "--porcelain") !== "")
    throw new Refusal(
      "There are changes that are not committed. Commit or stash them; a release is of what is committed.",
    );
  if (git("tag", "--list", tag) !== "")
    throw new Refusal(`The tag ${tag} is there already. Take a higher version.`);
  const problem = problemOf(version, before, changelog);
  if (problem !== undefined) throw new Refusal(problem);
  const today = new Date().toISOString().slice(0, 10);
  const { text, notes } = releasedChangelog(changelog, version, today);
  const out = join(root, ".firerank", `release-${version}`);
  try {
    write("CHANGELOG.md", text);
    setVersion(before, version);
    if (!isRehearsal) run("bash", [".ci/run", "--full"]);
    rmSync(out, { recursive: true, force: true });
    const tarballs = Object.values(await packAll(out));
    writeFileSync(join(out, "SHA256SUMS"), tarballs.map(sumLine).join(""));
    writeFileSync(join(out, "NOTES.md"), notes);
    const files = [...tarballs, join(out, "SHA256SUMS")].map((path) => relative(root, path));
    if (isRehearsal) {
      console.log(
        `A rehearsal: nothing was tested, committed or tagged, and the tree is as before. Packed:\n  ${files.join("\n  ")}`,
      );
      return;
    }
    commitAndTag(root, tag, `Release ${version}`);
    console.log(
      `\nReleased as ${tag} on this machine. What is left is the owner's:\n\n${publishing(tag, files, out).join("\n")}`,
    );
  } finally {
    // After a commit there is nothing to restore.
    git("restore", "--staged", "--worktree", ".");
  }
}

/** Commits all changes and tags the commit: both, or neither. The changes stay in the files. @throws Refusal */
export function commitAndTag(folder: string, tag: string, message: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  const before = git("rev-parse", "HEAD").trim();
  try {
    git("commit", "--quiet", "--all", "--message", message);
    git("tag", "--annotate", tag, "--message", message);
  } catch (cause) {
    git("reset", "--quiet", before);
    throw new Refusal(`git could not commit and tag ${tag}; what it said is above. Nothing was changed.`, {
      cause,
    });
  }
}

/** The commands that publish a release. */
function publishing(tag: string, files: readonly string[], out: string): string[] {
  const notes = relative(root, join(out, "NOTES.md"));
  return [
    `git push origin HEAD ${tag}`,
    `gh release create ${tag} ${files.join(" ")} --verify-tag --title ${tag} --notes-file ${notes}`,
    ...files.filter((file) => file.endsWith(".tgz")).map((file) => `npm publish ./${file}`),
  ];
}

/** Why a version cannot be released next; undefined where it can. Pure. */
export function problemOf(version: string, before: string, changelog: string): string | undefined {
  const released = /^## (\d+\.\d+\.\d+)\b/m.exec(changelog)?.[1];
  if (released !== undefined && !isHigher(version, released))
    return `${version} is not higher than ${released}, which the CHANGELOG has as released.`;
  if (released === undefined && version !== before && !isHigher(version, before))
    return `${version} is lower than ${before}, the version of the packages.`;
  const unreleased = /^## Unreleased\n(.*?)(?=^## |$(?![^]))/ms.exec(changelog)?.[1];
  return unreleased === undefined || unreleased.trim() === ""
    ? 'The CHANGELOG has nothing under "## Unreleased": say first what the release changes.'
    : undefined;
}

/** The CHANGELOG with what was unreleased under a version, and that part alone as notes. Pure. */
export function releasedChangelog(
  changelog: string,
  version: string,
  date: string,
): { text: string; notes: string } {
  const [, head = "", notes = "", rest = ""] =
    /^(.*?^## Unreleased\n)(.*?)(^## .*)?$(?![^])/ms.exec(changelog) ?? [];
  return {
    text: `${head}\n## ${version} (${date})\n${notes.trimEnd()}\n${rest === "" ? "" : `\n${rest}`}`,
    notes: `${notes.trim()}\n`,
  };
}

/** Whether a version is higher than another. Pure. */
function isHigher(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) > 0;
}

function setVersion(before: string, version: string): void {
  for (const path of [...manifests, ...locks]) {
    const text = read(path);
    // A lock file says it again, of its own packages; versions of others are not touched.
    const own = new RegExp(
      `("name": "firerank[a-z-]*",\\n +"version": )"${before.replaceAll(".", "\\.")}"`,
      "g",
    );
    write(path, text.replace(own, `$1"${version}"`));
  }
  write(versionModule, read(versionModule).replace(`"${before}"`, `"${version}"`));
  for (const path of git("ls-files", ...namingTarball).split("\n"))
    write(
      path,
      read(path).replaceAll(
        new RegExp(`(firerank(?:-client)?)-${before.replaceAll(".", "\\.")}\\.tgz`, "g"),
        `$1-${version}.tgz`,
      ),
    );
}

function sumLine(path: string): string {
  return `${createHash("sha256").update(readFileSync(path)).digest("hex")}  ${basename(path)}\n`;
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0)
    throw new Refusal(`${command} ${args.join(" ")} failed; what it said is above. Nothing was changed.`);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}
