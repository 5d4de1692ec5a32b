/** Starts programs, and ends them. */
import { spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
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

const readyMsMax = 120_000; // on a busy machine
const askAgainMs = 50;
const stopMsMax = 10_000;

/**
 * Starts a program and waits until it is ready. What it says of errors comes to this terminal.
 * @param ready asked until it is.
 * @throws if it is not there, ends instead, or takes two minutes
 */
export async function startProgram(
  [program = "", ...args]: readonly string[],
  ready: () => Promise<unknown>,
  options: SpawnOptions = {},
): Promise<Running> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  const deadline = Date.now() + readyMsMax;
  while (!(await ready().catch(() => false))) {
    const isOver = (await Promise.race([ended, sleep(askAgainMs)])) !== undefined;
    if (!isOver && Date.now() < deadline) continue;
    child.kill("SIGKILL");
    throw new Error(`${program} ended before it was ready, or is not after two minutes.`);
  }
  return {
    pid: child.pid ?? NaN,
    async stop() {
      child.kill("SIGINT"); // for PostgreSQL this means a fast, clean shutdown
      const late = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
      await ended;
      clearTimeout(late);
    },
  };
}
