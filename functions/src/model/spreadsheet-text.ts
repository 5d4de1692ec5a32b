/**
 * Texts in the CSV files that people open with a spreadsheet. It would run a text that begins like a formula, so that a
 * display name could fetch an address; and round a text of more than 15 digits, such as an id, to a number of 15. Pure.
 */

const unsafe = /^'*([=+\-@\t\r＝＋－＠]|\d{16,}$)/;
const escaped = /^'+([=+\-@\t\r＝＋－＠]|\d{16,}$)/;

/** The text as a cell: with a `'` before it if it would not stay a text, also if it is such a cell itself. */
export function spreadsheetText(text: string): string {
  return unsafe.test(text) ? `'${text}` : text;
}

/** Whether a text is how a spreadsheet shows a long number that it has rounded, such as `7.65612E+16`. */
export function isRounded(text: string): boolean {
  return /^\d([.,]\d+)?E\+?\d+$/i.test(text);
}

/** The text of a cell that {@link spreadsheetText} made, exactly as it was. */
export function textOfSpreadsheet(cell: string): string {
  return escaped.test(cell) ? cell.slice(1) : cell;
}
