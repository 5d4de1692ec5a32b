/** Adds a codebase, rules, indexes and emulators to a project's firebase.json. Pure. */
import { z } from "zod";
import { CliError } from "../cli-error.ts";
import { readJsonFile, setIn } from "./json-file.ts";

const codebase = z.looseObject({
  source: z.string().optional(),
  codebase: z.string().optional(),
  prefix: z.string().optional(),
  kit: z.string().optional(),
});
const database = z.looseObject({
  database: z.string().optional(),
  rules: z.string().optional(),
  indexes: z.string().optional(),
});
const config = z.looseObject({
  functions: z.union([codebase, z.array(codebase)]).optional(),
  firestore: z.union([database, z.array(database)]).optional(),
  emulators: z.looseObject({}).optional(),
});

/** A codebase of a project: its folder, and what firebase-tools puts before its functions' names. */
export interface Codebase {
  source: string;
  codebase: string;
  prefix: string | undefined;
}

export interface MergedConfig {
  text: string;
  /** The paths of the rules and the indexes. */
  rules: string;
  indexes: string;
  /** Firerank's own folder; undefined without one. */
  source: string | undefined;
}

const name = "firerank";
const emulatorPorts = { auth: 9099, firestore: 8080, functions: 5001, tasks: 9499 };

/** The codebases that firebase.json names, Firerank's apart. @throws CliError */
export function codebasesIn(theirs: string | undefined): { own: Codebase | undefined; others: Codebase[] } {
  const all = theirs === undefined ? [] : codebasesOf(read(theirs));
  const own = all.find((one) => one.codebase === name);
  return { own, others: all.filter((one) => one !== own) };
}

/**
 * Merges the configuration.
 * @param theirs the file; undefined where there is none yet.
 * @param source the folder of a codebase that firebase.json does not name yet; undefined to add none.
 * @param prefix what the names of the functions in a new codebase begin with.
 * @throws CliError where that cannot be done, with what to do by hand
 */
export function mergeFirebaseJson(
  theirs: string | undefined,
  {
    source,
    prefix,
    databaseId = "(default)",
  }: { source: string | undefined; prefix?: string | undefined; databaseId?: string | undefined },
): MergedConfig {
  let text = theirs ?? "{}\n";
  const own = read(text);
  const codebases = codebasesOf(own);
  const known = codebases.find((one) => one.codebase === name);
  const entry = {
    source,
    codebase: name,
    ...(prefix === undefined ? {} : { prefix }),
    runtime: "nodejs24",
    ignore: ["node_modules", ".git", "*.log", "*.local"],
  };
  if (known === undefined && source !== undefined) {
    if (own.functions === undefined) text = setIn(text, ["functions"], [entry]);
    else if (Array.isArray(own.functions)) text = setIn(text, ["functions", own.functions.length], entry);
    else text = setIn(text, ["functions"], [own.functions, entry]);
  }

  const { path, found } = databaseOf(own, databaseId);
  const rules = found?.rules ?? "firestore.rules";
  const indexes = found?.indexes ?? "firestore.indexes.json";
  if (found?.rules === undefined) text = setIn(text, [...path, "rules"], rules);
  if (found?.indexes === undefined) text = setIn(text, [...path, "indexes"], indexes);

  for (const [emulator, port] of Object.entries(emulatorPorts)) {
    if (own.emulators?.[emulator] === undefined) text = setIn(text, ["emulators", emulator], { port });
  }
  return { text, rules, indexes, source: known?.source ?? source };
}

function databaseOf({ firestore }: z.infer<typeof config>, databaseId: string) {
  if (!Array.isArray(firestore)) return { path: ["firestore"], found: firestore };
  const at = firestore.findIndex((one) => (one.database ?? "(default)") === databaseId);
  if (at !== -1) return { path: ["firestore", at], found: firestore[at] };
  const names = firestore.map((one) => one.database ?? "(default)").join(", ");
  throw new CliError(
    `firebase.json has the databases ${names}, and Firerank's is ${databaseId}. Add ` +
      `{ "database": "${databaseId}", "rules": "<file>", "indexes": "<file>" } to "firestore", and run the command again.`,
  );
}

function codebasesOf({ functions }: z.infer<typeof config>): Codebase[] {
  const all = functions === undefined ? [] : Array.isArray(functions) ? functions : [functions];
  return all.map(({ source = "functions", codebase = "default", prefix, kit }) => ({
    source,
    codebase: kit === undefined ? codebase : `kit ${kit}`,
    prefix,
  }));
}

function read(text: string): z.infer<typeof config> {
  const { data, error } = config.safeParse(readJsonFile("firebase.json", text));
  if (data !== undefined) return data;
  const [first] = error.issues;
  throw new CliError(`firebase.json: ${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`);
}
