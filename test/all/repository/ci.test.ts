/**
 * A team's CI: a fresh checkout of a project with Firerank, in which nothing is installed and nobody can be asked. The
 * commands of docs/ci.md run with firebase-tools itself, from predeploy to the last request; only Google is a stand-in.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scheduleNames, taskNames } from "../../../cli/doctor/expected.ts";
import { ownFunctions } from "../../../cli/init/package.ts";
import { project as id } from "../../../cli/testing/google.ts";
import { packAll } from "../../../scripts/adopt/packages.ts";
import { run, runWith } from "../../../scripts/adopt/run.ts";
import { projectFor, ways } from "../../../scripts/adopt/ways.ts";
import { root, workFolder } from "../../../scripts/project.ts";
import { type DeployTarget, startDeployTarget } from "../../support/deploy-target.ts";
import { codeBlocks } from "../../support/markdown.ts";

const folder = mkdtempSync(join(tmpdir(), "firerank-ci-"));
const clone = join(folder, "clone-of-theirs");
let google: DeployTarget;

beforeAll(async () => {
  google = await startDeployTarget();
  const { firerank } = await packAll(folder);
  const [way] = ways;
  if (way === undefined) throw new Error("There is no way to install it.");
  const theirs = join(folder, "theirs");
  const project = await projectFor(way, id, theirs, firerank);
  writeFileSync(join(theirs, ".gitignore"), "node_modules\n.env\n");
  symlinkSync(join(root, "functions", "node_modules"), join(theirs, "functions", "node_modules"), "dir");
  for (const { does } of way.commands) await does(project, firerank);
  const git = (...args: string[]) => run(theirs, "git", ...args);
  await git("init", "--quiet");
  await git("add", "--all");
  await git("-c", "user.name=ann", "-c", "user.email=ann@example.com", "commit", "--quiet", "-m", "Firerank");
  await run(folder, "git", "clone", "--quiet", "theirs", clone);
  symlinkSync(join(root, "functions", "node_modules"), join(clone, "functions", "node_modules"), "dir");
});
afterAll(async () => {
  await google.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command that begins with `npx firebase`. */
function firebase(command: string): Promise<string> {
  const variables = {
    ...google.env,
    XDG_CONFIG_HOME: join(folder, "config"),
    FUNCTIONS_DISCOVERY_TIMEOUT: "300",
    NODE_COMPILE_CACHE: workFolder("compiled"),
  };
  const program = join(root, "node_modules", "firebase-tools", "lib", "bin", "firebase.js");
  return runWith(variables, clone, process.execPath, program, ...command.split(" ").slice(2));
}

/** The last parts of the names of what was created. */
const created = (kind: string) =>
  google.sent("POST", new RegExp(`/${kind}$`)).map((one) => (one as { name: string }).name.split("/").at(-1));

test("a fresh checkout is deployed as docs/ci.md says, and then by a team's own command; nothing is asked", async () => {
  const commands = codeBlocks("docs/ci.md").flatMap(({ code }) => code.split("\n"));
  const deploys = commands.filter((command) => command.startsWith("npx firebase deploy"));
  expect(deploys).toHaveLength(2);
  const said: string[] = [];
  for (const command of deploys) said.push(await firebase(command));

  expect(created("functions").toSorted()).toEqual(ownFunctions().toSorted());
  const values = parseEnv(readFileSync(join(clone, "firerank", ".env"), "utf8"));
  for (const { serviceConfig } of google.functions())
    expect(serviceConfig.environmentVariables).toMatchObject(values);
  expect(created("queues").toSorted()).toEqual(taskNames.toSorted());
  expect(created("jobs")).toEqual(scheduleNames.map((name) => `firebase-schedule-${name}-us-central1`));

  // The two things that need --force.
  expect(said[0]).toMatch(/newly be retried in case of failure: firerank:indexPlayer\(/);
  expect(google.sent("PATCH", /\/gcf-artifacts$/)).toMatchObject([
    { cleanupPolicies: { "firebase-functions-cleanup": { condition: { olderThan: "86400s" } } } },
  ]);

  await firebase(`npx firebase deploy --only functions --project ${id} --non-interactive`);
  expect(created("functions").slice(ownFunctions().length)).toEqual(["hello"]);
  expect(google.asked.filter(({ method }) => method === "DELETE")).toEqual([]);
  expect(google.unknown).toEqual([]);
});
