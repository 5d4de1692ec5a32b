/**
 * Compares a system's answers with the truth, as far as the system claims it. Ranks of the last run are compared with
 * the truth of that time, and live lists with the truth of now. What differs is a problem, in a sentence.
 */
import type { System } from "../systems/system.ts";
import { type Entry, type LiveTruth, type Truth, truthOf } from "./truth.ts";

type Claims = Pick<System, "rank" | "asOfRun" | "estimate" | "estimateDependsOn">;

export interface Judge {
  /** Hears of each change of the board, and of each run that saw all of it. */
  changed(): void;
  ran(): void;
  /** What is wrong with a rank, or `undefined`. */
  rank(player: string, found: number | null): string | undefined;
  /** What is wrong with `size` players from an index on, or `undefined`. */
  list(kind: "top" | "page", list: Entry[], from: number, size: number): string | undefined;
  /** The index of a player that the list is around, or what is wrong. */
  around(list: Entry[], player: string, asked: { before: number; after: number }): number | string;
}

/** The players at the last run. */
interface Snapshot {
  truth: Truth;
  scores: ReadonlyMap<string, number>;
  /** By the pure estimate. */
  estimate: (score: number) => number;
}

/** @param isPeriodic whether ranks are as of the last run of a job. */
export function createJudge(system: Claims, truth: LiveTruth, isPeriodic: boolean): Judge {
  let isFresh = !isPeriodic;
  let last: Snapshot | undefined;
  /** Who is at each index, by the lists since the last change. Equals may come in any order, but in one. */
  const order = new Map<number, string>();
  /** The estimates since the last run, by score. */
  const estimates = new Map<number, number>();
  return {
    changed() {
      order.clear();
      isFresh = !isPeriodic;
    },
    ran() {
      order.clear();
      if (!isPeriodic) return;
      isFresh = true;
      estimates.clear();
      last = snapshotOf(system, truth);
    },
    rank(player, found) {
      const score = truth.scoreOf(player);
      if (score === undefined) return found === null ? undefined : "nobody has this name";
      if (system.rank === "exact") return expect(found, [1 + truth.now.above(score)]);
      if (last === undefined) return undefined; // Before the first run, nothing is claimed.
      if (system.rank === "estimate") return estimateProblem(system, last, score, found, estimates);
      return expect(found, allowedBy(last, player, score));
    },
    list(kind, list, from, size) {
      if (!isFresh && (system.asOfRun ?? []).includes(kind)) return doubleIn(list);
      const problem = listProblem(truth, list, from, size, order);
      if (problem === undefined) for (const [i, entry] of list.entries()) order.set(from + i, entry.player);
      return problem;
    },
    around: (list, player, asked) => placeOf(truth, list, player, asked, order),
  };
}

function snapshotOf(system: Claims, truth: LiveTruth): Snapshot {
  const scores = new Map(truth.ids().map((player) => [player, truth.scoreOf(player) ?? NaN]));
  const rising = Float64Array.from(scores.values()).sort();
  let estimate: Snapshot["estimate"] | undefined;
  return {
    truth: truthOf(rising),
    scores,
    estimate: (score) => (estimate ??= system.estimate?.(rising))?.(score) ?? NaN,
  };
}

/**
 * Ranks that the last run allows: of the score of now among the players of then, and of the player then. Who was not
 * there or is now worse than all may be without one.
 */
function allowedBy({ truth, scores }: Snapshot, player: string, score: number): (number | null)[] {
  const then = scores.get(player);
  const isBelowAll = truth.above(score) === truth.players;
  return [
    1 + truth.above(score),
    ...(then === undefined ? [] : [1 + truth.above(then)]),
    ...(then === undefined || isBelowAll ? [null] : []),
  ];
}

function expect(found: number | null, allowed: readonly (number | null)[]): string | undefined {
  return allowed.includes(found)
    ? undefined
    : `it is ${found}, and should be ${[...new Set(allowed)].join(" or ")}`;
}

/** An estimate is what its formula says of the stored scores, and never worse for a better score. */
function estimateProblem(
  { estimateDependsOn }: Claims,
  { truth, estimate }: Snapshot,
  score: number,
  found: number | null,
  known: Map<number, number>,
): string | undefined {
  if (found === null || found < 1 || found > truth.players + 1)
    return `it is ${found}, and there were ${truth.players} players`;
  if (estimateDependsOn === undefined && found !== estimate(score))
    return `it is ${found}, and its formula says ${estimate(score)}`;
  known.set(score, found);
  for (const [other, rank] of known) {
    if ((other - score) * (rank - found) > 0)
      return `it is ${found}, and the score ${other} has rank ${rank}`;
  }
  return undefined;
}

/**
 * The index among all players of the one that a list is around; a text says what is wrong with the list. Only the
 * system knows who comes first among equals, so every index that is possible is tried.
 */
function placeOf(
  truth: LiveTruth,
  list: Entry[],
  player: string,
  asked: { before: number; after: number },
  order: ReadonlyMap<number, string>,
): number | string {
  const score = truth.scoreOf(player) ?? NaN;
  const at = list.findIndex((entry) => entry.player === player);
  if (at < 0) return "the player is not in it";
  const first = truth.now.above(score);
  let problem = "it is empty";
  for (let index = first; index < first + truth.now.equals(score); index++) {
    const before = Math.min(asked.before, index);
    const found =
      at === before
        ? listProblem(truth, list, index - before, before + 1 + asked.after, order)
        : `${at} players come before, and should be ${before}`;
    if (found === undefined) return index;
    problem = found;
  }
  return problem;
}

/**
 * What is wrong with a list of `size` players from an index on, or `undefined`.
 * @param order who is at an index, as far as other lists have shown it.
 */
function listProblem(
  truth: LiveTruth,
  list: Entry[],
  from: number,
  size: number,
  order: ReadonlyMap<number, string>,
): string | undefined {
  const { now } = truth;
  const right = Math.max(0, Math.min(size, now.players - from));
  if (list.length !== right) return `it has ${list.length} players, and should have ${right}`;
  const indexes = new Map([...order].map(([index, player]) => [player, index]));
  for (const [i, { player, score }] of list.entries()) {
    const index = from + i;
    const own = truth.scoreOf(player);
    if (own !== score) return `${player} has ${own}, and not ${score}`;
    if (score !== now.scoreAt(index)) return `at ${index} it has ${score}, and not ${now.scoreAt(index)}`;
    const other = order.get(index);
    if (other !== undefined && other !== player)
      return `at ${index} it has ${player}, and another list ${other}`;
    if ((indexes.get(player) ?? index) !== index)
      return `${player} is at ${index}, and on another list at ${indexes.get(player)}`;
  }
  return doubleIn(list);
}

function doubleIn(list: Entry[]): string | undefined {
  return new Set(list.map(({ player }) => player)).size < list.length ? "it names a player twice" : undefined;
}
