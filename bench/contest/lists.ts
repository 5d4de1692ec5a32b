/** Checks lists of players. Equal scores may come in any order, which differs from system to system. */
import type { Entry, LiveTruth } from "./truth.ts";

/** What is wrong with a list that should hold `size` players from an index on, or `undefined`. */
export function listProblem(truth: LiveTruth, list: Entry[], from: number, size: number): string | undefined {
  if (list.length !== size) return `it has ${list.length} players, and should have ${size}`;
  if (new Set(list.map(({ player }) => player)).size < list.length) return "it names a player twice";
  const stranger = list.find(({ player, score }) => truth.scoreOf(player) !== score);
  if (stranger !== undefined) {
    return `${stranger.player} has ${truth.scoreOf(stranger.player)}, and not ${stranger.score}`;
  }
  const at = list.findIndex(({ score }, i) => score !== truth.scoreAt(from + i));
  return at < 0
    ? undefined
    : `at ${from + at} it has the score ${list[at]?.score}, and not ${truth.scoreAt(from + at)}`;
}

/**
 * Where a list disagrees with who was at an index before, or `undefined`: equals come in one order on all lists.
 * @param order who is at an index, as far as lists have shown it.
 */
export function contradiction(
  order: ReadonlyMap<number, string>,
  list: Entry[],
  from: number,
): string | undefined {
  const indexes = new Map([...order].map(([index, player]) => [player, index]));
  for (const [i, { player }] of list.entries()) {
    const other = order.get(from + i);
    if (other !== undefined && other !== player)
      return `at ${from + i} it has ${player}, and another list ${other}`;
    const index = indexes.get(player);
    if (index !== undefined && index !== from + i)
      return `${player} is at ${from + i}, and on another list at ${index}`;
  }
  return undefined;
}

/**
 * The index among all players of the one that a list is around; a text says what is wrong with the list. Only the
 * system knows who comes first among equals, so every index that is possible is tried.
 * @param order who is at an index, as far as other lists have shown it.
 */
export function placeOf(
  truth: LiveTruth,
  list: Entry[],
  player: string,
  asked: { before: number; after: number },
  order: ReadonlyMap<number, string> = new Map(),
): number | string {
  const score = truth.scoreOf(player) ?? NaN;
  const at = list.findIndex((entry) => entry.player === player);
  if (at < 0) return "the player is not in it";
  const first = truth.above(score);
  let problem = "it is empty";
  for (let index = first; index < first + truth.equals(score); index++) {
    const before = Math.min(asked.before, index);
    const after = Math.min(asked.after, truth.players - 1 - index);
    if (at !== before) {
      problem = `${at} players come before, and should be ${before}`;
      continue;
    }
    const found =
      listProblem(truth, list, index - before, before + 1 + after) ??
      contradiction(order, list, index - before);
    if (found === undefined) return index;
    problem = found;
  }
  return problem;
}
