/**
 * Counts what the Firebase JS SDK is billed for: the documents that arrive on its listen streams, from its log.
 *
 * Rules (https://firebase.google.com/docs/firestore/pricing): each document that is added to a result or changed in it
 * is a read, and so is one that leaves a result because it changed; an empty result is one read. The SDK gets
 * everything by listening, even what is read once.
 */
import { setLogLevel } from "firebase/firestore";
import { vi } from "vitest";

export interface ListenMeter {
  /** Reads since the last call. */
  reads(): number;
  end(): void;
}

/**
 * Meters all clients of this process, until it ends. Meanwhile the SDK logs to the console, which is silenced.
 * @param setLevel that of another SDK than the tests', to meter its clients.
 */
export function meterListening(setLevel = setLogLevel): ListenMeter {
  let total = 0;
  let told = 0;
  /** Targets without a document so far. */
  const empty = new Set<number>();

  function received(message: string): void {
    const kind = /^\{\s*(\w+):/.exec(message)?.[1];
    if (kind === "documentChange" || kind === "documentRemove") {
      const targets = [...numbersAfter("targetIds", message), ...numbersAfter("removedTargetIds", message)];
      for (const target of targets) empty.delete(target);
      total += targets.length;
    }
    if (kind === "targetChange" && message.includes("targetChangeType: 'CURRENT'")) {
      for (const target of numbersAfter("targetIds", message)) if (empty.delete(target)) total += 1;
    }
  }

  const log = vi.spyOn(console, "log").mockImplementation((...args: unknown[]) => {
    const [, , text, message] = args;
    if (typeof text !== "string" || typeof message !== "string") return;
    if (!text.startsWith("RPC 'Listen' stream")) return;
    if (text.endsWith("received:")) received(message);
    const added = text.endsWith("sending:") ? /addTarget: .*\btargetId: (\d+)/s.exec(message) : null;
    if (added !== null) empty.add(Number(added[1]));
  });
  setLevel("debug");
  return {
    reads() {
      const since = total - told;
      told = total;
      return since;
    },
    end() {
      setLevel("error");
      log.mockRestore();
    },
  };
}

/** The numbers of the first list with a name, in a message as the SDK writes it: `targetIds: [ 2, 4 ]`. */
function numbersAfter(name: string, message: string): number[] {
  const list = new RegExp(`\\b${name}: \\[([\\d, ]*)\\]`).exec(message)?.[1] ?? "";
  return list.split(",").flatMap((item) => (item.trim() === "" ? [] : [Number(item)]));
}
