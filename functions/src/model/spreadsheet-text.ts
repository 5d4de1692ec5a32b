/**
 * Texts in the CSV files that people open with a spreadsheet. A spreadsheet runs a text that begins like a formula, so
 * that a display name could fetch an address. It also rounds a text of more than 15 digits, such as an id. Pure.
 */

const unsafe = /^'*([=+\-@\t\r＝＋－＠]|\d{16,}$)/;
const escaped = /^'+([=+\-@\t\r＝＋－＠]|\d{16,}$)/;

/**
 * A text as a cell. It gets a `'` in front if a spreadsheet would change it, or if it already looks like a cell with a
 * `'`.
 */
export function spreadsheetText(text: string): string {
  return unsafe.test(text) ? `'${text}` : text;
}

/** Whether a text is how a spreadsheet shows a long number that it has rounded, such as `7.65612E+16`. */
export function isRounded(text: string): boolean {
  return /^\d([.,]\d+)?E\+?\d+$/i.test(text);
}

/** The inverse of {@link spreadsheetText}. */
export function textOfSpreadsheet(cell: string): string {
  return escaped.test(cell) ? cell.slice(1) : cell;
}
