/** A stranger's project, with a function, a rule and an index of its own, and emulators on ports of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findEmulator } from "../emulator-probe.ts";
import { freePorts } from "../free-ports.ts";
import { groupOf, kill } from "../processes.ts";
import { root, workFolder } from "../project.ts";
import { ownEnvironment } from "./run.ts";

const emulatorNames = ["auth", "firestore", "functions", "tasks", "hub", "logging", "eventarc"] as const;
export type Ports = Record<(typeof emulatorNames)[number], number>;

export interface OwnProject {
  id: string;
  folder: string;
  ports: Ports;
  /** Its only database. */
  database: string;
}

export const ownRules = `rules_version = '2';
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

/** What the functions of any codebase need beside Firerank. */
export const sdks = { "firebase-functions": "^7.4.0", "firebase-admin": "^14.2.0" };

/** A codebase's package.json. */
export const packageJson = (dependencies: Record<string, string>) =>
  JSON.stringify({ private: true, type: "module", main: "index.js", engines: { node: "24" }, dependencies });

const hello =
  'import { onRequest } from "firebase-functions/https";\nexport const hello = onRequest((_, response) => { response.send("hi"); });\n';

/** Writes the project. @param files more of them, or others in place of the usual ones */
export async function makeProject(
  id: string,
  folder: string,
  database = "(default)",
  files: Record<string, string> = {},
): Promise<OwnProject> {
  const ports = await freePorts(emulatorNames);
  const emulators = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, { port }]));
  const own = {
    functions: { source: "functions" },
    firestore: {
      ...(database === "(default)" ? {} : { database }),
      rules: "firestore.rules",
      indexes: "firestore.indexes.json",
    },
    emulators: { ...emulators, ui: { enabled: false } },
  };
  const all = {
    "firebase.json": JSON.stringify(own, null, 2).replace("{", "{\n  // Mine."),
    "firestore.rules": ownRules,
    "firestore.indexes.json": JSON.stringify({ indexes: [photos], fieldOverrides: [] }, null, 2),
    "package.json": '{"private": true}',
    "functions/package.json": packageJson(sdks),
    "functions/index.js": hello,
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, text.replace("{hello}", hello)]),
    ),
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { id, folder, ports, database };
}

/**
 * `firebase emulators:start`, with the firebase-tools of this repository, and nothing beside it.
 * @param waitsMsMax how long it may take
 * @returns what stops them
 */
export async function startEmulators(project: OwnProject, waitsMsMax: number): Promise<() => void> {
  const emulator = await findEmulator();
  const firebase = join(root, "node_modules", "firebase-tools", "lib", "bin", "firebase.js");
  const start = [process.execPath, firebase, "emulators:start", "--project", project.id] as const;
  const [program, ...args] = [...emulator.wrapper, ...start] as const;
  const log = join(dirname(project.folder), `${project.id}.log`);
  const output = openSync(log, "w");
  const emulators: ChildProcess = spawn(program, args, {
    cwd: project.folder,
    env: {
      ...ownEnvironment(),
      ...emulator.env,
      FUNCTIONS_DISCOVERY_TIMEOUT: "120",
      NO_UPDATE_NOTIFIER: "1",
      NODE_COMPILE_CACHE: workFolder("compiled"),
    },
    detached: true,
    stdio: ["ignore", output, output],
  });
  const stop = () => {
    process.off("exit", stop);
    if (emulators.pid !== undefined) kill(groupOf(emulators.pid));
  };
  process.once("exit", stop);
  const deadline = Date.now() + waitsMsMax;
  while (!readFileSync(log, "utf8").includes("All emulators ready")) {
    if (Date.now() > deadline || emulators.exitCode !== null) {
      stop();
      throw new Error(`The emulators did not start:\n${readFileSync(log, "utf8").slice(-3_000)}`);
    }
    await pause(200);
  }
  return stop;
}
