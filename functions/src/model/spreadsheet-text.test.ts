import fc from "fast-check";
import { expect, test } from "vitest";
import { spreadsheetText, textOfSpreadsheet } from "./spreadsheet-text.ts";

test.each(["=1", "+1", "-1", "@a", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠a", "'=1", "''@a"])(
  "%j begins like a formula, so a ' comes before it",
  (text) => {
    expect(spreadsheetText(text)).toBe(`'${text}`);
    expect(textOfSpreadsheet(`'${text}`)).toBe(text);
  },
);

test.each(["", "Ann", "A=1", "1-1", "'Twas", "' =1", "a'=1", "'"])("%j stays as it is", (text) => {
  expect(spreadsheetText(text)).toBe(text);
  expect(textOfSpreadsheet(text)).toBe(text);
});

test("any text comes back as it was", () => {
  const text = fc.string({ unit: fc.constantFrom("'", "=", "@", "-", "a", " ", "\n") });
  fc.assert(
    fc.property(text, (one) => {
      expect(textOfSpreadsheet(spreadsheetText(one))).toBe(one);
    }),
  );
});
