/** Adds a codebase, rules, indexes and emulators to a project's firebase.json. Pure. */
import { z } from "zod";
import { firstProblem } from "../../functions/src/model/errors.ts";
import { CliError } from "../cli-error.ts";
import type { Edition } from "./index-file.ts";
import { readJsonFile, rewrite } from "./json-file.ts";

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

/** The database that a project has without a name for it. */
export const defaultDatabase = "(default)";
const name = "firerank";
/** A clone, as in CI, has no node_modules, and a deploy loads the codebase here. */
const predeploy = ['npm --prefix "$RESOURCE_DIR" ci --no-workspaces --no-audit --no-fund'];
export const emulatorPorts = { auth: 9099, firestore: 8080, functions: 5001, tasks: 9499 };
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

/** What firebase.json says of codebases and databases. @throws CliError */
export function configIn(theirs: string | undefined) {
  const config = read(theirs);
  const all = codebasesOf(config);
  const own = all.find(({ codebase, isKit }) => codebase === name && !isKit);
  const remote = listOf(config.functions).filter(({ remoteSource }) => remoteSource !== undefined);
  const firestore = listOf(config.firestore);
  const databases = firestore.filter(({ target }) => target === undefined);
  return {
    own,
    others: all.filter((one) => one !== own),
    /** The names of those that come from another repository, whose functions can't be looked at. */
    remote: remote.map(({ codebase = "default", kit }) => kit ?? codebase),
    /** The ids of the databases that it has rules or indexes of. */
    databases: databases.map(({ database = defaultDatabase }) => database),
    /** The entries of all databases, also of those that targets name. */
    firestore,
    /** Its entry of a database, with its indexes' file and its edition. */
    entryOf: (databaseId: string) => databases.find((one) => isOf(one, databaseId)),
  };
}

export interface MergeOptions {
  /** Firerank's folder, which is added if firebase.json does not name it yet; undefined without one that this command made. */
  source: string | undefined;
  /** What the names of the functions in a new codebase begin with. */
  prefix?: string | undefined;
  /** Firerank's database. It gets an entry, and so files, of its own where firebase.json names only others. */
  databaseId?: string | undefined;
  /** Its edition; Standard is what firebase-tools takes where nothing is said. */
  edition?: Edition | undefined;
  /** Ports that something on this computer listens to. */
  takenPorts?: ReadonlySet<number> | undefined;
}

/**
 * Merges the configuration; without a file there is none yet.
 * @returns also the paths of the rules and the indexes, the number of databases, and the emulators whose usual port is taken
 * @throws CliError where that cannot be done, with what to do by hand
 */
export function mergeFirebaseJson(
  theirs = "{}\n",
  { source, prefix, databaseId = defaultDatabase, edition = "standard", takenPorts }: MergeOptions,
) {
  const own = read(theirs);
  const functions = source === undefined ? own.functions : withCodebase(own, source, prefix);
  const { firestore, ...files } = withDatabase(own, databaseId, edition);
  const added = freePorts(own.emulators, takenPorts);
  const emulators: NonNullable<Config["emulators"]> = { ...own.emulators, ...added };
  const moved = Object.entries(added).flatMap(([name, { port }]) =>
    port === usualPorts[name] ? [] : [{ name, port }],
  );
  // It has one edition for all databases.
  if (edition === "enterprise")
    emulators.firestore = { ...emulators.firestore, edition: emulators.firestore?.edition ?? edition };
  const merged = { functions, firestore, emulators };
  // Edited in this order, whatever that of the file.
  return { ...files, moved, text: rewrite(theirs, own, { ...merged, ...own, ...merged }) };
}

/** The file without Firerank's codebase. @throws CliError */
export function withoutCodebase(theirs: string): string {
  const own = read(theirs);
  const rest = listOf(own.functions).filter((one) => !isOwnEntry(one));
  if (rest.length === listOf(own.functions).length) return theirs;
  return rewrite(theirs, own, { ...own, functions: rest.length === 0 ? undefined : rest });
}

