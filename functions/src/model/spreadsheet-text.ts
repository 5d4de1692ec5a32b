/**
 * Texts in the CSV files that people open with a spreadsheet. A spreadsheet runs a text that begins like a formula, so
 * that a display name could fetch an address. It also makes a number or a date of a text that looks like one, and saves
 * that: of the id `007` the number 7, of `12e5` 1,200,000, of `1-2` and `Jan 1` a day, of `3 pm` a time, of `true` TRUE,
 * and of more than 15 digits a rounded number (seen in LibreOffice Calc 7.4). Excel takes the gene SEPT1 for a day too.
 * Pure.
 */

const formula = String.raw`[=+\-@\t\r＝＋－＠]`;
/** Digits with the signs of numbers, sums of money, dates and times, unless it is a whole number as a spreadsheet writes it. */
const number = String.raw`(?!(?:0|[1-9]\d{0,14})$)(?=.*\p{Nd})[\p{Nd}\p{Sc} .,:/%()-]+(?:e[+-]?\p{Nd}+)?$`;
const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|" +
  "nov(?:ember)?|dec(?:ember)?)";
/** What is a day, a time or a truth value in English: other languages have other words, and their names are many. */
const words = String.raw`(?:${month}[ .,/-]*\d[\d .,:/-]*|\d[\d .,/-]*${month}[ .,/-]*\d*|\d{1,2}(?::\d\d){0,2}(?: ?[ap]m| [ap])|true|false)$`;
const changed = `(?:${formula}|${number}|${words})`;
const unsafe = new RegExp(`^'*${changed}`, "iu");
const escaped = new RegExp(`^'+${changed}`, "iu");

/**
 * A text as a cell. It gets a `'` in front if a spreadsheet would change it, or if it already looks like a cell with a
 * `'`.
 */
export function spreadsheetText(text: string): string {
  return unsafe.test(text) ? `'${text}` : text;
}

/**
 * Whether a text is a number that a program has made of an id: a long one that a spreadsheet, pandas or R has rounded, such
 * as `7.65612E+16`, or the fraction that pandas writes where a column lacks an id, such as `123.0`.
 */
export function isNumberOfId(text: string): boolean {
  return /^(?:\d([.,]\d+)?E\+?\d+|\d+\.0)$/i.test(text);
}

/** The inverse of {@link spreadsheetText}. */
export function textOfSpreadsheet(cell: string): string {
  return escaped.test(cell) ? cell.slice(1) : cell;
}
