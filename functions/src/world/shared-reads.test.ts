import { expect, test } from "vitest";
import { createSharedReads, sharedReadMsMax } from "./shared-reads.ts";

/** Shared reads with a clock that the test moves, and a source whose answers the test gives. */
function setUp({ keepMs = 60_000, renewMs = keepMs }: { keepMs?: number; renewMs?: number } = {}) {
  let nowMs = 1_000_000;
  const begun: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const reads = createSharedReads<string>({ now: () => nowMs, max: 3, keepMs, renewMs });
  const read = () =>
    new Promise<string>((answer, fail) => {
      begun.push({ answer, fail });
    });
  const ask = async (key = "a") => (await reads.get(key, read)).value;
  return {
    reads,
    begun,
    advance: (ms: number) => void (nowMs += ms),
    ask,
    /** Asks for a key of which nothing is known, and answers. */
    begin: async (value: string, key?: string) => {
      const asked = ask(key);
      begun.at(-1)?.answer(value);
      await asked;
    },
  };
}

test("requests for a key that is being read share one read, and other keys have their own", async () => {
  const { ask, begun } = setUp();
  const answers = Promise.all([ask(), ask(), ask("b"), ask()]);
  expect(begun).toHaveLength(2);
  begun[0]?.answer("first");
  begun[1]?.answer("other");
  expect(await answers).toEqual(["first", "first", "other", "first"]);
  expect(await ask()).toBe("first");
  expect(begun).toHaveLength(2);
});

test("a read that fails rejects for all that wait for it and is not kept, and the next request reads again", async () => {
  const { ask, begun } = setUp();
  const crowd = [ask(), ask()];
  const error = new Error("unavailable");
  begun[0]?.fail(error);
  for (const { reason } of (await Promise.allSettled(crowd)) as PromiseRejectedResult[])
    expect(reason).toBe(error);
  const retried = ask();
  begun[1]?.answer("now");
  expect(await retried).toBe("now");
});

test("a value in memory answers while one read renews it, but never when it is too old", async () => {
  const { ask, begin, begun, advance } = setUp({ renewMs: 50_000 });
  await begin("old");
  advance(49_999);
  expect(await ask()).toBe("old");
  expect(begun).toHaveLength(1);
  advance(1);
  expect(await Promise.all([ask(), ask()])).toEqual(["old", "old"]);
  expect(begun).toHaveLength(2);
  advance(10_000);
  const waiting = ask();
  begun[1]?.answer("new");
  expect(await waiting).toBe("new");
  expect(begun).toHaveLength(2);
});

test("a renewal that fails is silent, and the next request tries again", async () => {
  const { ask, begin, begun, advance } = setUp({ renewMs: 50_000 });
  await begin("old");
  advance(55_000);
  expect(await ask()).toBe("old");
  begun[1]?.fail(new Error("unavailable"));
  await Promise.resolve();
  await expect.poll(async () => [await ask(), begun.length]).toEqual(["old", 3]);
  begun[2]?.answer("new");
  await expect.poll(() => ask()).toBe("new");
  expect(begun).toHaveLength(3);
});

test("the age of a value counts from the beginning of its read: after a read that hung too long, it is read again", async () => {
  const { ask, begin, begun, advance } = setUp({ renewMs: 50_000 });
  await begin("old");
  advance(55_000);
  await ask();
  advance(600_000); // an instance without CPU
  const waiting = ask();
  begun[1]?.answer("from before the pause");
  await expect.poll(() => begun.length).toBe(3);
  begun[2]?.answer("new");
  expect(await waiting).toBe("new");
});

test("a value that is not to be kept is shared while it is read, and the next request reads it again", async () => {
  const { ask, begun, advance } = setUp({ keepMs: 0 });
  const crowd = [ask()];
  advance(sharedReadMsMax - 1);
  crowd.push(ask());
  begun[0]?.answer("first");
  expect(await Promise.all(crowd)).toEqual(["first", "first"]);
  const next = ask();
  begun[1]?.answer("second");
  expect(await next).toBe("second");
});

test("after a key is forgotten, requests get neither the old value nor that of a read that had begun before", async () => {
  const { reads, ask, begun } = setUp();
  const before = ask();
  reads.forget("a");
  const after = ask();
  expect(begun).toHaveLength(2);
  begun[1]?.answer("new");
  expect(await after).toBe("new");
  begun[0]?.answer("old");
  expect(await before).toBe("old");
  expect(await ask()).toBe("new");
  reads.forget("b");
  expect(await ask()).toBe("new");
  expect(begun).toHaveLength(2);
});

test("after keys are forgotten, a read of them that had begun before is answered and not kept", async () => {
  const { reads, ask, begun } = setUp();
  const before = ask();
  reads.forgetAll((key) => key === "b");
  begun[0]?.answer("kept");
  expect(await before).toBe("kept");
  expect(await ask()).toBe("kept");
  reads.forgetAll((key) => key === "a");
  const after = ask();
  reads.forgetAll((key) => key === "a");
  begun[1]?.answer("read");
  expect(await after).toBe("read");
  expect(reads.peek("a")).toBeUndefined();
});

test("a value that a caller keeps is not replaced by a read that began before", async () => {
  const { reads, ask, begun } = setUp();
  const before = ask();
  reads.keep("a", "known");
  expect(await ask()).toBe("known");
  begun[0]?.answer("old");
  expect(await before).toBe("old");
  expect(await ask()).toBe("known");
});

test("a value may be replaced that is still in memory, and is then as old as before", async () => {
  const { reads, ask, begun, advance } = setUp();
  const before = ask();
  begun[0]?.answer("old");
  expect(await before).toBe("old");
  expect(reads.replace("a", "another", "new")).toBe(false);
  expect(reads.replace("b", "old", "new")).toBe(false);
  expect(await ask()).toBe("old");
  const { beganMs } = reads.peek("a") ?? {};
  advance(1);
  expect(reads.replace("a", "old", "new")).toBe(true);
  expect(await ask()).toBe("new");
  expect(reads.peek("a")?.beganMs).toBe(beganMs);
});

test("the total size of the values kept is bounded, and a value that is too large by itself is answered and not kept", async () => {
  const reads = createSharedReads<string>({
    now: () => 0,
    max: 100,
    keepMs: 60_000,
    sizes: { max: 10, of: ({ length }) => length },
  });
  let begun = 0;
  const ask = async (text: string) => {
    const { value } = await reads.get(text, () => {
      begun += 1;
      return Promise.resolve(text);
    });
    return value;
  };
  for (const text of ["four", "fives", "four", "fives"]) expect(await ask(text)).toBe(text);
  expect(begun).toBe(2);
  expect(await ask("two")).toBe("two");
  expect([reads.peek("four"), reads.peek("fives")?.value]).toEqual([undefined, "fives"]);
  const large = "more than ten";
  expect(await Promise.all([ask(large), ask(large)])).toEqual([large, large]);
  expect([begun, reads.peek(large)]).toEqual([4, undefined]);
});
