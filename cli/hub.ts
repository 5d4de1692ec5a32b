/** Running emulators, as firebase-tools tells of them: a file for each hub in the folder for temporary files. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { defined } from "../functions/src/model/defined.ts";
import { CliError, usageError } from "./cli-error.ts";

interface RunningEmulators {
  project: string;
  /** Host and port by emulator: `firestore`, `auth`, `functions`, `tasks` … */
  hosts: Partial<Record<string, string>>;
}

const locator = z.object({ origins: z.array(z.url()) });
const emulators = z.record(z.string(), z.object({ host: z.string(), port: z.int() }));

/** A hub on this machine answers at once; a file that a killed one left behind is asked in vain. */
const hubMsMax = 2_000;

/** Variables that the SDKs read, by emulator. */
const variables: Record<string, string> = {
  FIRESTORE_EMULATOR_HOST: "firestore",
  FIREBASE_AUTH_EMULATOR_HOST: "auth",
};

/**
 * Makes sure that the addresses of emulators in the environment are as the SDKs take them, which else end the process.
 * @throws CliError for an address that is not a host and a port
 */
export function checkHosts(environment: Record<string, string | undefined>): void {
  for (const name of [...Object.keys(variables), "FIREBASE_EMULATOR_HUB"]) {
    const value = environment[name];
    if (!value || hostAndPort.test(value)) continue;
    const [, scheme = "", rest = ""] = /^([a-z]+:\/\/)?(.*?)\/*$/i.exec(value) ?? [];
    const advice = hostAndPort.test(rest) ? ` Write it without ${scheme || "/"}: ${rest}.` : "";
    throw usageError(`${name} takes a host and a port, such as 127.0.0.1:8080, and not "${value}".${advice}`);
  }
}

const hostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d+$/i;

interface Wanted {
  project: string | undefined;
  /** The default project of .firebaserc. */
  usual?: string | undefined;
  wantsEmulators: boolean;
}

/**
 * The variables for a command, as far as they are not set and emulators run: those of `project`; or, without it, the only
 * ones there are, or of several those of `usual`. A project that is no demo's means the real one, unless `wantsEmulators`.
 * Where the environment names the emulator of Firestore, but no project: that of its hub, or else `usual`.
 * @returns the variables, the project, and how it was found; undefined where the environment or the project decide, or
 *   nothing runs.
 * @throws CliError if emulators of several projects run, and none of `usual`, or none of those that are wanted
 */
export async function runningEmulators(
  { project, usual, wantsEmulators }: Wanted,
  environment: Record<string, string | undefined>,
  folder = tmpdir(),
): Promise<{ project: string; how: string; set: Record<string, string | undefined> } | undefined> {
  const firestore = environment["FIRESTORE_EMULATOR_HOST"];
  if (firestore && project === undefined && !environment["GCLOUD_PROJECT"])
    return projectOf(firestore, usual, folder);
  if (Object.keys(variables).some((name) => Boolean(environment[name]))) return undefined;
  if (project !== undefined && !wantsEmulators && !project.startsWith("demo-")) return undefined;
  const running = (await hubsIn(folder)).filter((one) => project === undefined || one.project === project);
  const isAlone = running.length < 2;
  const found = isAlone ? running[0] : running.find((one) => one.project === usual);
  const names = running.map((one) => one.project).join(", ");
  if (found === undefined && !isAlone)
    throw usageError(
      `The emulators of several projects run: ${names}. Name one with --project, or in .firebaserc.`,
    );
  if (found === undefined) {
    if (!wantsEmulators) return undefined;
    const whose = project === undefined ? "" : ` of project ${project}`;
    throw new CliError(`No emulators${whose} with Firestore run on this machine.`);
  }
  const hosts = Object.entries(variables).map(([name, emulator]) => [name, found.hosts[emulator]] as const);
  return {
    project: found.project,
    how: isAlone ? "by their hub" : `by .firebaserc, as those of ${names} run`,
    set: defined({ ...Object.fromEntries(hosts), GCLOUD_PROJECT: found.project }),
  };
}

async function projectOf(firestore: string, usual: string | undefined, folder: string) {
  const hub = (await hubsIn(folder)).find(({ hosts }) => isSameHost(hosts["firestore"], firestore));
  const project = hub?.project ?? usual;
  if (project === undefined) return undefined;
  const how = hub === undefined ? "by FIRESTORE_EMULATOR_HOST and .firebaserc" : "by their hub";
  return { project, how, set: { GCLOUD_PROJECT: project } };
}

/** The emulators beside one of Firestore, by `FIREBASE_EMULATOR_HUB` or the hub that knows it; empty without one. */
export async function hostsOfEmulators(
  { project, firestore }: { project: string; firestore: string },
  environment: Record<string, string | undefined>,
  folder = tmpdir(),
): Promise<RunningEmulators["hosts"]> {
  const named = environment["FIREBASE_EMULATOR_HUB"];
  const hubs = named ? [await ask([`http://${named}`], project)] : await hubsIn(folder);
  return hubs.find((hub) => isSameHost(hub?.hosts["firestore"], firestore))?.hosts ?? {};
}

/** The Firestore emulators that run, of any project: the one that the environment names, or those that hubs know. */
export async function runningFirestores(
  environment: Record<string, string | undefined>,
  folder = tmpdir(),
): Promise<string[]> {
  const named = environment["FIRESTORE_EMULATOR_HOST"];
  if (named) return [named];
  return (await hubsIn(folder)).flatMap(({ hosts }) => hosts["firestore"] ?? []);
}

/** A variable may say `localhost:8080` where the hub says `127.0.0.1:8080`. */
function isSameHost(one: string | undefined, other: string): boolean {
  const [first, second] = [one, other].map((host) => host?.replace(/^(?:localhost|\[::1\]):/, "127.0.0.1:"));
  return first === second;
}

async function hubsIn(folder: string): Promise<RunningEmulators[]> {
  if (!existsSync(folder)) return [];
  const projects = readdirSync(folder).flatMap((name) => /^hub-(.+)\.json$/.exec(name)?.[1] ?? []);
  const asked = await Promise.all(
    projects.map((project) => ask(originsIn(join(folder, `hub-${project}.json`)), project)),
  );
  return asked.flatMap((one) => (one?.hosts["firestore"] === undefined ? [] : [one]));
}

async function ask(origins: readonly string[], project: string): Promise<RunningEmulators | undefined> {
  for (const origin of origins) {
    try {
      const answer = await fetch(`${origin}/emulators`, { signal: AbortSignal.timeout(hubMsMax) });
      const known = Object.entries(emulators.parse(await answer.json()));
      const hosts = known.map(([name, { host, port }]) => [name, address(host, port)] as const);
      return { project, hosts: Object.fromEntries(hosts) };
    } catch {
      // Gone, or somebody else's port by now: the next origin, or none.
    }
  }
  return undefined;
}

function originsIn(path: string): string[] {
  try {
    return locator.parse(JSON.parse(readFileSync(path, "utf8"))).origins;
  } catch {
    return []; // another program's file, or one that is being written
  }
}

/** Hosts of IPv6 come without brackets; one that means "everywhere" is asked at home. */
function address(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `127.0.0.1:${port}`;
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
