/**
 * The emulator suite (Firestore, Functions, Auth, Tasks, Hosting) as one unit to start and stop:
 *
 *     const suite = await startSuite({ ports: "tests" });
 *     … runCommand("vitest", ["run"], { ...process.env, ...suite.env }) …
 *     await suite.stop();
 *
 * Anything that ends this process ends the emulators too.
 */
import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { findEmulator, type Emulator } from "./emulator-probe.ts";
import { loadedFunctions } from "./loaded-functions.ts";
import { assertPortsFree, configFor, type Ports, type PortsChoice } from "./ports.ts";
import { endWithThisProcess, groupOf, kill, type RunningProcess } from "./processes.ts";
import { projectId, root, workFolder } from "./project.ts";

export interface Suite {
  /** What clients and Admin SDKs need in their environment to find the emulators instead of Google. */
  env: Record<string, string>;
  ports: Ports;
  /** Which Firestore emulator it runs. */
  emulator: Emulator;
  /** The functions that were loaded. */
  functions: string[];
  /** How long it took, in seconds. */
  startedAfter: number;
  /** Rejects if the emulators end by themselves; otherwise stays pending. */
  failure: Promise<never>;
  /** The functions' logged errors: the last lines, truncated if long. */
  errors: () => string[];
  /** Resolves when no process of the suite is left. */
  stop: () => Promise<void>;
}

const readySecondsMax = 120;
const stopSecondsMax = 10;

export async function startSuite({ ports: choice }: { ports: PortsChoice }): Promise<Suite> {
  const config = configFor(choice);
  await assertPortsFree(config.ports);
  const emulator = await findEmulator();
  console.log(`Firestore emulator: ${emulator.name} (${emulator.why}).`);

  const startedAt = Date.now();
  const logPath = join(workFolder(), `emulators-${choice}.log`);
  const emulators = launch(emulator, config.path, logPath, choice);
  try {
    await becomesReady(emulators, logPath);
    const functions = await loadedFunctions(`127.0.0.1:${config.ports["functions"]}`);
    if (functions.length === 0) {
      throw new Error("The emulators run, but no function was loaded.");
    }
    return {
      env: environment(config.ports),
      ports: config.ports,
      emulator,
      functions,
      startedAfter: (Date.now() - startedAt) / 1000,
      errors: () => errorsIn(logPath),
      failure: emulators.failure,
      stop: emulators.stop,
    };
  } catch (error) {
    const log = endOf(logPath);
    await emulators.stop();
    const where = relative(process.cwd(), logPath);
    throw new Error(`${(error as Error).message} The end of ${where}:\n\n${log}\n`, { cause: error });
  }
}

interface Launched {
  failure: Promise<never>;
  stop: () => Promise<void>;
  /** Records the current processes, so that none is lost if its parent ends first. */
  remember: () => void;
}

/**
 * Starts firebase-tools. It is one function, as its end is a failure unless `stop` was called, and `stop` kills what
 * `remember` has found.
 */
function launch(emulator: Emulator, configPath: string, logPath: string, choice: PortsChoice): Launched {
  const log = openSync(logPath, "w");
  const firebase = join(root, "node_modules", "firebase-tools", "lib", "bin", "firebase.js");
  const [program, ...args] = [
    ...emulator.wrapper,
    process.execPath,
    firebase,
    "emulators:start",
    "--project",
    projectId,
    "--config",
    configPath,
    "--only",
    "auth,firestore,functions,hosting,tasks",
  ] as const;
  const child = spawn(program, args, {
    cwd: workFolder(choice), // where firebase-tools leaves its own debug logs
    // It gives a codebase ten seconds to load, in which a busy machine may not.
    env: {
      FUNCTIONS_DISCOVERY_TIMEOUT: String(readySecondsMax / 2),
      ...process.env,
      ...emulator.env,
      NO_UPDATE_NOTIFIER: "1",
      // Each process of the functions loads the same modules.
      NODE_COMPILE_CACHE: workFolder("compiled"),
      // Tests, the demo and `npm run emulators` say themselves when schedules run (clock.ts).
      FIRERANK_EMULATOR_CLOCK: "off",
    },
    // Its own group: Ctrl-C in the terminal reaches only us, and we stop the suite in order.
    detached: true,
    stdio: ["ignore", log, log],
  });

  let known: RunningProcess[] = [];
  const remember = () => {
    known = child.pid === undefined ? [] : [...known, ...groupOf(child.pid)];
  };
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => {
      resolve(`could not be started (${error.message})`);
    });
    child.once("exit", (code, signal) => {
      resolve(`ended by themselves (${signal ?? `exit code ${code}`})`);
    });
  });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopNow());
  const stopNow = async () => {
    remember();
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, "SIGINT");
      await Promise.race([exited, sleep(stopSecondsMax * 1000, undefined, { ref: false })]);
    }
    remember();
    kill(known);
    if (child.pid !== undefined) {
      await exited;
    }
  };
  const failure = exited.then((how) => {
    if (stopped === undefined) {
      throw new Error(`The emulators ${how}.`);
    }
    return new Promise<never>(() => undefined);
  });
  failure.catch(() => undefined); // callers may wait for it, but need not
  endWithThisProcess(stop, () => {
    remember();
    return known;
  });
  return { failure, stop, remember };
}

async function becomesReady({ failure, remember }: Launched, logPath: string): Promise<void> {
  const deadline = Date.now() + readySecondsMax * 1000;
  // firebase-tools logs this after it has loaded the functions; their port is open long before.
  while (!readFileSync(logPath, "utf8").includes("All emulators ready")) {
    if (Date.now() > deadline) {
      throw new Error(`The emulators were not ready after ${readySecondsMax} seconds.`);
    }
    await Promise.race([failure, sleep(200)]);
    remember();
  }
}

const errorsMax = 20;
const errorLengthMax = 1_500;

/** Lines that the functions' logger wrote with the severity ERROR. */
function errorsIn(logPath: string): string[] {
  const lines = stripVTControlCharacters(readFileSync(logPath, "utf8")).split("\n");
  const errors = lines.filter((line) => line.includes('"severity":"ERROR"'));
  return errors.slice(-errorsMax).map((line) => line.slice(0, errorLengthMax));
}

/** The last lines of the log, without the table of addresses that firebase-tools ends with when all seems well. */
function endOf(logPath: string): string {
  const [report = ""] = stripVTControlCharacters(readFileSync(logPath, "utf8")).split("\n\n┌");
  return report.trimEnd().split("\n").slice(-30).join("\n");
}

function environment(ports: Ports): Record<string, string> {
  const host = (emulator: string) => `127.0.0.1:${ports[emulator]}`;
  return {
    FIRESTORE_EMULATOR_HOST: host("firestore"),
    FIREBASE_AUTH_EMULATOR_HOST: host("auth"),
    FIREBASE_FUNCTIONS_EMULATOR_HOST: host("functions"),
    CLOUD_TASKS_EMULATOR_HOST: host("tasks"),
    FIREBASE_EMULATOR_HUB: host("hub"),
    FIRERANK_DASHBOARD: `http://${host("hosting")}`,
    GCLOUD_PROJECT: projectId,
    METADATA_SERVER_DETECTION: "none",
  };
}
