/** What the functions' code logs, as a line for a person: with the board and season that it is about, and the reason. */
import type { Log } from "../functions/src/world/services.ts";

export const terminalLog: Log = { info: () => undefined, warn: say, error: say };

function say(message: string, fields: object = {}): void {
  const about = Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" || typeof value === "number"
      ? `${name}: ${String(value).split("\n", 1)[0] ?? ""}`
      : [],
  );
  console.error(["Note: ", message, about.length === 0 ? "" : ` (${about.join(", ")})`].join(""));
}
