/**
 * What the emulators are started with: firebase.json for people; for the tests, which may run meanwhile, other ports, and
 * the codebase of examples/events beside Firerank's.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { root } from "./project.ts";

export type PortsChoice = "default" | "tests";

/** Port by emulator: `auth`, `firestore`, `functions`, `tasks`, `hosting`, `hub`, `logging`. */
export type Ports = Record<string, number>;

interface FirebaseConfig {
  functions: object[];
  emulators: Record<string, { port?: number } | boolean>;
}

/** `FIRERANK_TESTS_OFFSET` lets two clones run their tests at the same time. */
const testsOffset = Number(process.env["FIRERANK_TESTS_OFFSET"] ?? 10_000);

/** The file to start the emulators with, and the ports it names. For the tests, the file is written first. */
export function configFor(choice: PortsChoice): { path: string; ports: Ports } {
  const path = join(root, "firebase.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as FirebaseConfig;
  if (choice === "default") {
    return { path, ports: portsOf(config) };
  }
  const testsConfig = withExamples(withPortsMoved(config, testsOffset));
  // Beside firebase.json, because firebase-tools takes the folder of its configuration for the project's.
  const testsPath = join(root, "firebase.tests.json");
  writeFileSync(testsPath, `${JSON.stringify(testsConfig, null, 2)}\n`);
  return { path: testsPath, ports: portsOf(testsConfig) };
}

/** Throws, naming the emulator and what to do, if a port is in use. firebase-tools would wait or move on. */
export async function assertPortsFree(ports: Ports): Promise<void> {
  const taken: [emulator: string, port: number][] = [];
  for (const [emulator, port] of Object.entries(ports)) {
    if (!((await isFree(port, "127.0.0.1")) && (await isFree(port, "::1")))) {
      taken.push([emulator, port]);
    }
  }
  const [first] = taken;
  if (first !== undefined) {
    const list = taken.map(([emulator, port]) => `port ${port} (the ${emulator} emulator)`).join(", ");
    throw new Error(
      `In use already: ${list}. Are the emulators running in another terminal? ` +
        `Stop what is there (\`lsof -i :${first[1]}\` shows it), or give the emulator another port in firebase.json, ` +
        "then try again.",
    );
  }
}

function withPortsMoved(config: FirebaseConfig, offset: number): FirebaseConfig {
  const emulators = Object.entries(config.emulators).map(([name, value]) => [
    name,
    typeof value === "object" && value.port !== undefined ? { ...value, port: value.port + offset } : value,
  ]);
  return { ...config, emulators: Object.fromEntries(emulators) as FirebaseConfig["emulators"] };
}

/** As examples/README.md tells its readers; what it needs, scripts/run.mjs lends from functions/. */
function withExamples({ functions, ...config }: FirebaseConfig): FirebaseConfig {
  const events = { source: "examples/events", codebase: "events", runtime: "nodejs24" };
  return { ...config, functions: [...functions, events] };
}

function portsOf(config: FirebaseConfig): Ports {
  return Object.fromEntries(
    Object.entries(config.emulators).flatMap(([name, value]) =>
      typeof value === "object" && value.port !== undefined ? [[name, value.port]] : [],
    ),
  );
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code !== "EADDRINUSE"); // a missing IPv6, for instance, is no reason to stop
    });
    server.listen(port, host, () => {
      server.close(() => resolve(true));
    });
  });
}
