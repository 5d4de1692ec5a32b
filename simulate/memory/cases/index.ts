/** All cases, and how they are run: the same against the database in memory and against the emulator. */
import { randomUUID } from "node:crypto";
import { describe, test } from "vitest";
import type { Firestore } from "../../../functions/src/documents/firestore.ts";
import { batches } from "./batches.ts";
import type { Cases } from "./case.ts";
import { documents } from "./documents.ts";
import { fields } from "./fields.ts";
import { library } from "./library.ts";
import { queries } from "./queries.ts";
import { transactions } from "./transactions.ts";

/** What the functions use; the simulation's client has all of it. */
const used: Record<string, Cases> = { documents, fields, batches, queries, transactions };

/** Declares a test for each case of what the functions use. @param db the database to run them in. */
export function testCases(db: () => Firestore): void {
  declare(used, db);
}

/** The same, and for each case of what else tests use of the client library. */
export function testAllCases(db: () => Firestore): void {
  declare({ ...used, library }, db);
}

function declare(groups: Record<string, Cases>, db: () => Firestore): void {
  describe.each(Object.entries(groups))("%s", (_, cases) => {
    test.each(Object.entries(cases))("%s", async (_sentence, run) => {
      const name = `stage-${randomUUID().slice(0, 8)}`;
      await run({ db: db(), path: `${name}/root/documents`, name });
    });
  });
}
