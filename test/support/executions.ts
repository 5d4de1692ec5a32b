/**
 * What the Functions emulator is running, by its own log: listeners of the Logging emulator get the start and the end
 * of each execution.
 */
import { once } from "node:events";
import { region } from "../../scripts/project.ts";

export interface Executions {
  /** Executions of a function that have started and not ended. */
  underWay(name: string): number;
  /** Executions of a function that have ended, since the watch began. */
  finished(name: string): number;
  close(): void;
}

interface LogMessage {
  message: string;
  timestamp: number;
}

type Event = "begun" | "finished";

/** Starts to watch the emulators whose hub (`FIREBASE_EMULATOR_HUB`) is at `hub`. */
export async function watchExecutions(hub: string): Promise<Executions> {
  const response = await fetch(`http://${hub}/emulators`);
  const { logging } = (await response.json()) as { logging: { host: string; port: number } };
  const counts = new Map<string, number>();
  const count = (event: Event, name: string) => counts.get(`${event} ${name}`) ?? 0;
  const sinceMs = Date.now();
  const socket = new WebSocket(`ws://${logging.host}:${logging.port}`);
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as LogMessage;
    if (message.timestamp < sinceMs) return; // a new listener gets the whole log from the start
    const { event, name } = readEvent(message) ?? {};
    if (event === undefined || name === undefined) return;
    counts.set(`${event} ${name}`, count(event, name) + 1);
  });
  await once(socket, "open");
  return {
    underWay: (name) => Math.max(0, count("begun", name) - count("finished", name)),
    finished: (name) => count("finished", name),
    close() {
      socket.close();
    },
  };
}

function readEvent({ message }: LogMessage): { event: Event; name: string } | undefined {
  const [, what, name] = /^(Beginning execution of|Finished) "([^"]+)"/.exec(message) ?? [];
  if (name === undefined) return undefined;
  const short = name.replace(`${region}-`, "").replace(/-\d+$/, "");
  return { event: what === "Finished" ? "finished" : "begun", name: short };
}
