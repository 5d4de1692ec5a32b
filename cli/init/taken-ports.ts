/** The ports of this computer that emulators would find taken. */
import { once } from "node:events";
import { createServer } from "node:net";
import { emulatorPorts } from "./merge-firebase-json.ts";

/** As many above each usual port are looked at. */
const above = 20;

/** Those among the emulators' usual ports, and the next ones, that something listens to. */
export async function takenPorts(
  usual: readonly number[] = Object.values(emulatorPorts),
): Promise<Set<number>> {
  const all = usual.flatMap((first) => Array.from({ length: above }, (_, i) => first + i));
  const taken = await Promise.all(all.map(async (port) => ((await isTaken(port)) ? [port] : [])));
  return new Set(taken.flat());
}

async function isTaken(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return false;
  } catch {
    return true;
  } finally {
    server.close();
  }
}
