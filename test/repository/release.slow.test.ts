/** `npm run release` in a clone, whose `.ci/run` stands for the hours of tests: it fails first and then passes. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../../scripts/project.ts";
import { patienceMs } from "../support/patience.ts";

const folder = mkdtempSync(join(tmpdir(), "firerank-release-"));
const clone = join(folder, "clone");
const [name, email] = ["A", "a@x.y"];
const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email };
const env = { ...process.env, ...author, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
const git = (...args: string[]) => execFileSync("git", args, { cwd: clone, env, encoding: "utf8" }).trim();
const inClone = (...names: string[]) => readFileSync(join(clone, ...names), "utf8");
const version = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

function release(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ["scripts/release.ts", ...args], { cwd: clone, env, encoding: "utf8" });
}

function testsBy(script: string): void {
  writeFileSync(join(clone, ".ci", "run"), script);
  git("commit", "--all", "--message", "Test otherwise");
}

beforeAll(() => {
  execFileSync("git", ["clone", "--quiet", "--no-tags", root, clone], { env });
  // What is being worked on too, so that the test is of the files that are there.
  const changes = execFileSync("git", ["diff", "--binary", "HEAD"], { cwd: root, maxBuffer: 2 ** 28 });
  if (changes.length > 0) execFileSync("git", ["apply", "--index"], { cwd: clone, input: changes });
  if (git("status", "--porcelain") !== "") git("commit", "--all", "--message", "Work");
  for (const modules of ["node_modules", "functions/node_modules"])
    symlinkSync(join(root, modules), join(clone, modules));
  // .gitignore names folders, and these are links.
  writeFileSync(join(clone, ".git", "info", "exclude"), "node_modules\n");
  chmodSync(join(clone, ".ci", "run"), 0o755);
}, patienceMs());

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("no version, a lower one and a tree with changes are refused, and nothing is changed", () => {
  expect(release().stderr).toContain("Usage: ");
  expect(release("1.2").stderr).toContain("Usage: ");
  expect(release("0.0.1").stderr).toContain(`lower than ${version}`);
  writeFileSync(join(clone, "notes.txt"), "a draft");
  const dirty = release("9.0.0");
  expect(dirty.status).toBe(1);
  expect(dirty.stderr).toContain("changes that are not committed");
  rmSync(join(clone, "notes.txt"));
  expect(git("status", "--porcelain")).toBe("");
});

test("a release whose tests fail leaves no trace", () => {
  testsBy("echo a test failed; exit 1\n");
  const head = git("rev-parse", "HEAD");
  const { status, stderr } = release("9.0.0");
  expect(status).toBe(1);
  expect(stderr).toContain("bash .ci/run --full failed");
  expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")]).toEqual([head, "", ""]);
});

test("a release is tested, packed, committed and tagged, and publishing is left to its owner", () => {
  // It sees what is tested: the versions that are set already.
  testsBy(
    'grep --quiet \'"version": "9.0.0"\' package.json client/package.json functions/package-lock.json\n',
  );
  const { status, stdout, stderr } = release("9.0.0");
  expect(stderr.slice(-2_000) + String(status)).toMatch(/0$/);
  expect(git("cat-file", "-t", "v9.0.0")).toBe("tag");
  expect(git("log", "-1", "--format=%s")).toBe("Release 9.0.0");
  expect(git("status", "--porcelain")).toBe("");
  const changed = ["CHANGELOG.md", "README.md", "functions/src/model/version.ts", "package-lock.json"];
  expect(git("show", "--name-only", "--format=").split("\n")).toEqual(expect.arrayContaining(changed));
  expect(inClone("CHANGELOG.md")).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 9\.0\.0 \(\d{4}-\d\d-\d\d\)\n/,
  );
  for (const path of ["docs/install.md", "examples/deleted-users/package.json"])
    expect(inClone(path)).toContain("firerank-9.0.0.tgz");
  const out = join(".firerank", "release-9.0.0");
  expect(
    execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: join(clone, out), encoding: "utf8" }),
  ).toBe("firerank-9.0.0.tgz: OK\nfirerank-client-9.0.0.tgz: OK\n");
  const packed = (tarball: string, path: string) =>
    execFileSync("tar", ["-xzOf", join(clone, out, tarball), `package/${path}`], { encoding: "utf8" });
  expect(packed("firerank-9.0.0.tgz", "lib/loaded/runtime.js")).toContain('"9.0.0"');
  for (const [tarball, path] of [
    ["firerank-9.0.0.tgz", "npm-shrinkwrap.json"],
    ["firerank-client-9.0.0.tgz", "package.json"],
  ] as const)
    expect(JSON.parse(packed(tarball, path))).toMatchObject({ version: "9.0.0" });
  expect(stdout).toContain(
    `gh release create v9.0.0 ${out}/firerank-9.0.0.tgz ${out}/firerank-client-9.0.0.tgz`,
  );
  expect(stdout).toContain(`npm publish ./${out}/firerank-client-9.0.0.tgz`);
  expect(release("9.0.0").stderr).toContain("The tag v9.0.0 is there already");
});
