/** The functions that a project has, or its emulators, in one form; and which of them are Firerank's. */
import { z } from "zod";
import { functionName } from "../../functions/src/model/function-name.ts";
import { usageError } from "../cli-error.ts";
import { type Api, askEmulator } from "./api.ts";
import { expectedKinds, type Kind } from "./expected.ts";
import { NotChecked } from "./finding.ts";

export interface DeployedFunction {
  name: string;
  region: string;
  kind: Kind | "other";
  codebase: string;
  /** Of Firerank, as its label says; undefined for another program's, and for a version without the label. */
  version?: string | undefined;
  /** These are undefined on emulators, which do not tell. */
  state?: string | undefined;
  runtime?: string | undefined;
  account?: string | undefined;
  /** The name of its service in Cloud Run. */
  service?: string | undefined;
  retry?: boolean | undefined;
  variables?: Record<string, string> | undefined;
  /** The database of a Firestore trigger. */
  database?: string | undefined;
  /** When it was first deployed, in ISO 8601. */
  createdAt?: string | undefined;
}

export type Functions = Map<string, DeployedFunction[]>;

/** What functions have in a variable, those that have it. */
export function variablesOf(own: Functions, variable: string): { name: string; value: string }[] {
  return [...own.values()].flat().flatMap(({ name, variables }) => {
    const value = variables?.[variable];
    return value === undefined ? [] : [{ name, value }];
  });
}

/** So many names in common are no chance: an app may well have an `openSeason` of its own. */
const namesInCommonMin = 4;

/**
 * Finds Firerank's functions among all. Without a prefix that the user named, they are the only ones there are, or the
 * only ones that listen to the database or use it.
 * @throws CliError if there are several and none was named
 */
export function deploymentOf(
  all: DeployedFunction[],
  asked: { prefix?: string | undefined; database: string; emulators?: object | undefined },
) {
  const { database, emulators } = asked;
  const prefixes = prefixesIn(all);
  const listening = prefixes.filter((prefix) =>
    all.some(
      (one) =>
        (one.name === functionName("indexPlayer", prefix) && one.database === database) ||
        (one.name === functionName("rankSeasons", prefix) && one.variables?.["DATABASE"] === database),
    ),
  );
  const [only = prefixes[0]] = listening;
  if (asked.prefix === undefined && prefixes.length > 1 && listening.length !== 1) {
    const names = prefixes.map((prefix) => (prefix === "" ? '""' : prefix)).join(", ");
    throw usageError(
      `Firerank is deployed several times, with the prefixes ${names}. Name one with --prefix; for the one without, --prefix "".`,
    );
  }
  const prefix = asked.prefix ?? only ?? "";
  const found = [...expectedKinds.keys()].map(
    (name) => [name, all.filter((one) => one.name === functionName(name, prefix))] as const,
  );
  const own: Functions = new Map(found.filter(([, some]) => some.length > 0));
  const codebases = Map.groupBy([...own.values()].flat(), (one) => one.codebase);
  const isLeftOut =
    emulators !== undefined || variablesOf(own, "DIRECT_WRITES").some(({ value }) => value === "false");
  return {
    /** What is in front of the names of the functions that are looked at; empty for nothing. */
    prefix,
    /** Firerank's functions by their name in the docs; more than one where there are several regions. */
    own,
    /** Every prefix by which the project has Firerank's functions. */
    prefixes,
    /** The codebase that most of them belong to; undefined without any. */
    codebase: [...codebases].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0],
    /** Whether `DIRECT_WRITES` left the trigger out. Emulators tell no variables; there its absence says so. */
    isTriggerLeftOut: isLeftOut && own.size > 0 && !own.has("indexPlayer"),
  };
}

function prefixesIn(all: readonly DeployedFunction[]): string[] {
  const found = [...expectedKinds].flatMap(([own, kind]) => [
    ...new Set(all.flatMap((one) => (one.kind === kind ? prefixOf(one.name, own) : []))),
  ]);
  return [...Map.groupBy(found, (prefix) => prefix)]
    .flatMap(([prefix, { length }]) => (length >= namesInCommonMin ? [prefix] : []))
    .sort();
}

