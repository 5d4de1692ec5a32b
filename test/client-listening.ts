/** What a listener was told, and a way to wait for it. */
import { vi } from "vitest";

/** What a listener was told, newest last, and a way to wait for what it will be. */
export interface Heard<Value> {
  all: Value[];
  hear: (value: Value) => void;
  /** Waits until the newest value passes a check that throws; returns that value. */
  until(check: (value: Value) => void): Promise<Value>;
}

export function listen<Value>(): Heard<Value> {
  const all: Value[] = [];
  return {
    all,
    hear: (value) => all.push(value),
    until: (check) =>
      vi.waitFor(
        () => {
          const newest = all.at(-1);
          if (newest === undefined) throw new Error("nothing was heard yet");
          check(newest);
          return newest;
        },
        { timeout: 45_000, interval: 50 },
      ),
  };
}
