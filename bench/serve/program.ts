/** Starts programs on ports of their own, and ends them. */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../../scripts/free-ports.ts";

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
  /** What goes before it, such as what pins it to a core, included. */
  command: readonly string[];
  /** Where its output goes; what it said last is part of the error if it ends too soon. */
  log: string;
  /** Keeps only what it says of errors. */
  quiet?: boolean;
  options?: SpawnOptions;
  /** Whether it is ready; asked until it is. */
  ready: () => Promise<unknown>;
  /** The Debian package that has it. */
  debianPackage?: string;
}

const readyMsMax = 120_000; // on a busy machine
const askAgainMs = 50;
const stopMsMax = 10_000;

/** Starts a program and waits until it is ready. @throws with the end of its log if it ends instead, or takes two minutes */
export async function startProgram(start: Start): Promise<Running> {
  const { command, log, quiet = false, options = {}, ready, debianPackage } = start;
  mkdirSync(dirname(log), { recursive: true });
  const file = openSync(log, "w");
  const [program = "", ...args] = command;
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
  while (!(await ready().catch(() => false))) {
    const how = await Promise.race([ended, sleep(askAgainMs)]);
    if (how === undefined && Date.now() < deadline) continue;
    await stopChild(child, ended);
    const said = readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n");
    const hint = debianPackage === undefined ? "" : ` Debian's package ${debianPackage} brings it.`;
    const why = how ?? "it was not ready after two minutes";
    throw new Error(`${command.join(" ")} did not start: ${why}.${hint}\n${said}`);
  }
  return { pid: child.pid ?? NaN, stop: () => stopChild(child, ended) };
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const runs = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (runs()) child.kill("SIGINT"); // for PostgreSQL this means a fast, clean shutdown
  await Promise.race([ended, sleep(stopMsMax, undefined, { ref: false })]);
  if (runs()) child.kill("SIGKILL");
  await ended;
}
