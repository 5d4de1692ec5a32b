/**
 * Texts in the CSV files that people open with a spreadsheet. It would run a text that begins like a formula, so that a
 * display name could fetch an address. Pure.
 */

const likeFormula = /^'*[=+\-@\t\r＝＋－＠]/;
const escaped = /^'+[=+\-@\t\r＝＋－＠]/;

/** The text as a cell: with a `'` before it if it begins like a formula, or with `'` and then like a formula. */
export function spreadsheetText(text: string): string {
  return likeFormula.test(text) ? `'${text}` : text;
}

/** The text of a cell that {@link spreadsheetText} made, exactly as it was. */
export function textOfSpreadsheet(cell: string): string {
  return escaped.test(cell) ? cell.slice(1) : cell;
}
