/** Who waits for whom: what the cases cannot show, as an emulator may let either of two writers be first. */
import { expect, test } from "vitest";
import { grpc } from "../../functions/src/world/retryable.ts";
import { createLocks, patient, type Transaction, waiting } from "./locks.ts";
import { createStore } from "./store.ts";

const aborted = expect.objectContaining({ code: grpc.aborted }) as Error;

/** Locks on an empty store. */
function begin() {
  const store = createStore(() => 0);
  const locks = createLocks(patient);
  const commit = (path: string, self?: Transaction) =>
    locks.commit(store, [{ path, guard: {}, apply: () => ({}) }], self);
  return { locks, commit };
}

test.each(["things/a", "things/", "**/things/", "**//"])(
  "a write waits for a transaction that has read %s, and no other write does",
  (lock) => {
    const { locks, commit } = begin();
    const reader = locks.begin();
    locks.read(reader, [lock]);
    expect(commit("things/a")).toBe(waiting);
    if (lock !== "**//") expect(commit("others/a")).toHaveLength(1);
    expect(commit("things/a", reader)).toHaveLength(1);
    expect(commit("things/a")).toHaveLength(0);
  },
);

test.each([false, true])(
  "of two that wait for each other, the younger is aborted, also if it comes last: %s",
  (comesLast) => {
    const { locks, commit } = begin();
    const [older, younger] = [locks.begin(), locks.begin()];
    for (const each of [older, younger]) locks.read(each, ["things/a", "things/b"]);
    if (comesLast) expect(commit("things/a", older)).toBe(waiting);
    else expect(commit("things/b", younger)).toBe(waiting);
    if (!comesLast) expect(commit("things/a", older)).toBe(waiting);
    expect(() => commit("things/b", younger)).toThrow(aborted);
    expect(() => {
      locks.read(younger, ["things/c"]);
    }).toThrow(aborted);
    expect(commit("things/a", older)).toHaveLength(1);
  },
);

test("one that is tried again is as old as before, so that it gets through", () => {
  const { locks, commit } = begin();
  const first = locks.begin();
  const other = locks.begin();
  locks.end(first);
  const again = locks.begin(first);
  for (const each of [other, again]) locks.read(each, ["things/a"]);
  expect(commit("things/a", again)).toBe(waiting);
  expect(() => commit("things/a", other)).toThrow(aborted);
});

test("three that wait in a circle lose the youngest, and a write that waits for them loses nothing", () => {
  const { locks, commit } = begin();
  const three = [locks.begin(), locks.begin(), locks.begin()];
  const names = ["things/a", "things/b", "things/c"];
  three.forEach((each, i) => {
    locks.read(each, [names[i] ?? ""]);
  });
  expect(commit("things/a")).toBe(waiting);
  expect(commit("things/b", three[0])).toBe(waiting);
  expect(commit("things/a", three[2])).toBe(waiting);
  expect(commit("things/c", three[1])).toBe(waiting);
  expect(three.map(({ broken }) => broken)).toEqual([false, false, true]);
});
