import { describe, expect, test } from "vitest";
import { lateEventMsMax } from "../model/limits.ts";
import { definitionOf } from "../testing/definitions.ts";
import { recentStretch, runningSeasons, stretchAt } from "./stretch.ts";

const before = definitionOf({ spans: ["weekly"], time_zone: "America/New_York", week_starts_on: "sunday" });
/** The weeks of New York begin on Sundays at 05:00 UTC in winter. */
const beginsMs = Date.UTC(2027, 0, 3, 5);

describe.each(["monday", "sunday", "wednesday"] as const)(
  "where weeks are to begin on a %s elsewhere",
  (day) => {
    const after = definitionOf({ spans: ["weekly"], time_zone: "Australia/Lord_Howe", week_starts_on: day });
    const calendar = { definition: before, running: {} };

    test.each([-5_000, 5_000, 3_600_000])(
      "a change %i ms after a week began leaves the week before",
      (ms) => {
        const running = runningSeasons("board", calendar, after, beginsMs + ms);
        const changed = { definition: after, running };
        const last = stretchAt("board", changed, "weekly", beginsMs - 1);
        expect(last).toMatchObject({ key: { season: "weekly-2026-W52" }, closesAtMs: beginsMs });
        const present = stretchAt("board", changed, "weekly", beginsMs);
        expect(present).toMatchObject({ key: { season: "weekly-2027-W01" }, opensAtMs: beginsMs });
        expect(present.before?.season).toBe("weekly-2026-W52");
        expect(recentStretch("board", changed, "weekly-2026-W52", beginsMs + ms)?.closesAtMs).toBe(beginsMs);
        // The week in its place in the new calendar is never used.
        for (const late of ["weekly-2026-W53", "weekly-2027-W02"])
          expect(recentStretch("board", changed, late, beginsMs + ms)).toBeUndefined();
      },
    );

    test("running seasons that no request needs any more are not kept", () => {
      const { weekly = [] } = runningSeasons("board", calendar, after, beginsMs + lateEventMsMax);
      expect(weekly.map(({ season }) => season)).toEqual(["weekly-2027-W01"]);
    });
  },
);
