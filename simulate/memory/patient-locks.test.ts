/** Who waits for whom: what the cases cannot show, as an emulator may let either of two writers be first. */
import { expect, test } from "vitest";
import { grpc } from "../../functions/src/world/retryable.ts";
import { type Aged, createPatientLocks, type PatientLocks } from "./patient-locks.ts";
import { createStore, type Write } from "./store.ts";

const writeTo = (path: string): Write => ({ path, guard: {}, apply: () => ({}) });

/** Locks on an empty store, and the names of the commits that have ended, in order. */
function begin(): {
  locks: PatientLocks;
  ended: string[];
  commit: (path: string, self?: Aged) => Promise<void>;
} {
  const store = createStore(() => 0);
  const locks = createPatientLocks(store);
  const ended: string[] = [];
  async function commit(path: string, self?: Aged) {
    try {
      await locks.commit([writeTo(path)], self);
      ended.push(path);
    } catch (error) {
      ended.push(`${path} failed`);
      throw error;
    }
  }
  return { locks, ended, commit };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a write waits for a transaction that has read its document, and no other write does", async () => {
  const { locks, ended, commit } = begin();
  const reader = locks.begin();
  locks.read(reader, ["things/a"]);
  const written = commit("things/a");
  await commit("things/b");
  expect(ended).toEqual(["things/b"]);
  locks.end(reader);
  await written;
  expect(ended).toEqual(["things/b", "things/a"]);
});

test.each(["things/", "**/things/", "**//"])(
  "what the query %s has read is not written meanwhile",
  async (lock) => {
    const { locks, ended, commit } = begin();
    const reader = locks.begin();
    locks.read(reader, [lock]);
    const written = commit("things/new");
    await settled();
    expect(ended).toEqual([]);
    await locks.commit([writeTo("others/a")], reader);
    await written;
  },
);

test("a transaction is in nobody's way after its commit, and not in its own before", async () => {
  const { locks, ended, commit } = begin();
  const reader = locks.begin();
  locks.read(reader, ["things/a"]);
  await commit("things/a", reader);
  await commit("things/a");
  expect(ended).toEqual(["things/a", "things/a"]);
});

test("of two transactions that wait for each other, the younger is aborted, whoever comes first", async () => {
  for (const olderFirst of [true, false]) {
    const { locks, ended, commit } = begin();
    const [older, younger] = [locks.begin(), locks.begin()];
    for (const each of [older, younger]) locks.read(each, ["things/a", "things/b"]);
    const commits = [() => commit("things/a", older), () => commit("things/b", younger)];
    const both = (olderFirst ? commits : commits.toReversed()).map((start) => start());
    await Promise.allSettled(both);
    expect(ended.toSorted()).toEqual(["things/a", "things/b failed"]);
    expect(() => {
      locks.read(younger, ["things/c"]);
    }).toThrow(expect.objectContaining({ code: grpc.aborted }));
    await expect(commit("things/b", younger)).rejects.toMatchObject({ code: grpc.aborted });
  }
});

test("one that is tried again is as old as before, so that it gets through", async () => {
  const { locks, ended, commit } = begin();
  const first = locks.begin();
  const other = locks.begin();
  locks.end(first);
  const again = locks.begin(first);
  for (const each of [other, again]) locks.read(each, ["things/a"]);
  await Promise.allSettled([commit("things/a", other), commit("things/a", again)]);
  expect(other.broken).toBe(true);
  expect(ended.filter((name) => name === "things/a")).toHaveLength(1);
});

test("three that wait in a circle lose the youngest, and a write that waits for them loses nothing", async () => {
  const { locks, ended, commit } = begin();
  const three = [locks.begin(), locks.begin(), locks.begin()];
  const names = ["things/a", "things/b", "things/c"];
  three.forEach((each, i) => {
    locks.read(each, [names[i] ?? ""]);
  });
  const plain = commit("things/a");
  await Promise.allSettled(three.map((each, i) => commit(names[(i + 1) % 3] ?? "", each)));
  await plain;
  expect(three.map(({ broken }) => broken)).toEqual([false, false, true]);
  expect(ended).toHaveLength(4);
  expect(ended.filter((name) => name.endsWith("failed"))).toEqual(["things/a failed"]);
});

test("a commit that fails ends its transaction too", async () => {
  const { locks, commit } = begin();
  const reader = locks.begin();
  locks.read(reader, ["things/a"]);
  const refused: Write = { ...writeTo("things/a"), guard: { exists: true } };
  await expect(locks.commit([refused], reader)).rejects.toMatchObject({ code: grpc.notFound });
  await commit("things/a");
});
