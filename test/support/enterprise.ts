/**
 * A Firestore emulator of its own, in the Enterprise edition where it has one: firebase-tools starts it by
 * `emulators.firestore.edition`. hidane has one; of Firebase's own emulators the one that firebase-tools downloads, but not
 * the Google Cloud SDK's, which ignores the wish.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { type Emulator, findEmulator } from "../../scripts/emulator-probe.ts";
import { groupOf, kill } from "../../scripts/processes.ts";
import { root } from "../../scripts/project.ts";
import { freePorts } from "../../scripts/free-ports.ts";
import { patienceMs } from "./patience.ts";
import { createWorld, type World } from "./world.ts";

export interface EnterpriseEmulator {
  emulator: Emulator;
  host: string;
  /** A world on it. */
  world(): World;
  stop(): void;
}

export async function startEnterprise(): Promise<EnterpriseEmulator> {
  const emulator = await findEmulator();
  const { websocket, ...ports } = await freePorts(["firestore", "websocket", "hub", "logging"]);
  const folder = mkdtempSync(join(tmpdir(), "firerank-enterprise-"));
  const emulators: Record<string, object> = { ui: { enabled: false } };
  for (const [name, port] of Object.entries(ports)) emulators[name] = { host: "127.0.0.1", port };
  emulators["firestore"] = {
    ...emulators["firestore"],
    websocketPort: websocket,
    edition: "enterprise",
  };
  const config = join(folder, "firebase.json");
  writeFileSync(config, JSON.stringify({ firestore: { edition: "enterprise" }, emulators }));
  const log = join(folder, "emulators.log");
  const firebase = join(root, "node_modules", "firebase-tools", "lib", "bin", "firebase.js");
  const start = ["emulators:start", "--project", "demo-enterprise", "--config", config] as const;
  const [program, ...args] = [
    ...emulator.wrapper,
    process.execPath,
    firebase,
    ...start,
    "--only",
    "firestore",
  ] as const;
  const output = openSync(log, "w");
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...emulator.env, NO_UPDATE_NOTIFIER: "1" },
    detached: true,
    stdio: ["ignore", output, output],
  });
  const stop = () => {
    if (child.pid !== undefined) kill(groupOf(child.pid));
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + 4 * patienceMs();
  while (!readFileSync(log, "utf8").includes("All emulators ready")) {
    if (Date.now() > deadline || child.exitCode !== null) {
      const text = readFileSync(log, "utf8").slice(-3_000);
      stop();
      expect.fail(`The emulator did not start:\n${text}`);
    }
    await pause(100);
  }
  const host = `127.0.0.1:${ports["firestore"]}`;
  return {
    emulator,
    host,
    stop,
    world() {
      // The client takes the address when it is made.
      const others = process.env["FIRESTORE_EMULATOR_HOST"];
      process.env["FIRESTORE_EMULATOR_HOST"] = host;
      try {
        return createWorld();
      } finally {
        process.env["FIRESTORE_EMULATOR_HOST"] = others;
      }
    },
  };
}
