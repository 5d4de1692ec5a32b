import { expect, test } from "vitest";
import { count, dollars, percent, table } from "./markdown.ts";

test("a table has a rule below its head, and no cell ends early", () => {
  expect(table("a|b", [["1", "x|y"]])).toBe("| a | b |\n| --- | --- |\n| 1 | x\\|y |");
});

test("counts are whole where they can be; averages, sums of money and shares have two digits that say something", () => {
  expect([2, 2.5, 0.1234, 1_234.5, 99.44].map(count)).toEqual(["2", "2.5", "0.12", "1,235", "99"]);
  const sums = [0.000_000_3, 0.0721, 9.99, 1_234.5].map(dollars);
  expect(sums).toEqual(["$0.0000003", "$0.072", "$10", "$1,235"]);
  expect([0, 0.001_234, 0.5, 12].map(percent)).toEqual(["0 %", "0.12 %", "50 %", "1,200 %"]);
});
