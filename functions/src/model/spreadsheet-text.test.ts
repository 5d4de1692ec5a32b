import fc from "fast-check";
import { expect, test } from "vitest";
import { isNumberOfId, spreadsheetText, textOfSpreadsheet } from "./spreadsheet-text.ts";

test.each(["=1", "+1", "-1", "@a", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠a", "'=1", "''@a"])(
  "%j begins like a formula, so a ' comes before it",
  (text) => {
    expect(spreadsheetText(text)).toBe(`'${text}`);
    expect(textOfSpreadsheet(`'${text}`)).toBe(text);
  },
);

test.each(["", "Ann", "A=1", "a-1", "1e", "e5", "1st", "...", "0", "10", "'Twas", "' =1", "a'=1", "'"])(
  "%j stays as it is",
  (text) => {
    expect(spreadsheetText(text)).toBe(text);
    expect(textOfSpreadsheet(text)).toBe(text);
  },
);

test("an id of more than 15 digits, which a spreadsheet would round, gets a ' too", () => {
  for (const id of ["76561198012345678", "1234567890123456", "'1234567890123456", "1.234567890123456"]) {
    expect(spreadsheetText(id)).toBe(`'${id}`);
    expect(textOfSpreadsheet(`'${id}`)).toBe(id);
  }
  for (const id of ["123456789012345", "1234567890123456a", "1234567890123456\n"])
    expect([spreadsheetText(id), textOfSpreadsheet(`'${id}`)]).toEqual([id, `'${id}`]);
});

test("a number that a program has made of an id is known by its form", () => {
  for (const text of [
    "7.65612E+16",
    "7,65612E+16",
    "1E+20",
    "7.65612e16",
    "1e+05",
    "7.65611980123457E+016",
    "123.0",
  ])
    expect(isNumberOfId(text)).toBe(true);
  for (const text of [
    "76561198012345678",
    "E+16",
    "7.65612E+16x",
    "ann",
    "77.6E+16",
    "7.6E-3",
    "1.5",
    "1.0.0",
    "v1.0",
  ])
    expect(isNumberOfId(text)).toBe(false);
});

test("any text comes back as it was", () => {
  const text = fc.string({
    unit: fc.constantFrom(
      ...["'", "=", "@", "-", "a", " ", "\n", "1234567890123456", "0", "7", ".", "e", "May", "pm", "true"],
    ),
  });
  fc.assert(
    fc.property(text, (one) => {
      expect(textOfSpreadsheet(spreadsheetText(one))).toBe(one);
    }),
  );
});

test.each([
  ...["00123", "007", "12e5", "1E10", "1e-5", "1.50", ".5", "1,000", " 7", "(5)", "50%", "$5", "１２"],
  ...["1-1", "3/4", "2026-11-21", "12:30"],
])("an id such as %s, of which a spreadsheet makes another number or a day, is safe", (id) => {
  const cell = spreadsheetText(id);
  expect(cell).toBe(`'${id}`);
  expect(textOfSpreadsheet(cell)).toBe(id);
});

// Came out: Calc saved the name "Jan 1" as 01/01/26, "3pm" as 03:00:00 PM and "true" as TRUE.
test.each([
  ...[
    "Jan 1",
    "sep-2",
    "Dec 5",
    "May 5",
    "March 7",
    "Jan-26",
    "Jan 2026",
    "SEPT1",
    "mar1",
    "5may",
    "1. Dec",
    "'May 5",
  ],
  ...["1 Jan 2026", "3 pm", "3pm", "10:30 PM", "12am", "3 p", "true", "True", "FALSE"],
])("%s, of which a spreadsheet makes a day, a time or a truth value, is safe", (text) => {
  const cell = spreadsheetText(text);
  expect(cell).toBe(`'${text}`);
  expect(textOfSpreadsheet(cell)).toBe(text);
});

test.each([
  "May",
  "Jan",
  "Mary 1",
  "Player 1",
  "Ann2",
  "3p",
  "3 pmx",
  "Trueman",
  "1 Decker",
  "Augusta 5",
  "kX2vQ8",
])("%s stays as it is too", (text) => {
  expect(spreadsheetText(text)).toBe(text);
  expect(textOfSpreadsheet(`'${text}`)).toBe(`'${text}`);
});
