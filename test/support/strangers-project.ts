/**
 * A stranger's project, with a function, a rule and an index of its own, and emulators on ports of its own; and the ways
 * to put Firerank into it: what they write, and what they type.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findEmulator } from "../../scripts/emulator.ts";
import { freePorts } from "../../scripts/free-ports.ts";
import { becomesReady, launch } from "../../scripts/launch.ts";
import { groupOf, kill, ownEnvironment, run } from "../../scripts/processes.ts";
import { root } from "../../scripts/project.ts";

const emulatorNames = ["auth", "firestore", "functions", "tasks", "hub", "logging", "eventarc"] as const;

export type OwnProject = Awaited<ReturnType<typeof projectFor>>;

export interface Way {
  /** How Firerank is in the project. */
  how: string;
  /** What the names of its functions begin with. */
  prefix?: string;
  /** The only database of the project. */
  database?: string;
  /** Files that they write. @param tarball the name of the package's file */
  files?: (tarball: string) => Record<string, string>;
  /** The folder that they put the package's file into. */
  takes: string;
  /** What they type, the first of it to install the command line. */
  commands: readonly Command[];
}

type Command = (project: OwnProject, tarball: string) => Promise<string>;

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
const hello =
  'import { onRequest } from "firebase-functions/https";\nexport const hello = onRequest((_, response) => { response.send("hi"); });\n';
const exported = 'export * from "firerank";\n';

/** What the functions of any codebase need beside Firerank. */
const sdks = { "firebase-functions": "^7.4.0", "firebase-admin": "^14.2.0" };

/** A codebase's package.json. */
const packageJson = (dependencies: Record<string, string>) =>
  JSON.stringify({ private: true, type: "module", main: "index.js", engines: { node: "24" }, dependencies });

const install =
  (place: string, ...options: readonly string[]): Command =>
  ({ folder }, tarball) => {
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund"];
    return run(join(folder, place), "npm", "install", ...quiet, ...options, `./${basename(tarball)}`);
  };
const installTool = install(".", "--save-dev");

const init: Command = ({ folder }) => run(folder, "npx", "--no-install", "firerank", "init", "--yes");

/** The command asks for a login, which a test does not have; what it then does is a function of firebase-tools. */
const installKit: Command = ({ id, folder }) => {
  const tools = (name: string) => JSON.stringify(join(root, "node_modules", "firebase-tools", "lib", name));
  const script = `
    const { Config } = require(${tools("config.js")});
    const { installKitOrInstance } = require(${tools("functions/kits/install.js")});
    const config = Config.load({ cwd: process.cwd() });
    installKitOrInstance({ config, directory: "ranks", kitId: "ranks", instanceId: "main", nonInteractive: true,
      configure: false, project: ${JSON.stringify(id)}, projectId: ${JSON.stringify(id)} })
      .catch((error) => { console.error(error); process.exitCode = 1; });`;
  return run(folder, process.execPath, "-e", script);
};

export const ways: readonly Way[] = [
  { how: "as a codebase", takes: ".", commands: [installTool, init] },
  {
    how: "in their codebase, in a named database",
    database: "ranks-db",
    takes: "functions",
    files: () => ({ "functions/index.js": hello + exported }),
    commands: [installTool, install("functions"), init],
  },
  {
    how: "as a function kit",
    prefix: "kit-main",
    takes: "ranks",
    files: (tarball) => ({
      "ranks/package.json": packageJson({ ...sdks, firerank: `file:${tarball}` }),
      "ranks/index.js": exported,
    }),
    commands: [installTool, installKit, init],
  },
];

/** Makes the project that a way begins with. @param tarball the path of the package's file */
export async function projectFor(
  { database = "(default)", files, takes }: Way,
  id: string,
  folder: string,
  tarball: string,
) {
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
    ...files?.(basename(tarball)),
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const place of new Set([".", takes])) copyFileSync(tarball, join(folder, place, basename(tarball)));
  return { id, folder, ports, database };
}

/**
 * `firebase emulators:start`, with the firebase-tools of this repository, and nothing beside it.
 * @param waitsMsMax how long it may take
 * @returns what stops them
 */
export async function startEmulators({ id, folder }: OwnProject, waitsMsMax: number): Promise<() => void> {
  const log = join(dirname(folder), `${id}.log`);
  const env = { ...ownEnvironment(), FUNCTIONS_DISCOVERY_TIMEOUT: "120" };
  const launched = launch(await findEmulator(), ["--project", id], { cwd: folder, env, log });
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

/**
 * The commands that `firerank init` prints at its end, from a score to its rank, on the emulators of a project.
 * @param said what init printed. @param board the id in place of its example's.
 * @returns what starts the emulators; what plays, which gives the token that then asks for the rank, once; and its answer.
 */
export function printedCommands(
  said: string,
  { id, folder }: Pick<OwnProject, "id" | "folder">,
  board: string,
) {
  const text = said.slice(said.indexOf("See it work:"));
  const code = Array.from(text.matchAll(/(?:^ {2}.*\n?)+/gm), ([block]) =>
    block.replaceAll("demo-game", id).replaceAll("arena", board),
  );
  const [start = "", admin = "", define = "", submit = "", ask = "", answer = ""] = code;
  const sh = (...blocks: string[]) => run(folder, "bash", "-euo", "pipefail", "-c", blocks.join(""));
  const addresses = admin.split("\n").slice(0, 2).join("\n");
  return {
    start: start.trim(),
    answer: JSON.parse(answer) as object,
    play: async () =>
      /Bearer (\S+)/.exec(await sh(admin, define, submit, 'echo "Bearer $TOKEN"\n'))?.[1] ?? "",
    ask: async (token: string) => JSON.parse(await sh(`${addresses}\nTOKEN=${token}\n`, ask)) as unknown,
  };
}
