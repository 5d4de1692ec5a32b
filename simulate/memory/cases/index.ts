/** All cases, and how they are run: the same against the database in memory and against the emulator. */
import { randomUUID } from "node:crypto";
import { describe, test } from "vitest";
import type { Firestore } from "../../../functions/src/documents/firestore.ts";
import { batches } from "./batches.ts";
import { documents } from "./documents.ts";
import { fields } from "./fields.ts";
import { library } from "./library.ts";
import { queries } from "./queries.ts";
import { transactions } from "./transactions.ts";

const all = { documents, fields, batches, queries, transactions, library };

/** Declares a test for each case. @param db the database to run them in. @param groups those to run; by default all */
export function testCases(db: () => Firestore, groups = Object.keys(all) as (keyof typeof all)[]): void {
  describe.each(groups)("%s", (group) => {
    test.each(Object.entries(all[group]))("%s", async (_sentence, run) => {
      const name = `stage-${randomUUID().slice(0, 8)}`;
      await run({ db: db(), path: `${name}/root/documents`, name });
    });
  });
}
