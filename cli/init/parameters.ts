/** The functions' parameters: each gets a value in the codebase's `.env`, so that no deploy and no emulator asks for one. */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type ParameterName,
  parameterNames,
  parameters as declared,
  type Texts,
  wrongIn,
} from "../../functions/src/model/parameters.ts";
import { cost, functionTime, instances } from "../prices.ts";
import { ask } from "../ask.ts";
import { CliError, usageError } from "../cli-error.ts";
import { readEnv, type UnreadLine } from "./env-file.ts";
import { defaultDatabase } from "./merge-firebase-json.ts";
import { readIn } from "./project-folder.ts";

/** The parameters of one way that Firerank is installed. */
export interface Parameters {
  folder: string;
  /** `.env`, `.env.<project>` and `.env.local`. */
  files: { path: string; text: string }[];
}

/** A call takes less than a tenth of a second, the least that is billed. */
const dollarsPerMillion = cost(functionTime(1e6, 0.1, instances.trigger), "us-central1").toFixed(2);
const savedWithout =
  `Without it, each score saves a call of the trigger indexPlayer, $${dollarsPerMillion} a million in us-central1; but ` +
  "what a server writes by itself, without a call of Firerank, is not counted.";

/** What is asked for where there is a terminal, as no default is right for everybody. */
const questions = {
  REGION: {
    text: "Where is your database (REGION: us-central1 for nam5, europe-west1 for eur3)?",
    todo: "make REGION the region of your database (us-central1 for nam5, europe-west1 for eur3)",
  },
  ENFORCE_APP_CHECK: {
    text: "Refuse players' calls without an App Check token (ENFORCE_APP_CHECK)? The emulators never ask for one.",
    todo: "set App Check up in your apps, or write ENFORCE_APP_CHECK=false",
  },
  DIRECT_WRITES: {
    text: `${savedWithout}\nDo servers of yours write players' documents by themselves (DIRECT_WRITES)?`,
    todo: `if all your scores come by Firerank's calls, leave the trigger out: DIRECT_WRITES=false. ${savedWithout}`,
  },
} satisfies Partial<Record<ParameterName, { text: string; todo: string }>>;
type Question = keyof typeof questions;

/** All parameters with their values, in the order of the functions. */
export const chosenValues = (chosen: Texts = {}): Texts => ({
  ...Object.fromEntries(parameterNames.map((name) => [name, declared[name].default])),
  ...chosen,
});

/** Those of the questions that neither a file answers nor the command. */
export function unanswered(parameters: readonly Parameters[], chosen: Texts = {}): Question[] {
  return (Object.keys(questions) as Question[]).filter(
    (name) => chosen[name] === undefined && valuesOf(parameters, name).length === 0,
  );
}

/** Asks the owner; Enter takes the default. @throws CliError for what a parameter does not take */
export async function askFor(names: readonly Question[], input: NodeJS.ReadableStream): Promise<Texts> {
  const answers: Texts = {};
  for (const name of names) {
    const usual = declared[name].default;
    const said = (await ask(input, `${questions[name].text} [${usual}] `)) || usual;
    const answer = /^y(es)?$/i.test(said) ? "true" : /^n(o)?$/i.test(said) ? "false" : said;
    const wrong = wrongIn(name, answer);
    // Only here: a file takes neither.
    const alsoSaid = usual === "true" ? " Yes and no will do here." : "";
    if (wrong !== undefined) throw new CliError(`${wrong}${alsoSaid} Nothing was written.`);
    answers[name] = answer;
  }
  return answers;
}

/** What was chosen without a question. @param path of the file that has it */
export function chosenNote(names: readonly Question[], path: string): string {
  const said = names.map((name) => `${name}=${declared[name].default}`).join(" and ");
  const todo = names.map((name) => questions[name].todo).join("; ");
  return `${path} gets ${said}, which nobody has chosen. Before you deploy, ${todo}`;
}

/** Only the emulators read this file, after all others. */
export const emulatorsFile = ".env.local";

