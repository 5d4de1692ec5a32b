/**
 * A team's CI: a fresh checkout of a project with Firerank, in which nothing is installed and nobody can be asked. What
 * `firebase deploy --non-interactive` does before it asks Google: the codebase's predeploy, loading both codebases, and a
 * value for each parameter.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { packAll } from "../../../scripts/adopt/packages.ts";
import { run } from "../../../scripts/adopt/run.ts";
import { projectFor, ways } from "../../../scripts/adopt/ways.ts";
import { root } from "../../../scripts/project.ts";
import { ownFunctions } from "../../../cli/init/package.ts";

const folder = mkdtempSync(join(tmpdir(), "firerank-ci-"));
const clone = join(folder, "clone-of-theirs");
const id = "demo-ci";

/** The parts of firebase-tools that are used; it has no types. */
interface Delegate {
  discoverBuild(config: object, environment: Record<string, string>): Promise<{ endpoints: object }>;
}
interface Runtimes {
  getRuntimeDelegate(context: Record<string, string>): Promise<Delegate>;
}
interface Build {
  resolveBackend(options: object): Promise<{ envs: Record<string, { toString(): string }> }>;
}
interface Env {
  loadUserEnvs(options: object): Record<string, string>;
}
const tools = async (path: string): Promise<unknown> =>
  ((await import(`firebase-tools/lib/${path}.js`)) as { default: unknown }).default;

beforeAll(async () => {
  vi.stubEnv("FIREBASE_FUNCTIONS_DISCOVERY_OUTPUT_PATH", "true");
  vi.stubEnv("FUNCTIONS_DISCOVERY_TIMEOUT", "300");
  const { firerank } = await packAll(folder);
  const [way] = ways;
  if (way === undefined) throw new Error("There is no way to install it.");
  const theirs = join(folder, "theirs");
  const project = await projectFor(way, id, theirs, firerank);
  writeFileSync(join(theirs, ".gitignore"), "node_modules/\n.env\n");
  symlinkSync(join(root, "functions", "node_modules"), join(theirs, "functions", "node_modules"), "dir");
  for (const { does } of way.commands) await does(project, firerank);
  const git = (...args: string[]) => run(theirs, "git", ...args);
  await git("init", "--quiet");
  await git("add", "--all", ":!functions/node_modules");
  await git("-c", "user.name=ann", "-c", "user.email=ann@example.com", "commit", "--quiet", "-m", "Firerank");
  await run(folder, "git", "clone", "--quiet", "theirs", clone);
  symlinkSync(join(root, "functions", "node_modules"), join(clone, "functions", "node_modules"), "dir");
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Loads a codebase, as a deploy does, and gives each of its parameters a value without asking. */
async function load(source: string) {
  const runtimes = (await tools("deploy/functions/runtimes/index")) as Runtimes;
  const functionsSource = join(clone, source);
  const delegate = await runtimes.getRuntimeDelegate({
    projectId: id,
    projectDir: clone,
    sourceDir: functionsSource,
    runtime: "nodejs24",
  });
  const build = await delegate.discoverBuild({}, {});
  const userEnvs = ((await tools("functions/env")) as Env).loadUserEnvs({
    functionsSource,
    projectDir: clone,
    projectId: id,
  });
  const ofBuild = (await tools("deploy/functions/build")) as Build;
  const firebaseConfig = { projectId: id };
  const { envs } = await ofBuild.resolveBackend({ build, firebaseConfig, userEnvs, nonInteractive: true });
  return { names: Object.keys(build.endpoints), envs };
}

test("a fresh checkout installs itself, loads both codebases, and is asked for no parameter", async () => {
  const config = parse(readFileSync(join(clone, "firebase.json"), "utf8")) as {
    functions: { codebase?: string; source: string; predeploy?: string[] }[];
  };
  const own = config.functions.find(({ codebase }) => codebase === "firerank") ?? expect.fail();
  for (const command of own.predeploy ?? expect.fail("nothing installs it")) {
    const env = { ...process.env, RESOURCE_DIR: join(clone, own.source) };
    const { status, stderr } = spawnSync(command, { cwd: clone, env, shell: true, encoding: "utf8" });
    expect(status, stderr).toBe(0);
  }
  const { names, envs } = await load(own.source);
  expect(names.toSorted()).toEqual(ownFunctions().toSorted());
  expect(String(envs["REGION"])).toBe("us-central1");
  expect((await load("functions")).names).toEqual(["hello"]);
});
