/**
 * The parameters of `firebase deploy`. It asks for each parameter, unless the codebase's `.env` has it. The values are
 * in the environment while `firebase deploy` loads the codebase, and in each deployed function. Functions read a
 * parameter with {@link parameterValue}.
 */
import { defineBoolean, defineInt, defineString } from "firebase-functions/params";
import { checkParameters, type ParameterName, parameters, valueIn } from "../model/parameters.ts";

checkParameters(process.env);

/** The value of a parameter in this process. */
export const parameterValue = (name: ParameterName): string => valueIn(process.env, name);

/** How `firebase deploy` asks for a parameter that its user types. */
function typed(name: ParameterName) {
  const { takes, words } = parameters[name];
  return { text: { validationRegex: takes.source, validationErrorMessage: `It takes ${words}.` } };
}

export const region = defineString("REGION", {
  default: parameters.REGION.default,
  input: typed("REGION"),
  description:
    "Where the functions run: the region of your Firestore database (us-central1 for nam5, europe-west1 for eur3).",
});

/** `(default)`, or the id of a named database. */
export const database = defineString("DATABASE", {
  default: parameters.DATABASE.default,
  description:
    "The Firestore database that the leaderboards are in: (default), or the id of a named one. It must exist.",
  input: typed("DATABASE"),
});

export const enforceAppCheck = defineBoolean("ENFORCE_APP_CHECK", {
  default: parameters.ENFORCE_APP_CHECK.default === "true",
  description:
    "Refuse players' calls without a valid App Check token. Set up App Check in your app first, or say no. The emulators never ask for a token.",
});

export const directWrites = defineBoolean("DIRECT_WRITES", {
  default: parameters.DIRECT_WRITES.default === "true",
  description:
    "Whether servers of yours write players' documents by themselves, and not by calls. If not, say false: the function that watches for it is left out, and each score saves a function call. After a change of this, repair each season that takes scores: `npx --no-install firerank repair <board> --season <season>`.",
});

export const maxInstances = defineInt("MAX_INSTANCES", {
  default: Number(parameters.MAX_INSTANCES.default),
  input: typed("MAX_INSTANCES"),
  description:
    "The most instances of each function that players call. This limits what a flood of requests can cost. 20 answer some thousands of requests a second.",
});

export const memoryMib = defineInt("MEMORY_MIB", {
  default: Number(parameters.MEMORY_MIB.default),
  input: typed("MEMORY_MIB"),
  description:
    "Memory of each function in MiB. 512 is enough for a million different scores; a ranking run of ten million needs 1024.",
});
