/** Adds a codebase, rules, indexes and emulators to a project's firebase.json. Pure. */
import { z } from "zod";
import { firstProblem } from "../../functions/src/model/errors.ts";
import { CliError } from "../cli-error.ts";
import type { Edition } from "./edition.ts";
import { readJsonFile, setIn, wrapInArray } from "./json-file.ts";

const codebase = z.looseObject({
  source: z.string().optional(),
  codebase: z.string().optional(),
  prefix: z.string().optional(),
  configDir: z.string().optional(),
  runtime: z.string().optional(),
  predeploy: z.unknown().optional(),
  remoteSource: z.looseObject({}).optional(),
  kit: z.string().optional(),
  /** Of a kit: the folders with the parameters of its instances. */
  instances: z.record(z.string(), z.string()).optional(),
});
const database = z.looseObject({
  database: z.string().optional(),
  /** A name in .firebaserc for one or more databases. */
  target: z.string().optional(),
  rules: z.string().optional(),
  indexes: z.string().optional(),
  edition: z.string().optional(),
});
const config = z.looseObject({
  functions: z.union([codebase, z.array(codebase)]).optional(),
  firestore: z.union([database, z.array(database)]).optional(),
  emulators: z
    .looseObject({ firestore: z.looseObject({ edition: z.string().optional() }).optional() })
    .optional(),
});

type Config = z.infer<typeof config>;

/** A codebase of a project, or an instance of a function kit. */
export interface Codebase {
  source: string;
  /** The name of the codebase or of the instance: firebase-tools takes each only once. */
  codebase: string;
  /** What firebase-tools puts before its functions' names. */
  prefix: string | undefined;
  /** The folder with its parameters. */
  parameters: string;
  /** The Node that it runs on, where firebase.json says it. */
  runtime: string | undefined;
  isKit: boolean;
}

export interface MergedConfig {
  text: string;
  /** The paths of the rules and the indexes. */
  rules: string;
  indexes: string;
  /** How many databases it names. */
  databases: number;
}

/** The database that a project has without a name for it. */
export const defaultDatabase = "(default)";
const name = "firerank";
/** A clone, as in CI, has no node_modules, and a deploy loads the codebase here. */
const predeploy = ['npm --prefix "$RESOURCE_DIR" ci --no-workspaces --no-audit --no-fund'];
const emulatorPorts = { auth: 9099, firestore: 8080, functions: 5001, tasks: 9499 };
/** Those that firebase-tools gives to emulators without one. */
const usualPorts: Record<string, number> = {
  ...emulatorPorts,
  ui: 4000,
  hub: 4400,
  logging: 4500,
  hosting: 5000,
  extensions: 5001,
  apphosting: 5002,
  pubsub: 8085,
  database: 9000,
  storage: 9199,
  eventarc: 9299,
  dataconnect: 9399,
};
const emulator = z.looseObject({ port: z.int().optional(), websocketPort: z.int().optional() });

/** The codebases that firebase.json names, Firerank's apart. @throws CliError */
export function codebasesIn(theirs: string | undefined): { own: Codebase | undefined; others: Codebase[] } {
  const all = codebasesOf(read(theirs));
  const own = all.find(isOwn);
  return { own, others: all.filter((one) => one !== own) };
}

/** The names of the codebases and kits that come from another repository, whose functions can't be looked at. @throws CliError */
export function remoteCodebasesIn(theirs: string | undefined): string[] {
  const { functions } = read(theirs);
  return listOf(functions)
    .filter(({ remoteSource }) => remoteSource !== undefined)
    .map(({ codebase = "default", kit }) => kit ?? codebase);
}

/** The ids of the databases that firebase.json has rules or indexes of. @throws CliError */
export function databasesIn(theirs: string | undefined): string[] {
  const { firestore } = read(theirs);
  return listOf(firestore).flatMap(({ database = defaultDatabase, target }) =>
    target === undefined ? [database] : [],
  );
}

