/**
 * The name that a function is deployed under. A codebase's `prefix` in firebase.json, the instance of a function kit
 * (`kit-<instance>`) and a group (`export * as board from "firerank"`) are put in front of the name that the code
 * exports, each with a hyphen. No code learns its prefix while it is deployed, but a running function can tell it by the
 * name of its service.
 */
import { functionName } from "../model/function-name.ts";

export type Environment = Record<string, string | undefined>;

/** A task queue, as firebase-admin takes it: `global` takes the name as it is, `current` puts a kit's in front. */
export interface DeployedQueue {
  name: string;
  scope: { scope: "current" | "global" };
}

/**
 * The queue of another task function of the same deployment.
 *
 * The function that runs is `FUNCTION_TARGET` in the code (`board.rankSeasons`) and `K_SERVICE` on the platform
 * (`mine-board-rankseasons`; Cloud Run has only small letters and hyphens, as prefixes do). What `K_SERVICE` has in
 * front is the prefix. Where the two say nothing, as with `emulators:start --inspect-functions`, whose one process runs
 * all functions, or where a service was named by hand, the prefix is that of the variable `FIRERANK_PREFIX`; by default
 * there is none.
 *
 * A kit's is `kit-<instance>`. When deployed, firebase-admin itself puts it in front, and calls with a token that a kit's
 * account may have. That token comes from the metadata server, which the emulators do not have.
 * @param name as exported by functions/src/index.ts, such as `stepSeason`
 */
export function queueOf(name: string, environment: Environment): DeployedQueue {
  const own = [...groupIn(environment), name].join("-");
  const { FIREBASE_KIT_INSTANCE_ID: instance = "", FUNCTIONS_EMULATOR: isEmulated } = environment;
  if (instance === "") return { name: functionName(own, prefixIn(environment)), scope: { scope: "global" } };
  if (isEmulated === "true")
    return { name: functionName(own, `kit-${instance}`), scope: { scope: "global" } };
  return { name: own, scope: { scope: "current" } };
}

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
  return set;
}

/** A function's name as its service on Cloud Run has it. On the emulators `K_SERVICE` is the function's own name. */
function inService(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}
