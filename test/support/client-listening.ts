/** What a listener got, newest last, and a way to wait for it. */
import "firebase/firestore";
import { onLog } from "firebase/app";
import { expect, vi } from "vitest";
import { patienceMs } from "./patience.ts";

/**
 * Streams torn in this process, a fault of Google's emulator: over gRPC it sometimes interleaves two messages of one
 * listener's stream. The client library then sees a message of gigabytes, and listens again only up to 90 seconds later.
 */
let torn = 0;
onLog(
  ({ message }) => {
    if (message.includes("Received message larger than max")) torn += 1;
  },
  { level: "warn" },
);

export interface Heard<Value> {
  all: Value[];
  hear: (value: Value) => void;
  /**
   * Waits until the newest value passes a check that throws; returns that value.
   * @throws for a torn stream an error that names its issue: only after this one vitest.config.ts retries a test.
   */
  until(check: (value: Value) => void): Promise<Value>;
  /** The same for a value with these fields, or null. */
  match(expected: object | null): Promise<Value>;
}

export function listen<Value>(): Heard<Value> {
  const all: Value[] = [];
  const tornBefore = torn;
  const heard: Heard<Value> = {
    all,
    hear: (value) => all.push(value),
    async until(check) {
      const newest = await vi.waitFor(
        () => {
          if (torn > tornBefore) return undefined;
          const value = all.at(-1);
          if (value === undefined) throw new Error("nothing was heard yet");
          check(value);
          return { value };
        },
        { timeout: patienceMs(), interval: 50 },
      );
      if (newest !== undefined) return newest.value;
      throw new Error("The emulator tore a stream: https://github.com/firebase/firebase-tools/issues/8654");
    },
    match: (expected) =>
      heard.until((value) => {
        if (expected === null) expect(value).toBeNull();
        else expect(value).toMatchObject(expected);
      }),
  };
  return heard;
}