function prefixOf(name: string, own: string): string[] {
  if (name === own) return [""];
  return name.endsWith(`-${own}`) ? [name.slice(0, -own.length - 1)] : [];
}

const filter = z.object({ attribute: z.string(), value: z.string() });
const realFunction = z.looseObject({
  name: z.string(),
  state: z.string().optional(),
  createTime: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  buildConfig: z.looseObject({ runtime: z.string().optional() }).default({}),
  serviceConfig: z
    .looseObject({
      serviceAccountEmail: z.string().optional(),
      service: z.string().optional(),
      environmentVariables: z.record(z.string(), z.string()).default({}),
    })
    .default({ environmentVariables: {} }),
  eventTrigger: z
    .looseObject({ retryPolicy: z.string().optional(), eventFilters: z.array(filter).default([]) })
    .optional(),
});

/** The functions of a real project, of the 2nd generation. @throws NotChecked */
export async function deployedFunctions(api: Api, project: string): Promise<DeployedFunction[]> {
  const path = `v2/projects/${project}/locations/-/functions?pageSize=1000`;
  const found = await api.list("cloudfunctions.googleapis.com", path, "functions", realFunction);
  return found.map(({ name, state, createTime, labels, buildConfig, serviceConfig, eventTrigger }) => {
    const [, , , region = "", , id = ""] = name.split("/");
    return {
      name: id,
      region,
      kind: kindOf(labels, eventTrigger !== undefined),
      codebase: labels["firebase-functions-codebase"] ?? "default",
      version: labels["firerank"],
      state,
      createdAt: createTime,
      runtime: buildConfig.runtime,
      account: serviceConfig.serviceAccountEmail,
      service: serviceConfig.service,
      variables: serviceConfig.environmentVariables,
      retry: eventTrigger === undefined ? undefined : eventTrigger.retryPolicy === "RETRY_POLICY_RETRY",
      database: eventTrigger?.eventFilters.find(({ attribute }) => attribute === "database")?.value,
    };
  });
}

function kindOf(labels: Record<string, string>, hasEvent: boolean): DeployedFunction["kind"] {
  if (hasEvent) return "event";
  if (labels["deployment-scheduled"] === "true") return "schedule";
  if (labels["deployment-taskqueue"] === "true") return "task";
  if (labels["deployment-callable"] === "true") return "callable";
  return Object.keys(labels).some((label) => label.includes("blocking")) ? "other" : "request";
}

const emulated = z.looseObject({
  name: z.string(),
  region: z.string(),
  codebase: z.string().default("default"),
  labels: z.record(z.string(), z.string()).default({}),
  httpsTrigger: z.looseObject({}).optional(),
  taskQueueTrigger: z.looseObject({}).optional(),
  schedule: z.looseObject({}).optional(),
  eventTrigger: z.looseObject({ eventFilters: z.record(z.string(), z.string()).optional() }).optional(),
});
const backends = z.object({
  backends: z.array(z.looseObject({ functionTriggers: z.array(emulated).default([]) })),
});

/** The functions that a Functions emulator has loaded. @throws NotChecked */
export async function emulatedFunctions(host: string): Promise<DeployedFunction[]> {
  const { data } = backends.safeParse(await askEmulator("Functions", host, "backends", "what it runs"));
  if (data === undefined)
    throw new NotChecked(`The Functions emulator at ${host} is of a version that is not known here.`);
  const found = data.backends.flatMap(({ functionTriggers }) => functionTriggers);
  return found.map((one) => ({
    name: one.name,
    region: one.region,
    kind: emulatedKind(one),
    codebase: one.codebase,
    version: one.labels["firerank"],
    database: one.eventTrigger?.eventFilters?.["database"],
  }));
}

function emulatedKind(one: z.infer<typeof emulated>): DeployedFunction["kind"] {
  if (one.schedule !== undefined) return "schedule";
  if (one.eventTrigger !== undefined) return "event";
  if (one.taskQueueTrigger !== undefined) return "task";
  if (one.labels["deployment-callable"] === "true") return "callable";
  return one.httpsTrigger === undefined ? "other" : "request";
}
