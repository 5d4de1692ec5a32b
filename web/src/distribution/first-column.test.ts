import { expect, test } from "vitest";
import { type Column, packColumns } from "../../../functions/src/model/columns.ts";
import { axisOf } from "./first-column.ts";

test("a board of one score shows it as it is", () => {
  const { name, valueOf } = axisOf({ order: "ascending" });
  expect([name, valueOf(61.25)]).toEqual(["score", 61.25]);
});

test.each(["descending", "ascending"] as const)(
  "a %s board of columns shows the first, in either direction",
  (order) => {
    for (const own of ["descending", "ascending"] as const) {
      const columns: Column[] = [
        { name: "laps_done", min: -5, max: 20, order: own },
        { name: "time", min: 0, max: 999, order: "ascending" },
      ];
      const { name, valueOf } = axisOf({ columns, order });
      expect(name).toBe("laps done");
      for (const laps_done of [-5, 0, 7, 20]) {
        for (const time of [0, 500, 999]) {
          expect(valueOf(packColumns(order, columns, { laps_done, time }))).toBe(laps_done);
        }
      }
    }
  },
);
