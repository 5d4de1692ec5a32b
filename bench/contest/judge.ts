/**
 * Compares a system's answers with the truth, as far as the system claims it. Ranks of the last run are compared with
 * the truth of that time, and live lists with the truth of now. What differs is a problem, in a sentence.
 */
import type { System } from "../systems/system.ts";
import { contradiction, listProblem, placeOf } from "./lists.ts";
import { type Entry, type LiveTruth, type Truth, truthOf } from "./truth.ts";

type Claims = Pick<System, "rank" | "asOfRun" | "estimate" | "estimateDependsOn">;

export interface Judge {
  /** Hears of each change of the board, and of each run that saw all of it. */
  changed(): void;
  ran(): void;
  /** What is wrong with a rank, or `undefined`. */
  rank(player: string, found: number | null): string | undefined;
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
  const isComparable = (kind: "top" | "around" | "page") => isFresh || !(system.asOfRun ?? []).includes(kind);

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
      const right = 1 + truth.above(score);
      if (system.rank === "exact") return expect(found, [right]);
      if (system.rank === "top only") return found === null ? undefined : expect(found, [right]);
      if (last === undefined) return undefined; // Before the first run, nothing is claimed.
      if (system.rank === "estimate") return estimateProblem(system, last, score, found, estimates);
      return expect(found, allowedBy(last, player, score));
    },
    list(kind, list, from, size) {
      if (!isComparable(kind)) return doubleIn(list);
      const problem = listProblem(truth, list, from, size) ?? contradiction(order, list, from);
      if (problem === undefined) for (const [i, entry] of list.entries()) order.set(from + i, entry.player);
      return problem;
    },
    around(list, player, asked) {
      const score = truth.scoreOf(player) ?? NaN;
      if (!isComparable("around")) return doubleIn(list) ?? truth.above(score);
      return placeOf(truth, list, player, asked, order);
    },
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
  return allowed.includes(found) ? undefined : `it should be ${[...new Set(allowed)].join(" or ")}`;
}

/** An estimate is what its formula says of the stored scores, and never worse for a better score. */
function estimateProblem(
  { estimateDependsOn }: Claims,
  { truth, estimate }: Snapshot,
  score: number,
  found: number | null,
  known: Map<number, number>,
): string | undefined {
  if (found === null || found < 1 || found > truth.players + 1) return `there were ${truth.players} players`;
  if (estimateDependsOn === undefined && found !== estimate(score))
    return `its formula says ${estimate(score)}`;
  known.set(score, found);
  for (const [other, rank] of known) {
    if ((other - score) * (rank - found) > 0) return `and the score ${other} has rank ${rank}`;
  }
  return undefined;
}

function doubleIn(list: Entry[]): string | undefined {
  return new Set(list.map(({ player }) => player)).size < list.length ? "it names a player twice" : undefined;
}
