/**
 * A stranger's project, with a function, a rule and an index of its own: the package is packed, installed and put in by
 * `firerank init`, and the project's own emulators do the rest. Nothing here comes from the source tree but the package.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findEmulator } from "../../scripts/emulator-probe.ts";
import { groupOf, kill } from "../../scripts/processes.ts";
import { root } from "../../scripts/project.ts";
import { freePorts } from "../support/free-ports.ts";
import { patienceMs } from "../support/patience.ts";

const projectId = `demo-install-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), "firerank-install-"));
const project = join(folder, "project");
const log = join(folder, "emulators.log");
let ports: Record<string, number>;
let emulators: ChildProcess | undefined;
/** What `firerank init` printed. */
let said: string;

const rules = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    // Their own, with a brace in a comment: }
    function isAdmin() { return false; }
    match /photos/{photo} {
      allow read: if true;
      allow write: if isAdmin();
    }
  }
}
`;
const photos = {
  collectionGroup: "photos",
  queryScope: "COLLECTION",
  fields: [
    { fieldPath: "by", order: "ASCENDING" },
    { fieldPath: "at", order: "ASCENDING" },
  ],
};

beforeAll(async () => {
  const tarball = packPackage();
  ports = await freePorts(["auth", "firestore", "functions", "tasks", "hub", "logging", "eventarc"]);
  writeProject();
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], join(project, "functions"));
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--save-dev", tarball]);
  said = run("npx", ["--no-install", "firerank", "init", "--yes"]);
  await startEmulators();
});

afterAll(() => {
  if (emulators?.pid !== undefined) kill(groupOf(emulators.pid));
  rmSync(folder, { recursive: true, force: true });
});

test("submit → a published rank → the rank in one read; and what was theirs still works", async () => {
  const ann = await signUp();
  run("npx", ["--no-install", "firerank", "grant-admin", "--uid", ann.uid, "--project", projectId]);
  const admin = await ann.signInAgain();
  const definition = { order: "descending", aggregation: "best" };
  await call("saveLeaderboard", { leaderboard: "arena", definition }, admin);
  await call("submitScore", { leaderboard: "arena", score: 850 }, admin);
  const other = await (await signUp()).signInAgain();
  await call("submitScore", { leaderboard: "arena", score: 900 }, other);

  await expect
    .poll(async () => (await call("getRank", { leaderboard: "arena" }, admin))["rank"], {
      timeout: patienceMs(),
      interval: 500,
    })
    .toBe(2);

  // The rules let a player read the one page that holds the rank, and no client write it.
  const season = `${documents()}/leaderboards/arena/seasons/all_time`;
  const page = await fetch(`${season}/scores_ranking/0`, { headers: { Authorization: `Bearer ${other}` } });
  expect(page.status).toBe(200);
  expect(JSON.stringify(await page.json())).toContain('"850"');
  const forged = await fetch(`${season}/players/forger`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${other}`, "Content-Type": "application/json" },
    body: '{"fields": {"score": {"integerValue": "999"}}}',
  });
  expect(forged.status).toBe(403);

  const hello = await fetch(functionUrl("hello"));
  expect(await hello.text()).toBe("hi");
  expect((await fetch(`${documents()}/photos`)).status).toBe(200);
  const photo = await fetch(`${documents()}/photos?documentId=a`, { method: "POST", body: "{}" });
  expect(photo.status).toBe(403);
});

test("the files keep what was theirs, and a second init changes nothing", () => {
  expect(readFileSync(join(project, "firestore.rules"), "utf8").startsWith(rules.slice(0, -2))).toBe(true);
  const before = contents();
  expect(before["firestore.indexes.json"]).toContain("photos");
  expect(before["firebase.json"]).toContain("// Mine");
  expect(run("npx", ["--no-install", "firerank", "init", "--yes"])).toContain("Nothing to do");
  expect(contents()).toEqual(before);
});

test("the commands that init prints at its end go from a score to its rank, as it says", async () => {
  const code = Array.from(said.slice(said.indexOf("See it work:")).matchAll(/(?:^ {2}.*\n?)+/gm), ([block]) =>
    block.replaceAll("demo-game", projectId).replaceAll("arena", "postinstall"),
  );
  const [start = "", admin = "", define = "", submit = "", ask = "", answer = ""] = code;
  expect(start.trim()).toBe(`npx firebase emulators:start --project ${projectId}`);
  const sh = (...blocks: string[]) => run("bash", ["-euo", "pipefail", "-c", blocks.join("")]);
  const token = /Bearer (\S+)/.exec(sh(admin, define, submit, 'echo "Bearer $TOKEN"\n'))?.[1] ?? "";
  const addresses = admin.split("\n").slice(0, 2).join("\n");
  await expect
    .poll(() => JSON.parse(sh(`${addresses}\nTOKEN=${token}\n`, ask)) as unknown, {
      timeout: patienceMs(),
      interval: 500,
    })
    .toMatchObject(JSON.parse(answer) as object);
});

