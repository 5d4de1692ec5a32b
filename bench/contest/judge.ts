/**
 * Compares a system's answers with the truth, as far as the system claims it. Ranks of the last run are compared with
 * the truth of that time, and live lists with the truth of now. What differs is a problem, in a sentence.
 */
import { isDeepStrictEqual } from "node:util";
import type { System } from "../systems/system.ts";
import type { Entry, LiveTruth, Truth } from "./truth.ts";

type Claims = Pick<System, "rank" | "asOfRun" | "ties" | "estimates">;

export interface Judge {
  /** Hears of each change of the board, and of each run that saw all of it. */
  changed(): void;
  ran(): void;
  /** What is wrong with a rank, or `undefined`. */
  rank(player: string, found: number | null): string | undefined;
  /** What is wrong with `size` players from an index on, or `undefined`. */
  list(kind: "top" | "page", list: Entry[], from: number, size: number): string | undefined;
  /** What is wrong with the players around a player, or `undefined`. */
  around(list: Entry[], player: string, asked: { before: number; after: number }): string | undefined;
}

/** The players at the last run. */
interface Snapshot {
  truth: Truth;
  scores: ReadonlyMap<string, number>;
  estimate: ((score: number) => number) | undefined;
}

/** @param isPeriodic whether ranks are as of the last run of a job. */
export function createJudge(system: Claims, truth: LiveTruth, isPeriodic: boolean): Judge {
  let isFresh = !isPeriodic;
  let last: Snapshot | undefined;
  const estimateAt = system.estimates?.();
  return {
    changed() {
      isFresh = !isPeriodic;
    },
    ran() {
      if (!isPeriodic) return;
      isFresh = true;
      const scores = new Map(truth.best.map(({ player, score }) => [player, score]));
      last = { truth: truth.now, scores, estimate: estimateAt?.(truth.now) };
    },
    rank(player, found) {
      const score = truth.scoreOf(player);
      if (score === undefined) return found === null ? undefined : "nobody has this name";
      if (system.rank === "exact") return expect(found, [1 + truth.now.above(score)]);
      if (last === undefined) return undefined; // Before the first run, nothing is claimed.
      const { estimate } = last;
      return expect(found, estimate === undefined ? allowedBy(last, player, score) : [estimate(score)]);
    },
    list(kind, list, from, size) {
      if (!isFresh && (system.asOfRun ?? []).includes(kind)) return doubleIn(list);
      return listProblem(list, truth.best.slice(from, from + size));
    },
    around(list, player, { before, after }) {
      const index = truth.best.findIndex((entry) => entry.player === player);
      return listProblem(list, truth.best.slice(Math.max(0, index - before), index + 1 + after));
    },
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

function listProblem(list: Entry[], right: Entry[]): string | undefined {
  return isDeepStrictEqual(list, right)
    ? undefined
    : `it is ${JSON.stringify(list)}, and should be ${JSON.stringify(right)}`;
}

function doubleIn(list: Entry[]): string | undefined {
  return new Set(list.map(({ player }) => player)).size < list.length ? "it names a player twice" : undefined;
}
