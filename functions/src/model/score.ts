/** A score: one finite number, at most 2^53 - 1 in size, and how two of them compare on a board. */
import { scoreSizeMax } from "./limits.ts";

/** Whether the highest score leads (`descending`, points) or the lowest (`ascending`, times). */
export type Order = "descending" | "ascending";

/** Why a value cannot be ranked, as in `is a string ("12"), not a number`; undefined for a score. */
export function scoreProblem(value: unknown): string | undefined {
  if (isScore(value)) return undefined;
  if (typeof value !== "number") return `is ${describeValue(value)}, not a number`;
  return `is ${value}, ${Number.isFinite(value) ? "larger in size than 2^53 - 1" : "not a finite number"}`;
}

/**
 * Whether a value is a score. It stands alone so that an app which only watches does not bundle {@link scoreProblem}'s
 * texts.
 */
export function isScore(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= scoreSizeMax;
}

/**
 * A number that sorts scores best first: a smaller key is better, on either kind of board. Never −0, so that equal
 * scores have equal keys.
 */
export function sortKey(order: Order, score: number): number {
  return order === "descending" ? 0 - score : 0 + score;
}

/** The score of a sort key: the inverse of {@link sortKey}. */
export const scoreOfKey: (order: Order, key: number) => number = sortKey;

/** Whether `a` is strictly better than `b`. */
export function isBetter(order: Order, a: number, b: number): boolean {
  return order === "descending" ? a > b : a < b;
}

/** The best score that can exist. The first page of a ranking begins there. */
export function bestPossible(order: Order): number {
  return order === "descending" ? scoreSizeMax : -scoreSizeMax;
}

/** The key of a score in a shard's `player_count`: the shortest decimal that reads back as the same number. */
export function scoreToField(score: number): string {
  return String(0 + score);
}

/** The score of a key in `player_count`; undefined for a key that {@link scoreToField} never writes. */
export function fieldToScore(field: string): number | undefined {
  const score = Number(field);
  return isScore(score) && scoreToField(score) === field ? score : undefined;
}

/** A stored value in an error's text, as in `a string ("12")`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (typeof value === "string") return `a string (${JSON.stringify(value.slice(0, 40))})`;
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}
