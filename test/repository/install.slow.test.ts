/**
 * Three strangers' projects, each with a function, a rule and an index of its own, and each with Firerank put in another
 * way. Both packages are packed and installed, and the project's own emulators do the rest. Nothing comes from the source
 * tree but the packages. The apps have version 13 of the Firebase JS SDK; other tests have version 12. The first project is
 * also deployed by its team's CI, as a fresh checkout.
 */
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import type * as App from "firebase/app";
import type * as Auth from "firebase/auth";
import type * as Firestore from "firebase/firestore";
import type * as Functions from "firebase/functions";
import type * as Client from "firerank-client";
import type * as Admin from "firerank-client/admin";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectedKinds, scheduleNames, taskNames } from "../../cli/doctor/expected.ts";
import { project as deployed } from "../../cli/testing/google.ts";
import { packAll } from "../../scripts/pack.ts";
import { run, runWith } from "../../scripts/processes.ts";
import { region, root, workFolder } from "../../scripts/project.ts";
import { meterListening } from "../support/client/listen-meter.ts";
import { startDeployTarget } from "../support/deploy-target.ts";
import { startDashboard } from "../support/dashboard-command.ts";
import { codeBlocks } from "../support/markdown.ts";
import { patienceMs } from "../support/patience.ts";
import {
  type OwnProject,
  ownRules,
  printedCommands,
  projectFor,
  startEmulators,
  ways,
} from "../support/strangers-project.ts";

const folder = mkdtempSync(join(tmpdir(), "firerank-install-"));
let packages: Awaited<ReturnType<typeof packAll>>;
let sdk: {
  app: typeof App;
  auth: typeof Auth;
  firestore: typeof Firestore;
  functions: typeof Functions;
};
let client: typeof Client & typeof Admin;