/** What firebase.json says of a database: its indexes' file, and its edition; undefined if it has no entry. @throws CliError */
export function databaseIn(
  theirs: string | undefined,
  databaseId: string,
): { indexes: string | undefined; edition: string | undefined } | undefined {
  const { firestore } = read(theirs);
  const found = listOf(firestore).find((one) => isOf(one, databaseId));
  return found === undefined ? undefined : { indexes: found.indexes, edition: found.edition };
}

export interface MergeOptions {
  /** Firerank's folder, which is added if firebase.json does not name it yet; undefined without one that this command made. */
  source: string | undefined;
  /** What the names of the functions in a new codebase begin with. */
  prefix?: string | undefined;
  /** Firerank's database. It gets an entry, and so files, of its own where firebase.json names only others. */
  databaseId?: string | undefined;
  /** Its edition; Standard is what firebase-tools takes where nothing is said. */
  edition?: Edition;
}

/** Merges the configuration; without a file there is none yet. @throws CliError where that cannot be done, with what to do by hand */
export function mergeFirebaseJson(
  theirs: string | undefined,
  { source, prefix, databaseId = defaultDatabase, edition = "standard" }: MergeOptions,
): MergedConfig {
  let text = theirs ?? "{}\n";
  const own = read(text);
  const codebases = codebasesOf(own);
  const known = codebases.find(isOwn);
  const entry = {
    source,
    codebase: name,
    ...(prefix === undefined ? {} : { prefix }),
    runtime: "nodejs24",
    predeploy,
    ignore: ["node_modules", ".git", "*.log", "*.local"],
  };
  if (known === undefined && source !== undefined) {
    if (codebases.some((one) => one.codebase === name)) {
      throw new CliError(
        `firebase.json has an instance of a function kit that is called ${name}, and firebase-tools takes no codebase ` +
          `of the same name. Firerank's is called so: give the instance another name, or install Firerank as a kit.`,
      );
    }
    text = appended(text, "functions", own.functions, entry);
  } else if (known !== undefined && source !== undefined) {
    const at = ownEntry(own);
    const path = Array.isArray(own.functions) ? ["functions", at, "predeploy"] : ["functions", "predeploy"];
    if (listOf(own.functions)[at]?.predeploy === undefined) text = setIn(text, path, predeploy);
  }

  const database = mergeDatabase(text, own, databaseId);
  ({ text } = database);

  for (const [emulator, port] of freePorts(own.emulators))
    text = setIn(text, ["emulators", emulator], { port });
  if (edition === "enterprise") text = withEdition(text, databaseId, edition);
  return { ...database, text };
}

/** The file without Firerank's codebase. @throws CliError */
export function withoutCodebase(theirs: string): string {
  const own = read(theirs);
  const at = ownEntry(own);
  if (at === -1) return theirs;
  return setIn(theirs, listOf(own.functions).length === 1 ? ["functions"] : ["functions", at], undefined);
}

const ownEntry = ({ functions }: Config) =>
  listOf(functions).findIndex(({ codebase, kit }) => codebase === name && kit === undefined);

/** The emulators that are missing, each with its usual port, or the next one that no other emulator has. */
function freePorts(theirs: Record<string, unknown> = {}): [string, number][] {
  const taken = new Set(
    Object.entries(theirs).flatMap(([name, one]) => {
      const { data } = emulator.safeParse(one);
      return data === undefined ? [] : [data.port ?? usualPorts[name], data.websocketPort];
    }),
  );
  return Object.entries(emulatorPorts)
    .filter(([name]) => theirs[name] === undefined)
    .map(([name, usual]) => {
      let port = usual;
      while (taken.has(port)) port++;
      taken.add(port);
      return [name, port];
    });
}

/** With the edition at the database and at the emulator, which has one for all databases, where none is named. */
function withEdition(theirs: string, databaseId: string, edition: Edition): string {
  const { firestore, emulators } = read(theirs);
  const at = listOf(firestore).findIndex((one) => isOf(one, databaseId));
  const path = Array.isArray(firestore) ? ["firestore", at] : ["firestore"];
  let text = theirs;
  if (listOf(firestore)[at]?.edition === undefined) text = setIn(text, [...path, "edition"], edition);
  if (emulators?.firestore?.edition === undefined)
    text = setIn(text, ["emulators", "firestore", "edition"], edition);
  return text;
}

