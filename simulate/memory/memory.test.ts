/** The real client library on the server in memory passes the same cases as on the emulators (test/emulator/documents/memory-cases.slow.test.ts). */
import { describe, expect, test } from "vitest";
import { testCases } from "./cases/index.ts";
import { createLocks, patient } from "./locks.ts";
import { createStore } from "./store.ts";
import { anotherMemoryFirestore, createClient, createMemoryFirestore, soon } from "./wire/connect.ts";

const db = createMemoryFirestore();
testCases(() => db);

/** How commits may treat others' locks in the simulation. Commits that only waited would wait forever. */
const conflicts = {
  "a commit breaks others' locks": ["break"],
  "a commit waits for others' locks before it breaks them": [...Array<"wait">(20).fill("wait"), "break"],
  "every other commit that meets a lock is aborted": ["abort", "break"],
} as const;

describe.each(Object.entries(conflicts))("where %s", (_, turns) => {
  let met = 0;
  const locks = createLocks(() => turns[met++ % turns.length] ?? "break");
  const client = createClient({ store: createStore(() => Date.now()), locks }, soon);
  testCases(() => client.db, ["transactions"]);
});

test("a moment of more than an hour ago can't be read, which the official emulator allows", async () => {
  let nowMs = Date.parse("2100-01-01T12:00:00Z");
  const { db } = createClient({ store: createStore(() => nowMs), locks: createLocks(patient) }, soon);
  const { writeTime } = await db.doc("things/a").set({ x: 1 });
  const then = () =>
    db.runTransaction(async (its) => (await its.get(db.doc("things/a"))).get("x") as unknown, {
      readOnly: true,
      readTime: writeTime,
    });
  nowMs += 3_599_000;
  expect(await then()).toBe(1);
  nowMs += 2_000;
  await expect(then()).rejects.toThrow("FAILED_PRECONDITION");
});

test("each client has a database of its own, unless it is another's", async () => {
  await db.doc("things/a").set({ x: 1 });
  const same = anotherMemoryFirestore(db, "demo-memory");
  expect((await same?.doc("things/a").get())?.exists).toBe(true);
  expect((await createMemoryFirestore().doc("things/a").get()).exists).toBe(false);
});

test("a listener and an unknown filter are refused, rather than answered wrongly", async () => {
  const listened = new Promise((resolve, reject) => db.doc("things/a").onSnapshot(resolve, reject));
  await expect(listened).rejects.toThrow("the database in memory has no listen");
  await expect(db.collection("things").where("x", "!=", 1).get()).rejects.toThrow(
    "knows no filter NOT_EQUAL",
  );
});
