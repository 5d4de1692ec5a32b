/**
 * A Firestore emulator of its own, in the Enterprise edition where it has one: firebase-tools starts it by
 * `emulators.firestore.edition`. hidane has one; of Firebase's own emulators the one that firebase-tools downloads, but not
 * the Google Cloud SDK's, which ignores the wish.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, findEmulator } from "../../scripts/emulator.ts";
import { becomesReady, launch } from "../../scripts/launch.ts";
import { groupOf, kill } from "../../scripts/processes.ts";
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
  const start = ["--project", "demo-enterprise", "--config", config, "--only", "firestore"];
  const child = launch(emulator, start, { cwd: folder, env: process.env, log });
  const stop = () => {
    if (child.pid !== undefined) kill(groupOf(child.pid));
    rmSync(folder, { recursive: true, force: true });
  };
  await becomesReady(child, log, { msMax: 4 * patienceMs() }).catch((error: unknown) => {
    stop();
    throw error;
  });
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
