/** The parameters of Firerank's functions, and by them the database that it is in. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import { defaultDatabase } from "./merge-firebase-json.ts";

/** A file with parameters, `.env` or `.env.<project>`. */
export interface ParameterFile {
  path: string;
  text: string;
}

/** The parameters of one way that Firerank is installed. */
export interface Parameters {
  folder: string;
  files: ParameterFile[];
}

/** @throws CliError for what is no id of a database */
export function checkDatabase(id: string | undefined): void {
  if (id === undefined || id === defaultDatabase || /^[a-z][a-z0-9-]{2,61}[a-z0-9]$/.test(id)) return;
  throw new CliError(
    `--database ${id}: it takes (default), or an id of 4 to 63 lowercase letters, digits and hyphens, beginning with a ` +
      "letter and not ending with a hyphen.",
    { exitCode: 2 },
  );
}

/** The files with parameters in a folder, which may not be there yet; without `.env.local`, which is for the emulators alone. */
export function parameterFiles(project: string, folder: string): ParameterFile[] {
  if (!existsSync(join(project, folder))) return [];
  return readdirSync(join(project, folder))
    .filter((name) => /^\.env(?:\.(?!local$)[^.]+)?$/.test(name))
    .map((name) => {
      const path = `${folder}/${name}`;
      return { path, text: readFileSync(join(project, path), "utf8") };
    });
}

/**
 * The database that Firerank is, or shall be, in.
 * @param asked by the command
 * @param configured the databases that firebase.json has rules or indexes of
 * @throws CliError where the parameters say another one than was asked for, or nothing says which
 */
export function databaseFor(
  asked: string | undefined,
  parameters: readonly Parameters[],
  configured: readonly string[],
): string {
  const set = valuesOf(parameters, "DATABASE");
  const other = set.find(({ value }) => value !== asked);
  if (asked !== undefined) {
    if (other === undefined || set.some(({ value }) => value === asked)) return asked;
    throw new CliError(
      `${other.path} says DATABASE=${other.value}, and --database ${asked} was asked for. Players and scores stay in ` +
        "the database that they are in; change the file by hand, if you mean it.",
    );
  }
  const names = new Set(set.length > 0 ? set.map(({ value }) => value) : configured);
  const [first = defaultDatabase] = names;
  if (names.size <= 1) return first;
  if (set.length === 0 && names.has(defaultDatabase)) return defaultDatabase;
  const where = set.length > 0 ? set.map(({ path }) => path).join(" and ") : "firebase.json";
  throw new CliError(
    `${where} ${set.length > 1 ? "name" : "names"} the databases ${[...names].join(", ")}. Say which one is meant: ` +
      `firerank init --database ${first}`,
  );
}

/** The files `.env` that get those of the wanted parameters that no file sets yet, with their text then. */
export function withParameters(
  parameters: readonly Parameters[],
  wanted: Readonly<Record<string, string>>,
): { path: string; text: string }[] {
  const missing = Object.entries(wanted).filter(([name]) => valuesOf(parameters, name).length === 0);
  if (missing.length === 0) return [];
  const lines = missing.map(([name, value]) => `${name}=${value}\n`).join("");
  return parameters.map(({ folder, files }) => {
    const path = `${folder}/.env`;
    const before = files.find((file) => file.path === path)?.text ?? "";
    const end = before === "" || before.endsWith("\n") ? "" : "\n";
    return { path, text: `${before}${end}${lines}` };
  });
}

/** What the files say of a parameter, those that do. */
export function valuesOf(parameters: readonly Parameters[], name: string): { path: string; value: string }[] {
  return parameters
    .flatMap(({ files }) => files)
    .flatMap(({ path, text }) => {
      const value = valueIn(text, name);
      return value === undefined ? [] : [{ path, value }];
    });
}

function valueIn(text: string, name: string): string | undefined {
  const line = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*(["']?)([^"'\\s#]*)\\1`, "m");
  const value = line.exec(text)?.[2];
  return value === "" ? undefined : value;
}
