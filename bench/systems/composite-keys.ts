/**
 * Keys that sort as a board does: the score, then the date of it, then the player. The highest key is the best player. So
 * that the older of two equal scores comes first, the key has the time that is left until the year 2286.
 *
 * Example: `04982-8223372036855-ann` for ann's 4982, the older first.
 */
import type { Entry } from "../contest/truth.ts";

export const bucketWidth = 25;

export type TieOrder = "older first" | "newer first";

const dateMax = 9_999_999_999_999;
const scoreDigits = 5;
const dateDigits = 13;

export function bucketOf(score: number): number {
  return Math.floor(score / bucketWidth);
}

/** @param dateMs when the player got the score, in milliseconds since 1970. */
export function keyOf({ player, score, dateMs }: Entry & { dateMs: number }, order: TieOrder): string {
  const date = order === "older first" ? dateMax - dateMs : dateMs;
  return `${digits(score, scoreDigits)}-${digits(date, dateDigits)}-${player}`;
}

export function entryOf(key: string): Entry {
  return { score: Number(key.slice(0, scoreDigits)), player: key.slice(scoreDigits + dateDigits + 2) };
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, "0");
}
