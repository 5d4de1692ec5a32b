/** A stranger's project, with a function, a rule and an index of its own, and emulators on ports of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findEmulator } from "../emulator.ts";
import { freePorts } from "../free-ports.ts";
import { becomesReady, launch } from "../launch.ts";
import { groupOf, kill } from "../processes.ts";
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
  const log = join(dirname(project.folder), `${project.id}.log`);
  const env = { ...ownEnvironment(), FUNCTIONS_DISCOVERY_TIMEOUT: "120" };
  const launched = launch(await findEmulator(), ["--project", project.id], { cwd: project.folder, env, log });
  const stop = () => {
    process.off("exit", stop);
    if (launched.pid !== undefined) kill(groupOf(launched.pid));
  };
  process.once("exit", stop);
  try {
    await becomesReady(launched, log, { msMax: waitsMsMax });
    return stop;
  } catch (error) {
    stop();
    throw error;
  }
}