beforeAll(async () => {
  packages = await packAll(folder);
  ({ sdk, client } = await installedApp());
  expect(sdk.app.SDK_VERSION).toMatch(/^13\./);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(ways.map((way, i) => ({ ...way, i })))("Firerank $how", ({ i, ...way }) => {
  const { prefix, database } = way;
  let project: OwnProject;
  let stop: (() => void) | undefined;
  /** What `firerank init` printed. */
  let said: string;

  beforeAll(async () => {
    project = await projectFor(way, `demo-install-${process.pid}-${i}`, folderOf(i), packages.firerank);
    if (way.takes !== "functions") lend(join(root, "functions"), join(project.folder, "functions"));
    if (i > 0) lend(folderOf(0), project.folder);
    const [first, ...others] = way.commands;
    for (const command of i === 0 && first !== undefined ? way.commands : others)
      said = await command(project, packages.firerank);
    stop = await startEmulators(project, 4 * patienceMs());
  });
  afterAll(() => stop?.());

  test("a score gets its published rank, which is then one read; and what was theirs still works", async () => {
    const { id, ports } = project;
    const [ann, bob] = [playerOf(project), playerOf(project)];
    const boardOf = ({ app }: Player) => client.leaderboard(app, "arena", { prefix, database });
    const { user } = await sdk.auth.signInAnonymously(ann.auth);
    await sdk.auth.signInAnonymously(bob.auth);
    const grant = ["firerank", "grant", user.uid, "admin", "--project", id];
    await run(project.folder, "npx", "--no-install", ...grant);
    await user.getIdToken(true);
    await client.saveLeaderboard(boardOf(ann), { ranking_interval_minutes: 0.05 });
    const tops: string[][] = [];
    const stopWatching = client.watchTop(boardOf(bob), ({ entries }) =>
      tops.push(entries.map(({ display_name: name }) => String(name))),
    );
    await client.submitScore(boardOf(ann), { score: 850, display_name: "Ann" });
    await client.submitScore(boardOf(bob), { score: 900, display_name: "Bob" });
    // The live top has a task queue of its own.
    await expect.poll(() => tops.at(-1), { timeout: patienceMs() }).toEqual(["Bob", "Ann"]);
    stopWatching();

    const meter = meterListening(sdk.firestore.setLogLevel);
    const published = { rank: 2, players: 2, exact: true };
    const ask = () => client.rankOf(boardOf(ann), 850).catch(() => undefined);
    await expect.poll(ask, { timeout: patienceMs(), interval: 500 }).toMatchObject(published);
    // The page is in memory until the next publication is due.
    meter.reads();
    const countedRank = async () => ({ ...(await ask()), reads: meter.reads() });
    await expect
      .poll(countedRank, { timeout: patienceMs(), interval: 500 })
      .toMatchObject({ ...published, reads: 1 });
    meter.end();
    expect(await client.getRank(boardOf(ann))).toMatchObject(published);
    const ranks: (number | undefined)[] = [];
    const stopRanks = client.watchRank(boardOf(ann), (watched) => ranks.push(watched?.rank));
    await expect.poll(() => ranks.at(-1), { timeout: patienceMs() }).toBe(2);
    stopRanks();

    const { collection, doc, getDocs, setDoc } = sdk.firestore;
    const forged = doc(ann.db, `leaderboards/arena/seasons/all_time/players/${user.uid}`);
    await expect(setDoc(forged, { score: 999 })).rejects.toThrow(/PERMISSION_DENIED|permission/i);
    const hello = await fetch(`http://127.0.0.1:${ports.functions}/${id}/${region}/hello`);
    expect(await hello.text()).toBe("hi");
    expect((await getDocs(collection(bob.db, "photos"))).size).toBe(0);
    await expect(setDoc(doc(bob.db, "photos/a"), {})).rejects.toThrow(/PERMISSION_DENIED|permission/i);
    await Promise.all([ann, bob].map(({ app }) => sdk.app.deleteApp(app)));
  });

  test("the files keep what was theirs, and a second init changes nothing", async () => {
    const rules = readFileSync(join(project.folder, "firestore.rules"), "utf8");
    expect(rules.startsWith(ownRules.slice(0, -2))).toBe(true);
    const before = contents(project.folder);
    expect(before["firestore.indexes.json"]).toContain("photos");
    // firebase-tools itself rewrites firebase.json for a kit.
    if (!prefix?.startsWith("kit-")) expect(before["firebase.json"]).toContain("// Mine");
    expect(await run(project.folder, "npx", "--no-install", "firerank", "init", "--yes")).toContain(
      "Nothing to do",
    );
    expect(contents(project.folder)).toEqual(before);
  });

  test("the package's dashboard finds the emulators and the functions", async () => {
    const program = join(project.folder, "node_modules", "firerank", "bin", "firerank.js");
    const options = ["--project", project.id, "--database", database ?? "(default)"];
    const { address, interrupt } = await startDashboard(program, project.folder, ...options);
    const page = await (await fetch(`${address}/boards/arena`)).text();
    expect(page).toContain("<title>Firerank</title>");
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(`${address}${script}`)).status).toBe(200);
    const init: unknown = await (await fetch(`${address}/__/firebase/init.json`)).json();
    const settings = { region, prefix: prefix ?? "", ...(database !== undefined && { database }) };
    expect(init).toMatchObject({ projectId: project.id, firerank: settings });
    expect(await interrupt()).toBe(0);
  });

  test("the commands that init prints at its end go from a score to its rank, as it says", async () => {
    const { start, play, ask, answer } = printedCommands(said, project, "postinstall");
    expect(start).toBe(`npx firebase emulators:start --project ${project.id}`);
    const token = await play();
    await expect.poll(() => ask(token), { timeout: patienceMs(), interval: 500 }).toMatchObject(answer);
  });
});

