/** The ways to put Firerank into a project: what a stranger writes, and what they type. */
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../project.ts";
import { makeProject, type OwnProject, packageJson, sdks } from "./own-project.ts";
import { run } from "./run.ts";

export interface Way {
  /** How Firerank is in the project. */
  how: string;
  /** What the names of its functions begin with. */
  prefix?: string;
  /** The only database of the project, where that is a named one. */
  database?: string;
  /** Files that they write; `{hello}` stands for a function of theirs, `{tarball}` for the name of the package's file. */
  files?: Record<string, string>;
  /** The folder that they put the package's file into. */
  takes: string;
  /** What they type, the first of it to install the command line. */
  commands: readonly Command[];
}

type Command = (project: OwnProject, tarball: string) => Promise<string>;

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

const withTarball = { ...sdks, firerank: "file:{tarball}" };

export const ways: readonly Way[] = [
  { how: "as a codebase", takes: ".", commands: [installTool, init] },
  {
    how: "in their codebase, in a named database",
    database: "ranks-db",
    takes: "functions",
    files: { "functions/index.js": '{hello}export * from "firerank";\n' },
    commands: [installTool, install("functions"), init],
  },
  {
    how: "as a function kit",
    prefix: "kit-main",
    takes: "ranks",
    files: {
      "ranks/package.json": packageJson(withTarball),
      "ranks/index.js": 'export * from "firerank";\n',
    },
    commands: [installTool, installKit, init],
  },
];

/** Makes the project that a way begins with. @param tarball the path of the package's file */
export async function projectFor(way: Way, id: string, folder: string, tarball: string): Promise<OwnProject> {
  const name = basename(tarball);
  const files = Object.entries(way.files ?? {}).map(
    ([path, text]) => [path, text.replace("{tarball}", name)] as const,
  );
  const project = await makeProject(id, folder, way.database, Object.fromEntries(files));
  for (const place of new Set([".", way.takes])) {
    const to = join(folder, place, name);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(tarball, to);
  }
  return project;
}
