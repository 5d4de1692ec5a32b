/** Runs commands as a stranger's terminal does. */
import { execFile } from "node:child_process";

/** The environment of that terminal: without the variables that name other emulators. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const others =
    /^(FIRESTORE_|FIREBASE_|CLOUD_TASKS_|GCLOUD_|FIRERANK_(?!EMULATOR$)|npm_|INIT_CWD|NODE_OPTIONS|VITEST)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}

/** Runs a command. @returns what it wrote to stdout @throws Error with all that it said, if it fails */
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