test("the types of both packages hold without skipLibCheck", async () => {
  const own = join(folderOf(1), "functions");
  writeFileSync(
    join(own, "check.ts"),
    'export * from "firerank";\nimport { rankOf } from "firerank-client";\nexport const ask: typeof rankOf = rankOf;\n',
  );
  mkdirSync(join(own, "node_modules", "firerank-client"), { recursive: true });
  await run(own, "tar", "xzf", packages.client, "--strip-components=1", "-C", "node_modules/firerank-client");
  symlinkSync(join(root, "node_modules", "firebase"), join(own, "node_modules", "firebase"), "dir");
  const options = "--noEmit --strict --module nodenext --target es2024 --lib es2024,dom --types node".split(
    " ",
  );
  const types = ["--typeRoots", join(root, "node_modules", "@types")];
  for (const version of ["typescript", "typescript7"]) {
    const tsc = join(root, "node_modules", version, "bin", "tsc");
    await run(own, process.execPath, tsc, ...options, ...types, "check.ts");
  }
});

test("CI deploys a fresh checkout as docs/ci.md says, and then by a team's own command; nothing is asked", async () => {
  // firebase-tools itself runs, from predeploy to the last request; only Google is a stand-in.
  const google = await startDeployTarget();
  onTestFinished(() => google.close());
  const checkout = await checkoutOf(folderOf(0));
  const variables = {
    ...google.env,
    XDG_CONFIG_HOME: join(folder, "config"),
    FUNCTIONS_DISCOVERY_TIMEOUT: "300",
    NODE_COMPILE_CACHE: workFolder("compiled"),
  };
  const program = join(root, "node_modules", "firebase-tools", "lib", "bin", "firebase.js");
  const firebase = (command: string) =>
    runWith(variables, checkout, process.execPath, program, ...command.split(" ").slice(2));
  const created = (kind: string) =>
    google
      .sent("POST", new RegExp(`/${kind}$`))
      .map((one) => (one as { name: string }).name.split("/").at(-1));

  const commands = codeBlocks("docs/ci.md").flatMap(({ code }) => code.split("\n"));
  const deploys = commands.filter((command) => command.startsWith("npx firebase deploy"));
  expect(deploys).toHaveLength(2);
  const said: string[] = [];
  for (const command of deploys) said.push(await firebase(command));

  expect(created("functions").toSorted()).toEqual([...expectedKinds.keys()].toSorted());
  const values = parseEnv(readFileSync(join(checkout, "firerank", ".env"), "utf8"));
  for (const { serviceConfig } of google.functions())
    expect(serviceConfig.environmentVariables).toMatchObject(values);
  expect(created("queues").toSorted()).toEqual(taskNames.toSorted());
  expect(created("jobs")).toEqual(scheduleNames.map((name) => `firebase-schedule-${name}-us-central1`));

  // The two things that need --force.
  expect(said[0]).toMatch(/newly be retried in case of failure: firerank:indexPlayer\(/);
  expect(google.sent("PATCH", /\/gcf-artifacts$/)).toMatchObject([
    { cleanupPolicies: { "firebase-functions-cleanup": { condition: { olderThan: "86400s" } } } },
  ]);

  await firebase(`npx firebase deploy --only functions --project ${deployed} --non-interactive`);
  expect(created("functions").slice(expectedKinds.size)).toEqual(["hello"]);
  expect(google.asked.filter(({ method }) => method === "DELETE")).toEqual([]);
  expect(google.unknown).toEqual([]);
});

test("an upgrade takes the old tarball away", async () => {
  const project = folderOf(0);
  writeFileSync(join(project, "firerank", "firerank-0.0.1.tgz"), "old");
  expect(await run(project, "npx", "--no-install", "firerank", "init", "--yes")).toContain(
    "Removes firerank/firerank-0.0.1.tgz",
  );
  expect(globSync("firerank/*.tgz", { cwd: project })).toHaveLength(1);
});

function folderOf(i: number): string {
  return join(folder, `project-${i}`);
}

/** A project as CI gets it: what git has of it, and only the functions of their own installed. */
async function checkoutOf(project: string): Promise<string> {
  const checkout = join(folder, "checkout");
  writeFileSync(join(project, ".gitignore"), "node_modules\n.env\n*.log\n");
  const git = (...args: string[]) => run(project, "git", ...args);
  await git("init", "--quiet");
  await git("add", "--all");
  await git("-c", "user.name=ann", "-c", "user.email=ann@example.com", "commit", "--quiet", "-m", "Firerank");
  await run(folder, "git", "clone", "--quiet", project, checkout);
  lend(join(root, "functions"), join(checkout, "functions"));
  return checkout;
}

/** What is installed in another folder, so that npm does it once; with package.json and lock file, if that is a project's. */
function lend(from: string, to: string): void {
  symlinkSync(join(from, "node_modules"), join(to, "node_modules"), "dir");
  if (from !== folderOf(0)) return;
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(from, name), join(to, name));
}