/** With the codebase, which installs itself before a deploy; its entry is added where there is none. */
function withCodebase({ functions }: Config, source: string, prefix: string | undefined) {
  const all = listOf(functions);
  if (all.some(isOwnEntry)) {
    const changed = all.map((one) =>
      isOwnEntry(one) ? { ...one, predeploy: one.predeploy ?? predeploy } : one,
    );
    return Array.isArray(functions) ? changed : changed[0];
  }
  if (codebasesOf({ functions }).some((one) => one.codebase === name)) {
    throw new CliError(
      `firebase.json has an instance of a function kit that is called ${name}, and firebase-tools takes no codebase ` +
        `of the same name. Firerank's is called so: give the instance another name, or install Firerank as a kit.`,
    );
  }
  const entry = {
    source,
    codebase: name,
    ...(prefix === undefined ? {} : { prefix }),
    runtime: "nodejs24",
    predeploy,
    ignore: ["node_modules", ".git", "*.log", "*.local"],
  };
  return [...all, entry];
}

const isOwnEntry = (one: z.infer<typeof codebase>) =>
  one.codebase === name && one.kit === undefined && one.remoteSource === undefined;

/** The emulators that are missing, each with its usual port, or the next one that neither another emulator has nor the computer. */
function freePorts(
  theirs: Record<string, unknown> = {},
  onComputer: ReadonlySet<number> = new Set(),
): Record<string, { port: number }> {
  const named = Object.entries(theirs).flatMap(([name, one]) => {
    const { data } = emulator.safeParse(one);
    return data === undefined ? [] : [data.port ?? usualPorts[name], data.websocketPort];
  });
  const taken = new Set<number | undefined>([...named, ...onComputer]);
  const missing = Object.entries(emulatorPorts).filter(([name]) => theirs[name] === undefined);
  const given = missing.map(([name, usual]): [string, { port: number }] => {
    let port = usual;
    while (taken.has(port)) port++;
    taken.add(port);
    return [name, { port }];
  });
  return Object.fromEntries(given);
}

export type DatabaseEntry = z.infer<typeof database>;

function isOf({ database = defaultDatabase, target }: DatabaseEntry, databaseId: string): boolean {
  return target === undefined && database === databaseId;
}

/** With rules, indexes and edition of a database; its entry is added where there is none. */
function withDatabase({ firestore }: Config, databaseId: string, edition: Edition) {
  const all = listOf(firestore);
  const at = all.findIndex((one) => isOf(one, databaseId));
  const targets = all.flatMap(({ target }) => target ?? []);
  if (at === -1 && targets.length > 0) {
    throw new CliError(
      `firebase.json names databases by the targets ${targets.join(", ")}, and ${databaseId} may be one of them. Give ` +
        `Firerank's an entry { "database": "${databaseId}", "rules": "<file>", "indexes": "<file>" }, and run the ` +
        "command again.",
    );
  }
  const isOnly = all.length === 0;
  const id = databaseId === defaultDatabase ? ".default" : `.${databaseId}`;
  const inNew = at === -1 && !isOnly ? id : "";
  const fresh: DatabaseEntry =
    firestore === undefined && databaseId === defaultDatabase ? {} : { database: databaseId };
  const found = all[at] ?? fresh;
  const { rules = `firestore${inNew}.rules`, indexes = `firestore${inNew}.indexes.json` } = found;
  const entry = {
    ...found,
    rules,
    indexes,
    ...(edition === "enterprise" && { edition: found.edition ?? edition }),
  };
  // In a list, firebase-tools takes no entry without a name.
  const named = all.map((one) => ({ ...one, database: one.database ?? defaultDatabase }));
  const merged = at === -1 ? [...named, entry] : all.with(at, entry);
  // One object, where it can be: the emulators apply no rules where there is a list of several.
  const isList = merged.length > 1 || (at !== -1 && Array.isArray(firestore));
  return { firestore: isList ? merged : merged[0], rules, indexes, databases: merged.length };
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

function read(text = "{}"): Config {
  const { data, error } = config.safeParse(readJsonFile("firebase.json", text));
  if (data !== undefined) return data;
  throw new CliError(`firebase.json: ${firstProblem(error)}`);
}
