/** What the queries of players.ts are billed, which many systems share. */
import { bill, type Bill } from "../contest/bill.ts";
import type { Change, Truth } from "../contest/truth.ts";

/** A score that is stored in the player's document; one that changes nothing is only read. */
export function storeBill(change: Change, keeps: "latest" | "highest" = "latest"): Bill {
  return bill({ reads: 1, writes: isChange(change, keeps) ? 1 : 0 });
}

/** Whether a submission changes what counts. */
export function isChange({ before, after }: Change, keeps: "latest" | "highest" = "latest"): boolean {
  return keeps === "highest" ? before === null || after > before : before !== after;
}

/** The best players by query. */
export function topBill({ players }: Truth, count: number): Bill {
  return bill({ reads: Math.max(1, Math.min(count, players)) });
}

/** Players around one, by two queries. */
export function aroundBill({ players }: Truth, index: number, before: number, after: number): Bill {
  const better = Math.min(before, index);
  const worse = Math.min(after, players - 1 - index);
  return bill({ reads: 1 + Math.max(1, better) + Math.max(1, worse) });
}

/** Players from an index on, by a query that skips those before: it is billed for them too. */
export function skippingBill({ players }: Truth, from: number, size: number): Bill {
  return bill({ reads: Math.max(1, from + Math.max(0, Math.min(size, players - from))) });
}

/** What the lists of playerLists in players.ts are billed. */
export const listBills = { top: topBill, around: aroundBill, page: skippingBill };

/** The best players with at most a score, by a query that skips some of them. */
export function fromBill(truth: Truth, score: number, skipped: number, size: number): Bill {
  const found = Math.max(0, Math.min(size, truth.players - truth.above(score) - skipped));
  return bill({ reads: Math.max(1, skipped + found) });
}
