/** All cases, and how they are run: the same against the database in memory and against the emulator. */
import { randomUUID } from "node:crypto";
import { describe, test } from "vitest";
import type { Firestore } from "../../../functions/src/documents/firestore.ts";
import { batches } from "./batches.ts";
import type { Cases } from "./case.ts";
import { documents } from "./documents.ts";
import { fields } from "./fields.ts";
import { queries } from "./queries.ts";
import { transactions } from "./transactions.ts";

const all: Record<string, Cases> = { documents, fields, batches, queries, transactions };

/** Declares a test for each case. @param db the database to run them in. */
export function testCases(db: () => Firestore): void {
  describe.each(Object.entries(all))("%s", (_, cases) => {
    test.each(Object.entries(cases))("%s", async (_sentence, run) => {
      const name = `stage-${randomUUID().slice(0, 8)}`;
      await run({ db: db(), path: `${name}/root/documents`, name });
    });
  });
}
