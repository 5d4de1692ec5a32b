/**
 * The name that a function is deployed under. A codebase's `prefix` in firebase.json, the instance of a function kit
 * (`kit-<instance>`) and a group (`export * as board from "firerank"`) are put in front of the name that the code
 * exports, each with a hyphen. No code learns its prefix while it is deployed, but a running function can tell it by the
 * name of its service.
 */
import { functionName } from "../model/function-name.ts";

export type Environment = Record<string, string | undefined>;

/**
 * The name by which firebase-admin finds the queue of another task function of the same deployment.
 *
 * The function that runs is `FUNCTION_TARGET` in the code (`board.rankSeasons`) and `K_SERVICE` on the platform
 * (`mine-board-rankseasons`; Cloud Run has only small letters and hyphens, as prefixes do). What `K_SERVICE` has in
 * front is the prefix. A kit's is left out: firebase-admin itself adds `kit-<instance>-` in front of every queue.
 *
 * Where the two say nothing, as with `emulators:start --inspect-functions`, whose one process runs all functions, or
 * where a service was named by hand, the prefix is that of the variable `FIRERANK_PREFIX`; by default there is none.
 * @param name as exported by functions/src/index.ts, such as `rankSeason`
 */
export function queueName(name: string, environment: Environment): string {
  const prefix = isKit(environment) ? undefined : prefixIn(environment);
  return functionName([...groupIn(environment), name].join("-"), prefix);
}

/** firebase-tools sets it to the id of the instance, for functions of kits alone. */
const isKit = ({ FIREBASE_KIT_INSTANCE_ID: instance }: Environment) =>
  instance !== undefined && instance !== "";

/** The names of the objects that the code exports the functions in; usually none. */
function groupIn({ FUNCTION_TARGET: target = "" }: Environment): string[] {
  return target.split(".").slice(0, -1);
}

function prefixIn(environment: Environment): string | undefined {
  const { K_SERVICE: service = "", FUNCTION_TARGET: target = "", FIRERANK_PREFIX: set } = environment;
  if (target !== "") {
    const [running, own] = [inService(service), inService(target.replaceAll(".", "-"))];
    if (running === own) return undefined;
    if (running.endsWith(`-${own}`)) return running.slice(0, -own.length - 1);
  }
  return set === undefined || set === "" ? undefined : set;
}

/** A function's name as its service on Cloud Run has it. On the emulators `K_SERVICE` is the function's own name. */
function inService(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}
