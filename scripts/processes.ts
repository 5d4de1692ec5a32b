/**
 * Starts commands, and ends them with everything they started.
 *
 * The emulators are a tree of processes (firebase-tools, Java, a Node for each function), some in their own process
 * groups, so that neither a signal to one process nor one to a group reaches them all.
 */
import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { constants } from "node:os";

export interface RunningProcess {
  pid: number;
  parent: number;
  /** Its process group. */
  group: number;
  /** When it was started, in the system's own notation: distinguishes it from a later process with the same number. */
  started: string;
  /** Processor time that it has used; NaN where the system does not say. */
  cpuSeconds: number;
}

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

/** All processes that `pid` started, and those that they started. */
export function descendantsOf(pid: number): RunningProcess[] {
  return withDescendants([], [pid], runningProcesses());
}

/** The process group of `leader`, even if that has ended, and all descendants. */
export function groupOf(leader: number): RunningProcess[] {
  const all = runningProcesses();
  const members = all.filter(({ group }) => group === leader);
  return withDescendants(members, [leader, ...members.map(({ pid }) => pid)], all);
}

/** Kills the processes that are still running, at once. */
export function kill(processes: readonly RunningProcess[]): void {
  const key = ({ pid, started }: RunningProcess) => `${pid} ${started}`;
  const running = new Set(runningProcesses().map(key));
  for (const target of processes.filter((process) => running.has(key(process)))) {
    try {
      process.kill(target.pid, "SIGKILL");
    } catch {
      // It ended in between.
    }
  }
}

/**
 * A process's command line and its environment, as one text; empty if it has ended or belongs to another user. Both are
 * as at its start.
 */
export function commandOf({ pid }: Pick<RunningProcess, "pid">): string {
  if (!existsSync("/proc/self/environ")) {
    const environment = process.platform === "darwin" ? "-E" : "-e";
    return spawnSync("ps", [environment, "-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" })
      .stdout;
  }
  try {
    const [command, environment] = ["cmdline", "environ"].map((file) =>
      readFileSync(`/proc/${pid}/${file}`, "utf8"),
    );
    return `${command}\0${environment}`.replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Runs a shell's command on this terminal; returns its exit code (128 + n where signal n ended it, as shells do). */
export function runCommand(command: string, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { env, shell: true, stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** The environment of a stranger's terminal: without the variables that name other emulators. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const others =
    /^(FIRESTORE_|FIREBASE_|CLOUD_TASKS_|GCLOUD_|FIRERANK_(?!EMULATOR$)|npm_|INIT_CWD|NODE_OPTIONS|VITEST)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}

/**
 * Runs a command as a stranger's terminal does.
 * @returns what it wrote to stdout
 * @throws Error with all that it said, if it fails
 */
export function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  return runWith({}, cwd, command, ...args);
}

/** The same with variables beside its own. */
export function runWith(
  variables: NodeJS.ProcessEnv,
  cwd: string,
  command: string,
  ...args: readonly string[]
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...ownEnvironment(), ...variables }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(" ")} in ${cwd}:\n${stdout}\n${stderr}`));
    });
    child.stdin?.end();
  });
}

/**
 * Calls `stop` when this process is told to end (Ctrl-C, `kill`, a closed terminal), and ends it then. A second signal
 * does not wait for `stop`. On every exit, even after an uncaught error, `started` and all descendants are killed.
 */
export function endWithThisProcess(
  stop: () => Promise<void>,
  started: () => readonly RunningProcess[],
): void {
  let firstSignalAt: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      const end = () => process.exit(128 + constants.signals[signal]);
      if (firstSignalAt === undefined) {
        firstSignalAt = Date.now();
        stop().then(end, end);
      } else if (Date.now() - firstSignalAt > 500) {
        end(); // not the same Ctrl-C, passed on by npm a second time
      }
    });
  }
  process.on("exit", () => kill([...started(), ...descendantsOf(process.pid)]));
}

function withDescendants(
  found: readonly RunningProcess[],
  parents: readonly number[],
  all: readonly RunningProcess[],
): RunningProcess[] {
  const children = all.filter((process) => parents.includes(process.parent) && !found.includes(process));
  const together = [...found, ...children];
  const pids = children.map(({ pid }) => pid);
  return children.length === 0 ? together : withDescendants(together, pids, all);
}

/** Those of every user. */
export function runningProcesses(): RunningProcess[] {
  return existsSync("/proc/self/stat") ? fromProc() : fromPs();
}

/** Linux, where small images have no `ps`. */
function fromProc(): RunningProcess[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) {
      return [];
    }
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      // "pid (name) state parent … utime stime … starttime …"; the name may hold spaces and brackets.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (fields[0] === "Z") return [];
      const [parent = NaN, group = NaN] = fields.slice(1, 3).map(Number);
      const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
      return [{ pid: Number(entry), parent, group, started: String(fields[19]), cpuSeconds }];
    } catch {
      return []; // it ended in between
    }
  });
}

function fromPs(): RunningProcess[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,lstart="], { encoding: "utf8" });
  return Array.from(stdout.matchAll(/^ *(\d+) +(\d+) +(\d+) +(.*)$/gm), ([, ...parts]) => {
    const [pid = NaN, parent = NaN, group = NaN] = parts.map(Number);
    return { pid, parent, group, started: String(parts[3]), cpuSeconds: NaN };
  });
}
