import { expect, test } from "vitest";
import { publishAttemptsMax } from "../model/limits.ts";
import { grpc } from "./retryable.ts";
import { tryAgain } from "./try-again.ts";

const busy = Object.assign(new Error("busy"), { code: grpc.aborted });

/** Work that fails a number of times, and what was waited for. */
function failing(times: number, error: Error = busy) {
  const waits: number[] = [];
  const patience = {
    sleep: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
    random: () => 0.5,
  };
  let attempts = 0;
  const work = () => {
    attempts += 1;
    return attempts <= times ? Promise.reject(error) : Promise.resolve("done");
  };
  return { patience, work, waits, attempts: () => attempts };
}

test("work that succeeds is done once, and each wait after a failure is twice as long as the one before", async () => {
  const [once, later] = [failing(0), failing(3)];
  expect(await tryAgain(once.patience, once.work)).toBe("done");
  expect([once.attempts(), once.waits]).toEqual([1, []]);
  expect(await tryAgain(later.patience, later.work)).toBe("done");
  expect(later.waits).toEqual([75, 150, 300]);
  const longer = failing(2);
  await tryAgain(longer.patience, longer.work, { firstWaitMs: 500 });
  expect(longer.waits).toEqual([750, 1_500]);
});

test("the error of the last attempt is thrown", async () => {
  const { patience, work, waits, attempts } = failing(Infinity);
  await expect(tryAgain(patience, work)).rejects.toBe(busy);
  expect(attempts()).toBe(publishAttemptsMax);
  expect(waits).toHaveLength(publishAttemptsMax - 1);
});

test("an error that is not temporary is thrown at once", async () => {
  const { patience, work, attempts } = failing(1, new Error("wrong"));
  await expect(tryAgain(patience, work)).rejects.toThrow("wrong");
  expect(attempts()).toBe(1);
});

test("the caller decides which errors are temporary", async () => {
  const wrong = new Error("wrong");
  const { patience, work, attempts } = failing(2, wrong);
  await tryAgain(patience, work, { mayPass: (error) => error === wrong });
  expect(attempts()).toBe(3);
});
