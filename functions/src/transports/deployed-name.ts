/**
 * The name that a function is deployed under. A codebase's `prefix` in firebase.json, the instance of a function kit
 * (`kit-<instance>`) and a group (`export * as board from "firerank"`) are put in front of the name that the code
 * exports, each with a hyphen. No code learns its prefix while it is being deployed, but a running function can tell
 * the prefix by the name of its service.
 */
import { functionName } from "../model/function-name.ts";

export type Environment = Record<string, string | undefined>;

/**
 * A task queue, as firebase-admin takes it: with `global` the name is used as it is, with `current` a kit's prefix is
 * put in front.
 */
interface DeployedQueue {
  name: string;
  scope: { scope: "current" | "global" };
}

/**
 * The queue of another task function of the same deployment.
 *
 * The function that runs is `FUNCTION_TARGET` in the code (`board.rankSeasons`) and `K_SERVICE` on the platform
 * (`mine-board-rankseasons`; Cloud Run has only small letters and hyphens, as prefixes do). The part that only
 * `K_SERVICE` has is the prefix. If the two names say nothing, as with `emulators:start --inspect-functions`, whose one
 * process runs all functions, or after a service was named by hand, the prefix is the variable `FIRERANK_PREFIX`; by
 * default it is empty.
 *
 * The prefix of a kit is `kit-<instance>`. In production firebase-admin itself puts it in front, and calls with a token
 * that the kit's account may have. This token comes from the metadata server, which the emulators do not have.
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

/** The names of the groups in which the code exports the functions; usually none. */
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