/** Packs a copy, as the suite's functions are loaded from functions/lib meanwhile. */
function packPackage(): string {
  const copy = join(folder, "clone");
  const isNeeded = (path: string) => !/[\\/](node_modules|lib)$/.test(path);
  for (const name of ["functions", "cli"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: isNeeded });
  }
  for (const name of ["firestore.rules", "firestore.indexes.json", "LICENSE"])
    cpSync(join(root, name), join(copy, name));
  symlinkSync(join(root, "functions", "node_modules"), join(copy, "functions", "node_modules"), "dir");
  run("npm", ["pack", "--pack-destination", folder], join(copy, "functions"));
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  return join(folder, packed ?? expect.fail("nothing was packed"));
}

function writeProject(): void {
  const { auth, firestore, functions, tasks, hub, logging, eventarc } = ports;
  const own = {
    functions: { source: "functions" },
    firestore: { rules: "firestore.rules", indexes: "firestore.indexes.json" },
    emulators: {
      auth: { port: auth },
      firestore: { port: firestore },
      functions: { port: functions },
      tasks: { port: tasks },
      hub: { port: hub },
      logging: { port: logging },
      eventarc: { port: eventarc },
      ui: { enabled: false },
    },
  };
  const versions = { "firebase-functions": "^7.4.0", "firebase-admin": "^14.2.0" };
  const files = {
    "firebase.json": JSON.stringify(own, null, 2).replace("{", "{\n  // Mine."),
    "firestore.rules": rules,
    "firestore.indexes.json": JSON.stringify({ indexes: [photos], fieldOverrides: [] }, null, 2),
    "package.json": '{"private": true}',
    "functions/package.json": JSON.stringify({ engines: { node: "24" }, dependencies: versions }),
    "functions/index.js":
      'const { onRequest } = require("firebase-functions/https");\nexports.hello = onRequest((request, response) => { response.send("hi"); });\n',
  };
  mkdirSync(join(project, "functions"), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
}

async function startEmulators(): Promise<void> {
  const emulator = await findEmulator();
  const firebase = join(root, "node_modules", "firebase-tools", "lib", "bin", "firebase.js");
  const start = [process.execPath, firebase, "emulators:start", "--project", projectId] as const;
  const [program, ...args] = [...emulator.wrapper, ...start] as const;
  const output = openSync(log, "w");
  emulators = spawn(program, args, {
    cwd: project,
    env: {
      ...ownEnvironment(),
      ...emulator.env,
      FUNCTIONS_DISCOVERY_TIMEOUT: "120",
      NO_UPDATE_NOTIFIER: "1",
    },
    detached: true,
    stdio: ["ignore", output, output],
  });
  const deadline = Date.now() + 4 * patienceMs();
  while (!readFileSync(log, "utf8").includes("All emulators ready")) {
    if (Date.now() > deadline || emulators.exitCode !== null)
      expect.fail(`The emulators did not start:\n${readFileSync(log, "utf8").slice(-3_000)}`);
    await pause(200);
  }
}

/** The environment of a stranger's terminal: without the variables that name the suite's emulators. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const others =
    /^(FIRESTORE_|FIREBASE_|CLOUD_TASKS_|GCLOUD_|FIRERANK_(?!EMULATOR$)|npm_|INIT_CWD|NODE_OPTIONS|VITEST)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}

function run(command: string, args: string[], cwd = project): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: ownEnvironment(),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) expect.fail(`${command} ${args.join(" ")}:\n${stdout}\n${stderr}`);
  return stdout;
}

const functionUrl = (name: string) =>
  `http://127.0.0.1:${ports["functions"]}/${projectId}/us-central1/${name}`;
const documents = () =>
  `http://127.0.0.1:${ports["firestore"]}/v1/projects/${projectId}/databases/(default)/documents`;

async function call(name: string, data: object, idToken: string): Promise<Record<string, unknown>> {
  const response = await fetch(functionUrl(name), {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ data }),
  });
  const text = await response.text();
  if (!response.ok) expect.fail(`${name}: ${response.status} ${text}`);
  return (JSON.parse(text) as { result: Record<string, unknown> }).result;
}

/** A new user of the Auth emulator, who can sign in again for a token with new claims. */
async function signUp() {
  const address = `${Math.random().toString(36).slice(2)}@example.com`;
  const ask = async (method: string) => {
    const url = `http://127.0.0.1:${ports["auth"]}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=any`;
    const body = JSON.stringify({ email: address, password: "password", returnSecureToken: true });
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    return (await response.json()) as { localId: string; idToken: string };
  };
  const { localId: uid } = await ask("signUp");
  return { uid, signInAgain: async () => (await ask("signInWithPassword")).idToken };
}

function contents(): Record<string, string> {
  const names = [
    "firebase.json",
    "firestore.rules",
    "firestore.indexes.json",
    "package.json",
    "firerank/package.json",
    "firerank/package-lock.json",
    "firerank/index.js",
  ];
  return Object.fromEntries(
    names
      .filter((name) => existsSync(join(project, name)))
      .map((name) => [name, readFileSync(join(project, name), "utf8")]),
  );
}
