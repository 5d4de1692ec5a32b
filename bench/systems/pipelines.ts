/**
 * Firestore's pipelines, which only Enterprise edition has: the better players counted, or all of them ranked by a
 * window function. By formula only: the emulators don't run pipelines, and the window functions are not launched. Bills
 * are in units of Enterprise edition, which reads 4 KiB for one and writes 1 KiB, and each index entry, for one.
 */
import { readUnits, writeUnits } from "../../cli/prices.ts";
import { bill, type Bill } from "../contest/bill.ts";
import type { Truth } from "../contest/truth.ts";
import { isChange } from "./players.ts";
import type { Bills, FormulaSystem } from "./system.ts";

/** Bytes billed for an entry that is only counted (https://firebase.google.com/docs/firestore/enterprise/pricing-examples). */
const countedBytes = 32;
/** Bytes of an index entry or a small document: the size in the same examples. */
const entryBytes = 128;

const shared = {
  layout: "A document for each player, with one index on the score.",
  rank: "exact",
  load: { kind: "own document" },
  edition: "Enterprise",
} satisfies Partial<FormulaSystem>;

const playerBills: Omit<Bills, "rank"> = {
  update: (_, change) =>
    bill({ reads: 1, writes: isChange(change) ? writeUnits(entryBytes, change.before === null ? 1 : 2) : 0 }),
  top: ({ players }, count) => scan(Math.min(count, players)),
  around({ players }, index, before, after): Bill {
    const better = scan(Math.min(before, index)).reads;
    const worse = scan(Math.min(after, players - 1 - index)).reads;
    return bill({ reads: 1 + better + worse });
  },
  page: ({ players }, from, size) => scan(Math.min(players, from + size)),
};

export const pipelineSystems: readonly FormulaSystem[] = [
  {
    ...shared,
    id: "pipelines-count",
    name: "Pipeline, count of the better ones",
    source: "https://firebase.google.com/docs/firestore/enterprise/pricing-examples",
    assumes: "A count with a filter is billed 32 bytes for each entry, like one without.",
    bills: () => ({
      ...playerBills,
      rank: (truth: Truth, score) => bill({ reads: 1 + readUnits(countedBytes * truth.above(score)) }),
    }),
  },
  {
    ...shared,
    id: "pipelines-rank",
    name: "Pipeline, rank()",
    source: "https://firebase.google.com/docs/reference/js/firestore_pipelines.md.txt",
    assumes: "The window reads the index alone, 128 bytes for each player; documents would be dearer.",
    bills: () => ({ ...playerBills, rank: ({ players }: Truth) => scan(players) }),
  },
];

/** Entries that a query goes through, those that it skips included. */
function scan(entries: number): Bill {
  return bill({ reads: readUnits(entryBytes * entries) });
}
