import fc from "fast-check";
import { expect, test } from "vitest";
import { keptMidnights } from "../model/midnights.ts";
import { type History, historyAfter, type Was, wasAt } from "./history.ts";

const hourMs = 3_600_000;
/** Two rules of one place: clocks went back on 1 November 2026, or stay on summer time for good, as British Columbia's. */
const rules = ["America/Los_Angeles", "Etc/GMT+7"].map((time_zone) => {
  return { time_zone, week_starts_on: "monday" as const };
});
const [old, late] = rules as [(typeof rules)[number], (typeof rules)[number]];
const fromMs = Date.parse("2026-10-29T12:00:00Z");

/** Plays changes, each some hours after the one before, and by a runtime with one of the rules. */
function play(steps: readonly { hours: number; isLate: boolean }[]) {
  const values: { atMs: number; was: Was }[] = [{ atMs: -Infinity, was: "new" }];
  let history: History | undefined;
  let atMs = fromMs;
  for (const [i, { hours, isLate }] of steps.entries()) {
    atMs += Math.round(hours * hourMs);
    history = historyAfter(history, values.at(-1)?.was ?? "new", { atMs, calendar: isLate ? late : old });
    values.push({ atMs, was: i });
  }
  const now = values.at(-1)?.was ?? "new";
  const right = (midnightMs: number) => values.findLast((value) => value.atMs < midnightMs)?.was;
  const said = (calendar: typeof old) =>
    keptMidnights(atMs, calendar).map((midnightMs) => ({
      was: wasAt(history, now, midnightMs, calendar),
      right: right(midnightMs),
    }));
  return { history, said };
}

/** Often within the hour in which the rules differ. */
const hours = fc.oneof(
  fc.constantFrom(0.25, 0.5, 7.25, 11.5, 23.5, 24),
  fc.double({ min: 0.1, max: 40, noNaN: true }),
);

test("notes by one calendar know every midnight that is kept", () => {
  const steps = fc.array(fc.record({ hours, isLate: fc.constant(false) }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(steps, (all) => {
      for (const { was, right } of play(all).said(old)) expect(was).toBe(right);
    }),
  );
});

test("where runtimes have other rules of a zone, a midnight is unknown or right, for either of them", () => {
  const steps = fc.array(fc.record({ hours, isLate: fc.boolean() }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(steps, (all) => {
      const { said } = play(all);
      for (const calendar of rules)
        for (const { was, right } of said(calendar)) if (was !== "unknown") expect(was).toBe(right);
    }),
    { numRuns: 1_000 },
  );
});

test("a change that other rules count to the day before hides no midnight", () => {
  // 1 November, 23:30 by clocks that went back, is the 2nd by the others. Noted on the 1st by both.
  const steps = [
    { hours: 84, isLate: false },
    { hours: 7.25, isLate: true },
    { hours: 0.5, isLate: false },
    { hours: 10, isLate: true },
  ];
  for (const calendar of rules)
    for (const { was, right } of play(steps).said(calendar)) expect(["unknown", right]).toContain(was);
});

test("who has not changed since then is known by any rules, and notes of before they differ stay", () => {
  const idle = play([{ hours: 1, isLate: false }]).history;
  expect(wasAt(idle, 7, Date.parse("2026-11-20T07:00:00Z"), late)).toBe(7);
  expect(wasAt(idle, 7, Date.parse("2026-10-29T07:00:00Z"), late)).toBe("new");
});
