import { expect, test } from "vitest";
import { beginClosing } from "../../../functions/src/documents/closing-record.ts";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import { beginRecord } from "../../../functions/src/documents/repair-record.ts";
import { prices } from "../../../cli/prices.ts";
import { changesIn, costsOf, monthly, pricedAs, spentBy, spentOnChanges } from "./costs.ts";

const key = { leaderboard: "chess", season: "all_time" };
const none = emptyRecord(key, 0);
const published = (reads: number, changed = 0) => ({
  ...none,
  billed: { reads, writes: 10, deletes: 5 },
  duration_ms: 120,
  found: { ...none.found, changed_players: changed },
});

test("the cost of runs is the sum of their operations and function calls at the region's prices", () => {
  const runs = [published(100), published(200)];
  const price = prices.nam5;
  const spent = spentBy(runs, "nam5");
  expect(spent).toMatchObject({ reads: 300, writes: 20, deletes: 10, invocations: 2 });
  expect(spent.processorSeconds).toBeCloseTo(0.4, 12);
  expect(spent.firestore).toBeCloseTo(300 * price.reads + 20 * price.writes + 10 * price.deletes, 12);
  expect(spent.functions).toBeCloseTo(2 * 0.4e-6 + 0.4 * 24e-6 + 0.2 * 2.5e-6, 12);
  expect(spent.dollars).toBeCloseTo(spent.firestore + spent.functions, 12);
  expect(spentBy([], "us-central1")).toMatchObject({ invocations: 0, dollars: 0 });
});

test("a closing and a repair are billed a call for each step; a closing does not work while it waits", () => {
  const closing = { ...beginClosing(key, { run: "end", nowMs: 0 }), duration_ms: 700_000, steps: 5 };
  const [begun, repaired] = [{ ...closing, worked_ms: 2_000 }, beginRecord("repair", key, about)];
  expect(spentBy([begun], "nam5").invocations).toBe(5);
  expect(spentBy([begun], "nam5").processorSeconds).toBeCloseTo(2, 12);
  const repair = spentBy([{ ...repaired, steps: 3, duration_ms: 900 }], "nam5");
  expect(repair.invocations).toBe(3);
  expect(repair.processorSeconds).toBeCloseTo(0.9, 12);
});

const about = { run: "repair", full: false, total: 3, nowMs: 0 };

test("a changed score costs at most 1 read, 2 writes, and calls of submitScore and the trigger", () => {
  const runs = [published(1, 400), published(1, 600), beginRecord("audit", key, about)];
  expect(changesIn(runs)).toBe(1_000);
  const spent = spentOnChanges(changesIn(runs), "us-central1");
  expect(spent).toMatchObject({ reads: 1_000, writes: 2_000, deletes: 0, invocations: 2_000 });
  expect(spent.firestore).toBeCloseTo(0.0021, 12);
  // 0.2 s of a processor with half a GiB for the call, and 0.1 s of a sixth with a quarter for the event.
  const seconds = 0.2 * (24e-6 + 0.5 * 2.5e-6) + 0.1 * (24e-6 / 6 + 2.5e-6 / 4);
  expect(spent.functions).toBeCloseTo(1_000 * (2 * 0.4e-6 + seconds), 9);
});

test("the headline is the sum of what stands below it, and a month of it needs an hour", () => {
  const at = (minutes: number) => ({
    ...published(100, 50),
    started_at: emptyRecord(key, minutes * 60_000).started_at,
  });
  const { spent, changing, dollars, spanMs, month } = costsOf([at(90), at(0)], "us-central1");
  expect(changing).toBeGreaterThan(0);
  expect(dollars).toBeCloseTo(spent.firestore + spent.functions + changing, 12);
  expect(spanMs).toBe(90 * 60_000);
  expect(month).toBeCloseTo(dollars * 16 * 30, 9);
  expect(costsOf([at(59), at(0)], "us-central1").month).toBeUndefined();
  expect(costsOf([], "us-central1")).toMatchObject({ dollars: 0, spanMs: 0, month: undefined });
});

test("a month is told from an hour or more", () => {
  expect(monthly(1, 59 * 60_000)).toBeUndefined();
  expect(monthly(1, 24 * 3_600_000)).toBeCloseTo(30, 9);
});

test("a database in a multi-region has its own prices, any other those of us-central1", () => {
  expect(["nam5", "us-central", "us-central1", "europe-west3", undefined].map((at) => pricedAs(at))).toEqual([
    "nam5",
    "nam5",
    "us-central1",
    "us-central1",
    "us-central1",
  ]);
});

test("an Enterprise database has its edition's prices, wherever it is", () => {
  expect(pricedAs("nam5", "Enterprise")).toBe("us-central1, Enterprise");
  expect(pricedAs("nam5", "standard")).toBe("nam5");
});
