/** The functions' parameters: each gets a value in the codebase's `.env`, so that no deploy and no emulator asks for one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { cost, functionTime, instances } from "../prices.ts";
import { ask } from "../ask.ts";
import { CliError, usageError } from "../cli-error.ts";
import { defaultDatabase } from "./merge-firebase-json.ts";

/** The parameters of one way that Firerank is installed. */
export interface Parameters {
  folder: string;
  /** `.env` and `.env.<project>`. */
  files: { path: string; text: string }[];
}

/** Values by the names of parameters. */
export type Values = Partial<Record<string, string>>;

/** A call takes less than a tenth of a second, the least that is billed. */
const dollarsPerMillion = cost(functionTime(1e6, 0.1, instances.trigger), "us-central1").toFixed(2);
const savedWithout =
  `Without it, each score saves a call of the trigger indexPlayer, $${dollarsPerMillion} a million in us-central1; but ` +
  "what a server writes by itself, without a call of Firerank, is not counted.";

/** As in the functions' `transports/params.ts`, in their order: the manifest's test compares. */
const defaults: Record<string, string> = {
  REGION: "us-central1",
  DATABASE: defaultDatabase,
  ENFORCE_APP_CHECK: "true",
  DIRECT_WRITES: "true",
  MAX_INSTANCES: "20",
  MEMORY_MIB: "512",
};

/** What is asked for where there is a terminal, as no default is right for everybody. */
const questions: Record<string, { text: string; takes: RegExp; todo: string }> = {
  REGION: {
    text: "Where is your database (REGION: us-central1 for nam5, europe-west1 for eur3)?",
    takes: /^[a-z]+-[a-z]+\d+$/,
    todo: "make REGION the region of your database (us-central1 for nam5, europe-west1 for eur3)",
  },
  ENFORCE_APP_CHECK: {
    text: "Refuse players' calls without an App Check token (ENFORCE_APP_CHECK)? The emulators never ask for one.",
    takes: /^(?:true|false)$/,
    todo: "set App Check up in your apps, or write ENFORCE_APP_CHECK=false",
  },
  DIRECT_WRITES: {
    text: `${savedWithout}\nDo servers of yours write players' documents by themselves (DIRECT_WRITES)?`,
    takes: /^(?:true|false)$/,
    todo: `if all your scores come by Firerank's calls, leave the trigger out: DIRECT_WRITES=false. ${savedWithout}`,
  },
};

/** All parameters with their values, in the order of the functions. */
export const chosenValues = (chosen: Values = {}): Values => ({ ...defaults, ...chosen });

/** Those of the questions that neither a file answers nor the command. */
export function unanswered(parameters: readonly Parameters[], chosen: Values = {}): string[] {
  return Object.keys(questions).filter(
    (name) => chosen[name] === undefined && valuesOf(parameters, name).length === 0,
  );
}

/** Asks the owner; Enter takes the default. @throws CliError for what a parameter does not take */
export async function askFor(names: readonly string[], input: NodeJS.ReadableStream): Promise<Values> {
  const answers: Values = {};
  for (const name of names) {
    const { text = "", takes = /./ } = questions[name] ?? {};
    const usual = defaults[name] ?? "";
    const said = (await ask(input, `${text} [${usual}] `)) || usual;
    const answer = /^y(es)?$/i.test(said) ? "true" : /^n(o)?$/i.test(said) ? "false" : said;
    if (!takes.test(answer)) throw new CliError(`${name} does not take "${answer}". Nothing was written.`);
    answers[name] = answer;
  }
  return answers;
}

/** What was chosen without a question. @param path of the file that has it */
export function chosenNote(names: readonly string[], path: string): string {
  const said = names.map((name) => `${name}=${defaults[name] ?? ""}`).join(" and ");
  const todo = names.map((name) => questions[name]?.todo).join("; ");
  return `${path} gets ${said}, which nobody has chosen. Before you deploy, ${todo}`;
}

/** What the folders have, which may not be there yet; without `.env.local`, which is for the emulators alone. */
export function parametersIn(project: string, folders: readonly string[]): Parameters[] {
  return folders.map((folder) => {
    const full = join(project, folder);
    const names = existsSync(full) ? readdirSync(full) : [];
    const files = names
      .filter((name) => /^\.env(?:\.(?!local$)[^.]+)?$/.test(name))
      .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(full, name), "utf8") }));
    return { folder, files };
  });
}

/** What the files say of a parameter, those that do. */
function valuesOf(parameters: readonly Parameters[], name: string): { path: string; value: string }[] {
  return parameters
    .flatMap(({ files }) => files)
    .flatMap(({ path, text }) => {
      const value = parseEnv(text)[name];
      return value === undefined || value === "" ? [] : [{ path, value }];
    });
}

/** @throws CliError where the files say another value than the command, with what to do */
function refuseOther(parameters: readonly Parameters[], name: string, asked: string, todo: string): void {
  const set = valuesOf(parameters, name);
  const [other] = set;
  if (other === undefined || set.some(({ value }) => value === asked)) return;
  const option = `--${name.toLowerCase().replace("_", "-")}`;
  throw new CliError(
    `${other.path} says ${name}=${other.value}, and ${option} ${asked} was asked for. ${todo}`,
  );
}

/**
 * The database that Firerank is, or shall be, in.
 * @param asked by the command
 * @param configured the databases that firebase.json has rules or indexes of
 * @throws CliError for what is no id of a database, where the parameters say another one, or nothing says which
 */
export function databaseFor(
  asked: string | undefined,
  parameters: readonly Parameters[],
  configured: readonly string[],
): string {
  if (asked !== undefined) {
    if (asked !== defaultDatabase && !/^[a-z][a-z0-9-]{2,61}[a-z0-9]$/.test(asked))
      throw usageError(
        `--database ${asked}: it takes (default), or an id of 4 to 63 lowercase letters, digits and hyphens, beginning ` +
          "with a letter and not ending with a hyphen.",
      );
    const todo =
      "Players and scores stay in the database that they are in; change the file by hand, if you mean it.";
    refuseOther(parameters, "DATABASE", asked, todo);
    return asked;
  }
  const set = valuesOf(parameters, "DATABASE");
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

/** @throws CliError for a value of --direct-writes that is neither true nor false, or another than there is */
export function checkDirectWrites(asked: string | undefined, parameters: readonly Parameters[]): void {
  if (asked === undefined) return;
  if (asked !== "true" && asked !== "false")
    throw usageError(`--direct-writes ${asked}: it takes true or false.`);
  const todo =
    "Change the file by hand, deploy, and then repair each season that takes scores: npx --no-install firerank repair " +
    "<board> --season <season>. Otherwise scores that were written meanwhile are not counted.";
  refuseOther(parameters, "DIRECT_WRITES", asked, todo);
}

/** The files `.env` that get those of the parameters that no file sets yet, with their text then. */
export function withParameters(
  parameters: readonly Parameters[],
  chosen: Values,
): { path: string; text: string }[] {
  const missing = Object.entries(chosenValues(chosen)).filter(
    ([name]) => valuesOf(parameters, name).length === 0,
  );
  if (missing.length === 0) return [];
  const lines = missing.map(([name, value]) => `${name}=${value ?? ""}\n`).join("");
  return parameters.map(({ folder, files }) => {
    const path = `${folder}/.env`;
    const before = files.find((file) => file.path === path)?.text ?? "";
    const end = before === "" || before.endsWith("\n") ? "" : "\n";
    return { path, text: `${before}${end}${lines}` };
  });
}
