/**
 * The emulator suite (Firestore, Functions, Auth, Tasks, Hosting) as one unit to start and stop:
 *
 *     const suite = await startSuite({ ports: "tests" });
 *     … runCommand("vitest run", { ...process.env, ...suite.env }) …
 *     await suite.stop();
 *
 * Anything that ends this process ends the emulators too.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { findEmulator, type Emulator } from "./emulator.ts";
import { becomesReady, endOf, launch } from "./launch.ts";
import { assertPortsFree, configFor, type Ports, type PortsChoice } from "./ports.ts";
import { endWithThisProcess, groupOf, kill, type RunningProcess } from "./processes.ts";
import { projectId, region, workFolder } from "./project.ts";

export interface Suite {
  /** What clients and Admin SDKs need in their environment to find the emulators instead of Google. */
  env: Record<string, string>;
  ports: Ports;
  emulator: Emulator;
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
  const { remember, child, ...emulators } = start(emulator, config.path, logPath, choice);
  try {
    await becomesReady(child, logPath, { msMax: readySecondsMax * 1000, meanwhile: remember });
    if (!(await hasFunctions(config.ports)))
      throw new Error(`The emulators run, but no function was loaded.\n\n${endOf(logPath)}\n`);
  } catch (error) {
    await emulators.stop();
    throw error;
  }
  return {
    env: environment(config.ports),
    ports: config.ports,
    emulator,
    startedAfter: (Date.now() - startedAt) / 1000,
    errors: () => errorsIn(logPath),
    ...emulators,
  };
}

/**
 * Starts firebase-tools. It is one function, as its end is a failure unless `stop` was called, and `stop` kills what
 * `remember` has found: the processes of the moment, so that none is lost if its parent ends first.
 */
function start(emulator: Emulator, configPath: string, logPath: string, choice: PortsChoice) {
  const started = "auth,firestore,functions,hosting,tasks";
  const child = launch(emulator, ["--project", projectId, "--config", configPath, "--only", started], {
    cwd: workFolder(choice),
    // It gives a codebase ten seconds to load, in which a busy machine may not.
    env: {
      FUNCTIONS_DISCOVERY_TIMEOUT: String(readySecondsMax / 2),
      ...process.env,
      // Tests say themselves when the schedule runs (test/support/schedule.ts).
      ...(choice === "tests" && { FIRERANK_EMULATOR_CLOCK: "off" }),
    },
    log: logPath,
  });

  let known: RunningProcess[] = [];
  const remember = () => {
    known = child.pid === undefined ? [] : [...known, ...groupOf(child.pid)];
  };
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started (${error.message})`));
    child.once("exit", (code, signal) => resolve(`ended by themselves (${signal ?? `exit code ${code}`})`));
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
  return { child, failure, stop, remember };
}

/** Whether the Functions emulator has loaded any. It has no list of them, but names them all when it finds one missing. */
async function hasFunctions(ports: Ports): Promise<boolean> {
  const response = await fetch(
    `http://127.0.0.1:${ports["functions"]}/${projectId}/${region}/no-such-function`,
  );
  return /valid functions are: \S/.test(await response.text());
}

const errorsMax = 20;
const errorLengthMax = 1_500;

/** Lines that the functions' logger wrote with the severity ERROR. */
function errorsIn(logPath: string): string[] {
  const lines = stripVTControlCharacters(readFileSync(logPath, "utf8")).split("\n");
  const errors = lines.filter((line) => line.includes('"severity":"ERROR"'));
  return errors.slice(-errorsMax).map((line) => line.slice(0, errorLengthMax));
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
