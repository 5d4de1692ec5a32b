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
  commands: readonly Command[];
}

export interface Command {
  /** As it is typed, in the project's folder. */
  typed: string;
  /** The program and its arguments, and the folder. */
  does: (project: OwnProject, tarball: string) => Promise<string>;
}

const quiet = ["--prefer-offline", "--no-audit", "--no-fund"] as const;

function install(folder = "."): Command {
  return {
    typed: `npm install${folder === "." ? " --save-dev" : ` --prefix ${folder}`} ./firerank-<version>.tgz`,
    does: (project, tarball) =>
      run(
        join(project.folder, folder),
        "npm",
        "install",
        ...quiet,
        ...(folder === "." ? ["--save-dev"] : []),
        `./${basename(tarball)}`,
      ),
  };
}

function init(...options: readonly string[]): Command {
  return {
    typed: ["npx --no-install firerank init", ...options].join(" "),
    does: ({ folder }) => run(folder, "npx", "--no-install", "firerank", "init", "--yes", ...options),
  };
}

/** The command asks for a login, which a test does not have; what it then does is a function of firebase-tools. */
const installKit: Command = {
  typed: "npx firebase functions:kits:install --directory ranks",
  does: ({ id, folder }) => {
    const tools = (name: string) => JSON.stringify(join(root, "node_modules", "firebase-tools", "lib", name));
    const script = `
      const { Config } = require(${tools("config.js")});
      const { installKitOrInstance } = require(${tools("functions/kits/install.js")});
      const config = Config.load({ cwd: process.cwd() });
      installKitOrInstance({ config, directory: "ranks", kitId: "ranks", instanceId: "main", nonInteractive: true,
        configure: false, project: ${JSON.stringify(id)}, projectId: ${JSON.stringify(id)} })
        .catch((error) => { console.error(error); process.exitCode = 1; });`;
    return run(folder, process.execPath, "-e", script);
  },
};

const withTarball = { ...sdks, firerank: "file:{tarball}" };

export const ways: readonly Way[] = [
  { how: "as a codebase", takes: ".", commands: [install(), init()] },
  {
    how: "in their codebase",
    takes: "functions",
    files: { "functions/index.js": '{hello}export * from "firerank";\n' },
    commands: [install(), install("functions"), init()],
  },
  {
    how: "as a function kit",
    prefix: "kit-main",
    takes: "ranks",
    files: {
      "ranks/package.json": packageJson(withTarball),
      "ranks/index.js": 'export * from "firerank";\n',
    },
    commands: [install(), installKit, init()],
  },
  {
    how: "as a codebase with a prefix, in a named database",
    prefix: "ranks",
    database: "ranks-db",
    takes: ".",
    commands: [install(), init("--prefix", "ranks")],
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
