/** Finds programs on this machine, starts them on their own ports, and ends them. */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { accessSync, constants, globSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../scripts/free-ports.ts";

/** Where programs are looked for. */
interface Places {
  /** As in the environment. */
  path?: string;
  /** Folders with `*`, of which the last is taken. */
  places?: string[];
}

/**
 * Where a program is: on the PATH, or in a folder of one of the `places`.
 * @throws naming the Debian package that has it.
 */
export function findProgram(name: string, debianPackage: string, where: Places = {}): string {
  const found = lookFor(name, where);
  if (found !== undefined) return found;
  throw new Error(
    `${name} is not on this machine, and this benchmark compares with it; on Debian and Ubuntu, apt-get install ${debianPackage} brings it.`,
  );
}

function lookFor(
  name: string,
  { path = process.env["PATH"] ?? "", places = [] }: Places,
): string | undefined {
  const folders = [
    ...path.split(delimiter).filter((folder) => folder !== ""),
    ...places.flatMap((place) => globSync(place).sort().reverse()),
  ];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  return (await freePorts(["port"])).port;
}

export interface Running {
  pid: number;
  /** Tells it to end, and waits until it has. */
  stop(): Promise<void>;
}

interface Start {
  command: readonly [program: string, ...args: string[]];
  /** Where its output goes; what it said last is part of the error if it ends too soon. */
  log: string;
  /** Keeps only what it says of errors. */
  quiet?: boolean;
  options?: SpawnOptions;
  /** Whether it is ready; asked until it is. */
  ready: () => Promise<boolean>;
}

const readyMsMax = 30_000;
const askAgainMs = 50;
const stopMsMax = 10_000;

/** Starts a program and waits until it is ready. @throws with the end of its log if it ends instead, or takes 30 s */
export async function startProgram({
  command,
  log,
  quiet = false,
  options = {},
  ready,
}: Start): Promise<Running> {
  mkdirSync(dirname(log), { recursive: true });
  const file = openSync(log, "w");
  const [program, ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ["ignore", quiet ? "ignore" : file, file] });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => {
      resolve(error.message);
    });
    child.once("exit", (code, signal) => {
      resolve(`it ended with ${signal ?? `code ${code}`}`);
    });
  });
  const deadline = Date.now() + readyMsMax;
  for (;;) {
    if (await ready().catch(() => false)) break;
    const how = await Promise.race([ended, sleep(askAgainMs)]);
    if (how === undefined && Date.now() < deadline) continue;
    await stopChild(child, ended);
    const said = readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n");
    throw new Error(`${program} did not start: ${how ?? "it was not ready after 30 s"}.\n${said}`);
  }
  if (child.pid === undefined) throw new Error(`${program} has no process`);
  return { pid: child.pid, stop: () => stopChild(child, ended) };
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const runs = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (runs()) child.kill("SIGINT"); // for PostgreSQL this means a fast, clean shutdown
  await Promise.race([ended, sleep(stopMsMax, undefined, { ref: false })]);
  if (runs()) child.kill("SIGKILL");
  await ended;
}
