/**
 * Other ways to install Firerank, which the tests' emulators try beside the suite's own: each has a prefix, so that its
 * functions are others, and a database of its own, so that its triggers are.
 */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { region, root, workFolder } from "./project.ts";

export interface Install {
  /** How it is installed. */
  how: string;
  /** What all its functions' names begin with. */
  prefix: string;
  database: string;
}

const codebase = { how: "as a codebase with a prefix", prefix: "ranks", database: "ranks-db" };
const instance = "main";
const kit = { how: "as a function kit", prefix: `kit-${instance}`, database: "kit-db" };

export const installs: readonly Install[] = [codebase, kit];

/** Their entries under `functions` in a firebase.json. Writes the files with their parameters. */
export function installEntries(): object[] {
  const common = { source: "functions", runtime: "nodejs24" };
  return [
    { ...common, codebase: codebase.prefix, prefix: codebase.prefix, configDir: parametersOf(codebase) },
    // `firebase functions:kits:install` writes such an entry, with the source in a folder of its own.
    { ...common, kit: "firerank", instances: { [instance]: parametersOf(kit) } },
  ];
}

/** The folder with an install's parameters, relative to the repository. */
function parametersOf({ prefix, database }: Install): string {
  const folder = workFolder("installs", prefix);
  const parameters = {
    REGION: region,
    DATABASE: database,
    ENFORCE_APP_CHECK: false,
    MEMORY_MIB: 512,
    MAX_INSTANCES: 20,
  };
  const lines = Object.entries(parameters).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, ".env"), lines.join(""));
  return relative(root, folder);
}
