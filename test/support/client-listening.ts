/** What a listener got, newest last, and a way to wait for it. */
import { expect, vi } from "vitest";
import { patienceMs } from "./patience.ts";
import { tornStreams } from "./torn-streams.ts";

/** The values that a listener got, newest last, and a way to wait for a certain one. */
export interface Heard<Value> {
  all: Value[];
  hear: (value: Value) => void;
  /**
   * Waits until the newest value passes a check that throws; returns that value.
   * @throws a fault of the emulator, after which the test is retried; see {@link tornStreams}.
   */
  until(check: (value: Value) => void): Promise<Value>;
  /** The same for a value with these fields, or null. */
  match(expected: object | null): Promise<Value>;
}

export function listen<Value>(): Heard<Value> {
  const all: Value[] = [];
  const tornBefore = tornStreams();
  const heard: Heard<Value> = {
    all,
    hear: (value) => all.push(value),
    async until(check) {
      const outcome = await vi.waitFor(
        () => {
          if (tornStreams() > tornBefore) return { torn: true } as const;
          const newest = all.at(-1);
          if (newest === undefined) throw new Error("nothing was heard yet");
          check(newest);
          return { newest };
        },
        { timeout: patienceMs(), interval: 50 },
      );
      if ("newest" in outcome) return outcome.newest;
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
