/**
 * The parameters that a deployer can set. Only this file reads them, for the deployed functions, `firerank init` and
 * `firerank doctor`.
 *
 * firebase-tools and firebase-functions read some texts differently: they disagree whether `TRUE`, `yes` or `1` is
 * true, and `20 max` is no number for firebase-tools and 20 for firebase-functions. So only texts are taken that both
 * read alike.
 */

interface Parameter {
  default: string;
  /** The texts that are taken. */
  takes: RegExp;
  /** The texts that are taken, in words, after "It takes". */
  words: string;
}

const boolean = { takes: /^(?:true|false)$/, words: "true or false" };

export const parameters = {
  REGION: {
    default: "us-central1",
    takes: /^[a-z]+-[a-z]+\d+$/,
    words: "the region of your database, such as us-central1 (for nam5) or europe-west1 (for eur3)",
  },
  DATABASE: {
    default: "(default)",
    takes: /^(?:\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9])$/,
    words:
      "(default), or an id of 4 to 63 lowercase letters, digits and hyphens, beginning with a letter and not ending with a hyphen",
  },
  ENFORCE_APP_CHECK: { default: "true", ...boolean },
  DIRECT_WRITES: { default: "true", ...boolean },
  MAX_INSTANCES: { default: "20", takes: /^[1-9]\d{0,3}$/, words: "a whole number from 1 to 9999" },
  MEMORY_MIB: {
    default: "512",
    takes: /^(?:256|512|1024|2048|4096|8192|16384|32768)$/,
    words: "256, 512, 1024, 2048, 4096, 8192, 16384 or 32768",
  },
} satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof parameters;
export const parameterNames = Object.keys(parameters) as ParameterName[];

/** Texts by the names of parameters, such as an environment. */
export type Texts = Partial<Record<string, string>>;

/** What is wrong with a text for a parameter, and what would be right; undefined for a text that is taken. */
export const wrongIn = (name: ParameterName, text: string): string | undefined =>
  wrongText(name, text, parameters[name]);

function wrongText(
  name: string,
  text: string,
  { takes, words }: Pick<Parameter, "takes" | "words">,
): string | undefined {
  if (takes.test(text)) return undefined;
  const said = text === "" ? "has nothing after =" : `is ${JSON.stringify(text)}`;
  return `${name} ${said}. It takes ${words}.`;
}

/** Whether the emulators' functions have a clock that ranks and closes. It is no parameter: no deployment asks for it. */
const clock = { name: "FIRERANK_EMULATOR_CLOCK", takes: /^(?:|on|off)$/, words: "on or off" };

/** Whether the clock of the emulators is turned off. */
export const isClockOff = (environment: Texts): boolean => environment[clock.name] === "off";

/**
 * Refuses an environment in which a parameter has a text that is not taken. A parameter that is not set is not refused:
 * while a codebase is being deployed, its parameters are not known yet.
 * @throws Error that names each wrong parameter, and what would be right
 */
export function checkParameters(environment: Texts): void {
  const wrong = parameterNames.flatMap((name) => {
    const text = environment[name];
    return text === undefined ? [] : (wrongIn(name, text) ?? []);
  });
  const isEmulator = environment["FUNCTIONS_EMULATOR"] === "true";
  const ofClock = isEmulator ? wrongText(clock.name, environment[clock.name] ?? "", clock) : undefined;
  if (ofClock !== undefined) wrong.push(ofClock);
  const todo = isEmulator
    ? "Write it so where it is set: in the .env or .env.local of the codebase, or in the environment."
    : "Write it so into the codebase's .env.";
  if (wrong.length > 0) throw new Error(`Firerank does not start: ${wrong.join(" ")} ${todo}`);
}

/** The value of a parameter, or its default if it is not set. */
export function valueIn(environment: Texts, name: ParameterName): string {
  return environment[name] ?? parameters[name].default;
}
