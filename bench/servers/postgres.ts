/** A PostgreSQL server of the benchmark's own, which runs as `nobody` where we are root. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { findProgram, freePort, type Running, startProgram } from "./program.ts";

const postgresPackage = "postgresql";
const found = { places: ["/usr/lib/postgresql/*/bin"] };

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

/** Makes an empty cluster. */
function makeCluster(initdb: string, data: string, user: User | undefined): void {
  mkdirSync(data, { mode: 0o700 });
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const making = ["-D", data, "-U", "bench", "--auth=trust", "--no-sync"];
  execFileSync(initdb, making, { cwd: data, ...user, stdio: "ignore" });
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

/** Does some work with a client of its own. */
export async function withPostgres<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
