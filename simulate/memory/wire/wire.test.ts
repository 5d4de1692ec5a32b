/** The real client library on the server in memory passes the same cases as on the emulators (test/all/emulator/documents/memory-cases.test.ts). */
import { expect, test } from "vitest";
import { testAllCases } from "../cases/index.ts";
import { anotherMemoryFirestore, createMemoryFirestore } from "./connect.ts";

const db = createMemoryFirestore();
testAllCases(() => db);

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
