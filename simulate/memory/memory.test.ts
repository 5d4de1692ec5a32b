/** The database in memory passes the same cases as the emulators (test/all/emulator/documents/memory-cases.test.ts). */
import { setImmediate } from "node:timers/promises";
import { describe } from "vitest";
import { testCases } from "./cases/index.ts";
import { createClient, createLocks, type Port } from "./client.ts";
import { waiting } from "./locks.ts";
import { createStore } from "./store.ts";

/** Performs each operation a little later, and those that must wait even later. */
const port: Port = {
  async request(_kind, _what, perform) {
    for (;;) {
      await setImmediate();
      const result = perform();
      if (result !== waiting) return result;
    }
  },
};

/** How commits treat others' locks. Firestore may do any of these; commits that only waited would wait forever. */
const conflicts = {
  "a commit breaks others' locks": ["break"],
  "a commit waits for others' locks before it breaks them": [...Array<"wait">(20).fill("wait"), "break"],
  "every other commit that meets a lock is aborted": ["abort", "break"],
} as const;

describe.each(Object.entries(conflicts))("where %s", (_, turns) => {
  let met = 0;
  const onConflict = () => turns[met++ % turns.length] ?? "break";
  const store = createStore(() => Date.now());
  const { db } = createClient({ store, locks: createLocks(onConflict) }, port);
  testCases(() => db);
});
