/** The functions' parameters, each with a value in the codebase's `.env`, so that no deploy and no emulator asks for one. */
import { ask } from "../ask.ts";
import { CliError } from "../cli-error.ts";
import { type Parameters, valuesOf } from "./database.ts";

/** As in the functions' `transports/params.ts`, where DATABASE and DIRECT_WRITES are too: the manifest's test compares. */
const defaults = { REGION: "us-central1", ENFORCE_APP_CHECK: "true", MAX_INSTANCES: "20", MEMORY_MIB: "512" };

/** What is asked for where there is a terminal, as no default is right for everybody. */
const questions = {
  REGION: {
    text: "Where is your database (REGION: us-central1 for nam5, europe-west1 for eur3)?",
    takes: /^[a-z]+-[a-z]+\d+$/,
  },
  ENFORCE_APP_CHECK: {
    text: "Refuse players' calls without an App Check token (ENFORCE_APP_CHECK)? The emulators never ask for one.",
    takes: /^(?:true|false)$/,
  },
};

export type Answers = Partial<Record<keyof typeof questions, string>>;

/** All parameters with their values, in the order of the functions. */
export function chosenValues(
  answers: Answers,
  database: string,
  directWrites: string,
): Record<string, string> {
  const { REGION, ENFORCE_APP_CHECK, ...others } = { ...defaults, ...answers };
  return { REGION, DATABASE: database, ENFORCE_APP_CHECK, DIRECT_WRITES: directWrites, ...others };
}

/** Those of the questions that no file answers. */
export function unanswered(parameters: readonly Parameters[]): (keyof typeof questions)[] {
  const names = Object.keys(questions) as (keyof typeof questions)[];
  return names.filter((name) => valuesOf(parameters, name).length === 0);
}

/** Asks the owner; Enter takes the default. @throws CliError for what a parameter does not take */
export async function askFor(
  names: readonly (keyof typeof questions)[],
  input: NodeJS.ReadableStream,
): Promise<Answers> {
  const answers: Answers = {};
  for (const name of names) {
    const { text, takes } = questions[name];
    const answer = (await ask(input, `${text} [${defaults[name]}] `)).trim() || defaults[name];
    if (!takes.test(answer)) throw new CliError(`${name} does not take "${answer}". Nothing was written.`);
    answers[name] = answer;
  }
  return answers;
}

/** What was chosen without a question. @param path of the file that has it */
export function chosenNote(names: readonly (keyof typeof questions)[], path: string): string {
  const said = names.map((name) => `${name}=${defaults[name]}`).join(" and ");
  return (
    `${path} gets ${said}, which nobody has chosen. Before you deploy, make REGION the region of your database ` +
    "(us-central1 for nam5, europe-west1 for eur3); and set App Check up in your apps, or write ENFORCE_APP_CHECK=false."
  );
}
