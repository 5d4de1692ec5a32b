/** `npm run release` in a clone, whose `.ci/run` stands for the hours of tests: it fails first and then passes. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../../../scripts/project.ts";
import { patienceMs } from "../../support/patience.ts";

const folder = mkdtempSync(join(tmpdir(), "firerank-release-"));
const clone = join(folder, "clone");
const author = {
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@x.y",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@x.y",
};
const env = { ...process.env, ...author };
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

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

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

test(
  "a release is tested, packed, committed and tagged, and publishing is left to its owner",
  { timeout: 600_000 },
  () => {
    // It sees what is tested: the versions that are set already.
    testsBy(
      'grep --quiet \'"version": "9.0.0"\' package.json client/package.json functions/package-lock.json\n',
    );
    const { status, stdout, stderr } = release("9.0.0");
    expect(stderr.slice(-2_000) + String(status)).toMatch(/0$/);
    expect(git("cat-file", "-t", "v9.0.0")).toBe("tag");
    expect(git("log", "-1", "--format=%s")).toBe("Release 9.0.0");
    expect(git("status", "--porcelain")).toBe("");
    const changed = git("show", "--name-only", "--format=").split("\n");
    expect(changed).toEqual(
      expect.arrayContaining([
        "CHANGELOG.md",
        "README.md",
        "docs/install.md",
        "functions/src/model/version.ts",
        "package-lock.json",
      ]),
    );
    expect(inClone("CHANGELOG.md")).toMatch(
      /^# Changelog\n\n## Unreleased\n\n## 9\.0\.0 \(\d{4}-\d\d-\d\d\)\n/,
    );
    expect(inClone("docs", "install.md")).toContain("firerank-9.0.0.tgz");
    const out = join(".firerank", "release-9.0.0");
    expect(
      execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: join(clone, out), encoding: "utf8" }),
    ).toBe("firerank-9.0.0.tgz: OK\nfirerank-client-9.0.0.tgz: OK\n");
    const packed = (tarball: string, path: string) =>
      execFileSync("tar", ["-xzOf", join(clone, out, tarball), `package/${path}`], { encoding: "utf8" });
    expect(packed("firerank-9.0.0.tgz", "lib/loaded/runtime.js")).toContain('"9.0.0"');
    expect(JSON.parse(packed("firerank-9.0.0.tgz", "npm-shrinkwrap.json"))).toMatchObject({
      version: "9.0.0",
    });
    expect(JSON.parse(packed("firerank-client-9.0.0.tgz", "package.json"))).toMatchObject({
      version: "9.0.0",
    });
    expect(stdout).toContain(
      `gh release create v9.0.0 ${out}/firerank-9.0.0.tgz ${out}/firerank-client-9.0.0.tgz`,
    );
    expect(stdout).toContain(`npm publish ./${out}/firerank-client-9.0.0.tgz`);
    expect(release("9.0.0").stderr).toContain("The tag v9.0.0 is there already");
    expect(existsSync(join(clone, "functions", "package.json.unpacked"))).toBe(false);
  },
);

test("a rehearsal packs without tests, and is neither committed nor tagged", { timeout: 600_000 }, () => {
  testsBy("echo not to be run; exit 1\n");
  const head = git("rev-parse", "HEAD");
  // Nothing is unreleased after the release before.
  writeFileSync(
    join(clone, "CHANGELOG.md"),
    inClone("CHANGELOG.md").replace("## Unreleased\n", "## Unreleased\n\n- New.\n"),
  );
  git("commit", "--all", "--amend", "--no-edit");
  const rehearsed = git("rev-parse", "HEAD");
  expect(rehearsed).not.toBe(head);
  const { status, stdout } = release("9.1.0", "--without-tests");
  expect(status).toBe(0);
  expect(stdout).toContain("nothing was tested, committed or tagged");
  expect(existsSync(join(clone, ".firerank", "release-9.1.0", "firerank-9.1.0.tgz"))).toBe(true);
  expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")]).toEqual([
    rehearsed,
    "",
    "v9.0.0",
  ]);
});
