import { expect, test } from "vitest";
import { scoreForAddress, scoreIn, scoreInAddress } from "./score-asked.ts";

const columns = [
  { name: "goals", order: "descending" as const, min: 0, max: 99 },
  { name: "fouls", order: "ascending" as const, min: 0, max: 99 },
];

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

test("a score of a form is in the address, and is the same again", () => {
  const score = scoreIn(undefined, formOf({ score: "-1.5" }));
  expect(scoreForAddress(undefined, score)).toBe("-1.5");
  expect(scoreInAddress(undefined, "-1.5")).toEqual(score);
});

test("columns are in the address in their order", () => {
  const asked = scoreIn(columns, formOf({ fouls: "3", goals: "10" }));
  expect(scoreForAddress(columns, asked)).toBe("10,3");
  expect(scoreInAddress(columns, "10,3")).toEqual(asked);
});

test.each([undefined, "", "abc", "1,", "1,2,3", "Infinity"])("%j names no score", (text) => {
  expect([scoreInAddress(undefined, text), scoreInAddress(columns, text)]).toEqual([undefined, undefined]);
});

test("a score is none on a board with columns, nor the other way round", () => {
  expect(scoreInAddress(columns, "10")).toBeUndefined();
  expect(scoreInAddress(undefined, "10,3")).toBeUndefined();
});