/** Parts of the SDK that apps of these tests do not need: an empty stand-in is installed for each. */
const leftOut = [
  ...["ai", "crashlytics", "data-connect", "app-types"],
  ...[
    "analytics",
    "database",
    "installations",
    "messaging",
    "performance",
    "remote-config",
    "storage",
  ].flatMap((name) => [name, `${name}-compat`]),
  ...["app", "app-check", "auth", "firestore", "functions"].map((name) => `${name}-compat`),
];

/** Installs the client's package beside the SDK from npm's registry, and loads both. */
async function installedApp() {
  const standIn = "npm:@firebase/logger@0.5";
  const overrides = Object.fromEntries(leftOut.map((name) => [`@firebase/${name}`, standIn]));
  const dependencies = { firebase: "^13.1.0", "firerank-client": `file:${packages.client}` };
  const app = join(folder, "app");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), JSON.stringify({ private: true, dependencies, overrides }));
  await run(app, "npm", "install", "--no-audit", "--no-fund", "--legacy-peer-deps", "--ignore-scripts");
  const load = (name: string, ...exported: string[]): Promise<unknown> => {
    // Within node_modules, so that Node loads it and all that it imports.
    const entry = join(app, "node_modules", `${name}.mjs`);
    writeFileSync(entry, exported.map((names) => `export ${names};\n`).join(""));
    return import(pathToFileURL(entry).href);
  };
  const parts = ["app", "auth", "firestore", "functions"];
  return {
    sdk: (await load("sdk", ...parts.map((part) => `* as ${part} from "firebase/${part}"`))) as typeof sdk,
    client: (await load(
      "client",
      '* from "firerank-client"',
      '* from "firerank-client/admin"',
    )) as typeof client,
  };
}

type Player = ReturnType<typeof playerOf>;

/** An app of its own, on the project's emulators. */
function playerOf({ id, ports, database }: OwnProject) {
  const app = sdk.app.initializeApp({ projectId: id, apiKey: "any" }, Math.random().toString(36));
  const auth = sdk.auth.getAuth(app);
  sdk.auth.connectAuthEmulator(auth, `http://127.0.0.1:${ports.auth}`, { disableWarnings: true });
  const db = sdk.firestore.getFirestore(app, database);
  sdk.firestore.connectFirestoreEmulator(db, "127.0.0.1", ports.firestore);
  sdk.functions.connectFunctionsEmulator(
    sdk.functions.getFunctions(app, region),
    "127.0.0.1",
    ports.functions,
  );
  return { app, auth, db };
}

/** The files of a project that `init` may write, and those that npm makes of them. */
function contents(project: string): Record<string, string> {
  const others = /(^|[\\/])(node_modules|\.firebase|\.git)([\\/]|$)|\.(log|tgz)$/;
  const paths = globSync(["*.*", "*/*.*"], { cwd: project }).filter((path) => !others.test(path));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(project, path), "utf8")]));
}
