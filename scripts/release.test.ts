import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { version } from "../functions/src/model/version.ts";
import { commitAndTag, locks, manifests, problemOf, releasedChangelog } from "./release.ts";
import { root } from "./project.ts";

const json = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;

test("all packages, their lock files and the code are of one version", () => {
  for (const path of [...manifests, ...locks]) expect(json(path)["version"], path).toBe(version);
  for (const path of locks) {
    const packages = Object.entries(json(path)["packages"] as Record<string, { version: string }>);
    for (const [place, own] of packages.filter(([place]) => !place.includes("node_modules")))
      expect(own, `${path} ${place}`).toMatchObject({ version });
  }
});

const first = "# Changelog\n\n## Unreleased\n\nThe first version.\n\n### Scores\n\n- One.\n";
const second = "# Changelog\n\n## Unreleased\n\n- Two.\n\n## 0.1.0 (2026-11-30)\n\n- One.\n";

test("what was unreleased comes under the version with its date, and alone into the notes", () => {
  expect(releasedChangelog(first, "0.1.0", "2026-11-30")).toEqual({
    text: "# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-11-30)\n\nThe first version.\n\n### Scores\n\n- One.\n",
    notes: "The first version.\n\n### Scores\n\n- One.\n",
  });
  expect(releasedChangelog(second, "0.2.0", "2026-12-24")).toEqual({
    text: "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-24)\n\n- Two.\n\n## 0.1.0 (2026-11-30)\n\n- One.\n",
    notes: "- Two.\n",
  });
});

test("the first release may have the version of the packages, and each later one must be higher", () => {
  expect(problemOf("0.1.0", "0.1.0", first)).toBeUndefined();
  expect(problemOf("0.2.0", "0.1.0", first)).toBeUndefined();
  expect(problemOf("0.0.9", "0.1.0", first)).toContain("lower than 0.1.0");
  expect(problemOf("0.1.0", "0.1.0", second)).toContain("not higher than 0.1.0");
  expect(problemOf("0.1.1", "0.1.0", second)).toBeUndefined();
  expect(problemOf("0.10.0", "0.9.0", second.replace("0.1.0", "0.9.0"))).toBeUndefined();
  expect(problemOf("0.9.9", "1.0.0", second.replace("0.1.0", "1.0.0"))).toContain("not higher than 1.0.0");
});

test("a release that the CHANGELOG says nothing of is refused", () => {
  const { text } = releasedChangelog(second, "0.2.0", "2026-12-24");
  expect(problemOf("0.3.0", "0.2.0", text)).toContain('nothing under "## Unreleased"');
  expect(problemOf("0.3.0", "0.2.0", "# Changelog\n")).toContain('nothing under "## Unreleased"');
});

test("a release is committed and tagged, or neither", () => {
  const folder = mkdtempSync(join(tmpdir(), "firerank-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  const put = (text: string) => writeFileSync(join(folder, "version"), text);
  git("init", "--quiet");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.com");
  put("0.1.0");
  git("add", ".");
  git("commit", "--quiet", "--message", "Begin");
  put("0.2.0");
  expect(() => commitAndTag(folder, "no tag can be this", "Release 0.2.0")).toThrow("Nothing was changed");
  expect(git("log", "--format=%s")).toBe("Begin");
  // Which the release then restores.
  expect(git("status", "--porcelain")).toBe("M version");
  commitAndTag(folder, "v0.2.0", "Release 0.2.0");
  expect(git("log", "--format=%s %D")).toMatch(/^Release 0\.2\.0 .*tag: v0\.2\.0\nBegin/);
});
