/** A PostgreSQL server of the benchmark's own, which runs as `nobody` where we are root. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { workFolder } from "../../scripts/project.ts";
import {
  findProgram,
  freePort,
  missingProgram,
  programVersion,
  type Running,
  startProgram,
} from "./program.ts";

export const postgresPackage = "postgresql";
const found = { places: ["/usr/lib/postgresql/*/bin"] };

/** Why PostgreSQL cannot be started here, in a sentence; `undefined` if it can. */
export function missingPostgres(): string | undefined {
  return missingProgram("initdb", postgresPackage, found);
}

/** The version of PostgreSQL here; `undefined` if there is none. */
export function postgresVersion(): string | undefined {
  return programVersion("initdb", found);
}

/**
 * Starts PostgreSQL, with an empty database, on a free port.
 * @param pinned goes in front of the command.
 * @throws if it is not on this machine
 */
export async function startPostgres(
  folder: string,
  pinned: readonly string[] = [],
): Promise<Running & { url: string }> {
  const initdb = findProgram("initdb", postgresPackage, found);
  const server = findProgram("postgres", postgresPackage, { path: dirname(initdb), ...found });
  const data = join(folder, "postgres");
  const user = ordinaryUser();
  if (user !== undefined) chmodSync(folder, 0o711); // it has to pass through
  makeCluster(initdb, data, user);
  const options = { cwd: data, ...user };
  const port = await freePort();
  const url = `postgres://bench@127.0.0.1:${port}/postgres`;
  // Memory enough for table and index; nothing else is set, so that the planner decides as it does by default.
  const settings = ["fsync=off", "shared_buffers=512MB", "listen_addresses=127.0.0.1"];
  const args = ["-D", data, "-p", String(port), "-k", data, ...settings.flatMap((line) => ["-c", line])];
  const [program, ...rest] = [...pinned, server, ...args];
  const running = await startProgram({
    command: [program ?? "", ...rest],
    log: join(folder, "postgres.log"),
    options,
    ready: async () => (await withPostgres(url, (client) => client.query("select 1"))).rows.length === 1,
  });
  return { url, ...running };
}

/** Makes an empty cluster, which takes initdb seconds; a copy of the first one is kept for the others. */
function makeCluster(initdb: string, data: string, user: User | undefined): void {
  mkdirSync(data, { mode: 0o700 });
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const kept = join(workFolder(), `postgres-${postgresVersion() ?? ""}`);
  // -a: it is that user's.
  const copy = (from: string, to: string) => execFileSync("cp", ["-a", `${from}/.`, to]);
  if (existsSync(kept)) {
    copy(kept, data);
    return;
  }
  const making = ["-D", data, "-U", "bench", "--auth=trust", "--no-sync"];
  execFileSync(initdb, making, { cwd: data, ...user, stdio: "ignore" });
  const half = `${kept}.${process.pid}`;
  mkdirSync(half);
  copy(data, half);
  try {
    renameSync(half, kept);
  } catch {
    rmSync(half, { recursive: true }); // another process was first
  }
}

interface User {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

export async function connectPostgres(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Does some work with a client of its own. */
export async function withPostgres<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectPostgres(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