type Entry = z.infer<typeof database>;

function isOf({ database = defaultDatabase, target }: Entry, databaseId: string): boolean {
  return target === undefined && database === databaseId;
}

function mergeDatabase(
  theirs: string,
  { firestore }: Config,
  databaseId: string,
): Pick<MergedConfig, "text" | "rules" | "indexes" | "databases"> {
  const all = listOf(firestore);
  const at = all.findIndex((one) => isOf(one, databaseId));
  const found = all[at];
  const isOnly = all.length === 0;
  const id = isOnly ? "" : databaseId === defaultDatabase ? ".default" : `.${databaseId}`;
  const inNew = found === undefined ? id : "";
  const { rules = `firestore${inNew}.rules`, indexes = `firestore${inNew}.indexes.json` } = found ?? {};
  const targets = all.flatMap(({ target }) => (target === undefined ? [] : [target]));
  if (found === undefined && targets.length > 0) {
    throw new CliError(
      `firebase.json names databases by the targets ${targets.join(", ")}, and ${databaseId} may be one of them. Give ` +
        `Firerank's an entry { "database": "${databaseId}", "rules": "<file>", "indexes": "<file>" }, and run the ` +
        "command again.",
    );
  }
  let text = theirs;
  if (found === undefined && !(isOnly && databaseId === defaultDatabase && !Array.isArray(firestore))) {
    const entry = { database: databaseId, rules, indexes };
    // One object, where it can be: the emulators apply no rules where there is a list of several.
    text = isOnly ? setIn(text, ["firestore"], entry) : appended(text, "firestore", firestore, entry);
    // In a list, firebase-tools takes no entry without a name.
    if (all[0] !== undefined && all[0].database === undefined)
      text = setIn(text, ["firestore", 0, "database"], defaultDatabase);
  } else {
    const path = Array.isArray(firestore) ? ["firestore", at] : ["firestore"];
    if (found?.rules === undefined) text = setIn(text, [...path, "rules"], rules);
    if (found?.indexes === undefined) text = setIn(text, [...path, "indexes"], indexes);
  }
  return { text, rules, indexes, databases: all.length + (found === undefined ? 1 : 0) };
}

/** With one more entry in a list, which may be missing, or one object that stands for itself. */
function appended(text: string, list: string, there: unknown, entry: object): string {
  if (there === undefined) return setIn(text, [list], [entry]);
  if (Array.isArray(there)) return setIn(text, [list, there.length], entry);
  return setIn(wrapInArray(text, [list]), [list, 1], entry);
}

function codebasesOf({ functions }: Config): Codebase[] {
  // What comes from a repository elsewhere cannot be looked at.
  return listOf(functions)
    .filter(({ remoteSource }) => remoteSource === undefined)
    .flatMap(deployedFrom);
}

const listOf = <One>(some: One | One[] | undefined): One[] =>
  some === undefined ? [] : Array.isArray(some) ? some : [some];

/** A codebase; or all instances of a kit, as each is deployed for itself. */
function deployedFrom(entry: z.infer<typeof codebase>): Codebase[] {
  const { source = "functions", kit, runtime, instances = {} } = entry;
  if (kit === undefined) {
    const { codebase = "default", prefix, configDir = source } = entry;
    return [{ source, codebase, prefix, parameters: configDir, runtime, isKit: false }];
  }
  return Object.entries(instances).map(([instance, parameters]) => ({
    source,
    codebase: instance,
    prefix: `kit-${instance}`,
    parameters,
    runtime,
    isKit: true,
  }));
}

const isOwn = ({ codebase, isKit }: Codebase) => codebase === name && !isKit;

function read(text = "{}"): Config {
  const { data, error } = config.safeParse(readJsonFile("firebase.json", text));
  if (data !== undefined) return data;
  throw new CliError(`firebase.json: ${firstProblem(error)}`);
}