/** The files of the folders. A folder need not exist yet. */
export function parametersIn(project: string, folders: readonly string[]): Parameters[] {
  return folders.map((folder) => {
    const full = join(project, folder);
    const names = existsSync(full) ? readdirSync(full) : [];
    const files = names
      .filter((name) => /^\.env(?:\.[^.]+)?$/.test(name))
      .map((name) => `${folder}/${name}`)
      .map((path) => ({ path, text: readIn(project, path) ?? "" }));
    return { folder, files };
  });
}

/** What a file `.env` sets. */
export const textsIn = (file: string): Texts =>
  Object.fromEntries(readEnv(file).set.map(({ name, value }) => [name, value]));

/**
 * What is wrong in files, so that the functions do not load: lines that the Firebase CLI does not take, and what is no
 * value of a parameter. A sentence for each, with the file.
 */
export function wrongParameters(parameters: readonly Parameters[]): string[] {
  return parameters
    .flatMap(({ files }) => files)
    .flatMap(({ path, text }) => {
      if (text.includes("\0")) return [`${path} is not in UTF-8, so nobody can read it. Save it in UTF-8.`];
      const texts = textsIn(text);
      const values = parameterNames.flatMap((name) => {
        const wrong = texts[name] === undefined ? undefined : wrongIn(name, texts[name]);
        return wrong === undefined ? [] : [`${path}: ${wrong}`];
      });
      return [...readEnv(text).unread.map((line) => unreadSentence(path, line)), ...values];
    });
}

/** A line is not repeated, as its value may be a secret. */
function unreadSentence(path: string, { line, name = "" }: UnreadLine): string {
  const meant = parameterNames.find((one) => one === name.toUpperCase().replaceAll("-", "_"));
  const todo =
    meant === undefined
      ? "Write it as NAME=value, the name in capital letters, or put # before it."
      : `Write ${meant}= and its value: ${declared[meant].words}.`;
  return `${path}, line ${line}: the Firebase CLI does not take this line, and loads nothing of the file. ${todo}`;
}

/** Parameters that a file sets twice, to different values: a sentence for each. */
export function saidTwice(parameters: readonly Parameters[]): string[] {
  return parameters
    .flatMap(({ files }) => files)
    .flatMap(({ path, text }) => {
      const lines = readEnv(text).set;
      return parameterNames.flatMap((name) => {
        const own = lines.filter((one) => one.name === name);
        if (new Set(own.map(({ value }) => value)).size <= 1) return [];
        const said = own.map(({ line, value }) => `line ${line} says ${name}=${value}`).join(", and ");
        return [`${path}: ${said}. The last line counts. Keep the one that is right.`];
      });
    });
}

/** @throws CliError where a file has a line that is wrong, or two that say different things, with all of them */
export function refuseWrong(parameters: readonly Parameters[]): void {
  const wrong = wrongParameters(parameters);
  const all = [...wrong, ...saidTwice(parameters)];
  if (all.length === 0) return;
  const harm = wrong.length === 0 ? "" : "The functions would not load. ";
  throw new CliError(`${all.join("\n")}\n${harm}Write it so, and run this again. Nothing was written.`);
}

/** What a deployment would read of a parameter: each file that sets the parameter, with the value. */
function valuesOf(parameters: readonly Parameters[], name: string): { path: string; value: string }[] {
  return parameters
    .flatMap(({ files }) => files)
    .filter(({ path }) => basename(path) !== emulatorsFile)
    .flatMap(({ path, text }) => {
      const value = textsIn(text)[name];
      return value === undefined ? [] : [{ path, value }];
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
    if (wrongIn("DATABASE", asked) !== undefined)
      throw usageError(`--database ${asked}: it takes ${declared.DATABASE.words}.`);
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
  if (wrongIn("DIRECT_WRITES", asked) !== undefined)
    throw usageError(`--direct-writes ${asked}: it takes ${declared.DIRECT_WRITES.words}.`);
  const todo =
    "Change the file by hand, deploy, and then repair each season that takes scores: npx --no-install firerank repair " +
    "<board> --season <season>. Otherwise scores that were written meanwhile are not counted.";
  refuseOther(parameters, "DIRECT_WRITES", asked, todo);
}

/** The files `.env` that get those of the parameters that no file sets yet, with their text then. */
export function withParameters(
  parameters: readonly Parameters[],
  chosen: Texts,
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
