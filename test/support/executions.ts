/**
 * What the Functions emulator is running, by its own log: listeners of the Logging emulator get the start and the end
 * of each execution, and each whose process died.
 */
import { once } from "node:events";
import { region } from "../../scripts/project.ts";

export interface Executions {
  /** Executions of a function that have started and neither ended nor died. */
  underWay(name: string): number;
  /** Executions of a function that have ended by themselves, since the watch began. */
  finished(name: string): number;
  /** Executions of a function whose process died under them, since the watch began. */
  broken(name: string): number;
  /** Calls `listener` at the beginning of each execution. */
  onBegun(listener: (name: string) => void): void;
  close(): void;
}

interface LogMessage {
  message: string;
  timestamp: number;
  data?: { metadata?: { function?: { name?: string } } };
}

type Event = "begun" | "finished" | "broken";

/** Starts to watch the emulators whose hub (`FIREBASE_EMULATOR_HUB`) is at `hub`. */
export async function watchExecutions(hub: string): Promise<Executions> {
  const response = await fetch(`http://${hub}/emulators`);
  const { logging } = (await response.json()) as { logging: { host: string; port: number } };
  const counts = new Map<string, number>();
  const count = (event: Event, name: string) => counts.get(`${event} ${name}`) ?? 0;
  const listeners: ((name: string) => void)[] = [];
  const sinceMs = Date.now();
  const socket = new WebSocket(`ws://${logging.host}:${logging.port}`);
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as LogMessage;
    if (message.timestamp < sinceMs) return; // a new listener gets the whole log from the start
    const { event, name } = readEvent(message) ?? {};
    if (event === undefined || name === undefined) return;
    counts.set(`${event} ${name}`, count(event, name) + 1);
    if (event === "begun") for (const listener of listeners) listener(name);
  });
  await once(socket, "open");
  return {
    underWay: (name) => Math.max(0, count("begun", name) - count("finished", name) - count("broken", name)),
    finished: (name) => count("finished", name),
    broken: (name) => count("broken", name),
    onBegun: (listener) => listeners.push(listener),
    close() {
      socket.close();
    },
  };
}

function readEvent({ message, data }: LogMessage): { event: Event; name: string } | undefined {
  const short = (name: string) => name.replace(`${region}-`, "").replace(/-\d+$/, "");
  const [, what, name = ""] = /^(Beginning execution of|Finished) "([^"]+)"/.exec(message) ?? [];
  if (what !== undefined) return { event: what === "Finished" ? "finished" : "begun", name: short(name) };
  const broken = message.startsWith("Request to function failed")
    ? data?.metadata?.function?.name
    : undefined;
  return broken === undefined ? undefined : { event: "broken", name: short(broken) };
}
